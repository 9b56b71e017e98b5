"""What must not get out: keys, litter, the token; and what must not run: hooks of a person."""

import base64
import os
import sys
from pathlib import Path

import pytest
from at_forge import BRANCH, AtForge
from loopback import Fault
from planted_keys import apart, keys

pytestmark = pytest.mark.slow
KEY = keys(7)["GitHub, classic"][1]
HOOKS = ("pre-push", "post-commit", "pre-commit", "reference-transaction", "post-checkout")


def test_a_key_in_code_goes_nowhere(desk: AtForge) -> None:
    """A command has put it there: what a model writes itself is refused before."""
    writes = f"echo 'KEY = \"{apart(KEY)}\"' > stopwatch/more.py"
    model = desk.cli.record(("write_file", 'stopwatch/more.py\nKEY = ""\n'), ("run", writes))
    answer = desk.solve("--pr", model=model)
    assert answer.code == 1
    assert answer.err == (
        "react-agent: no pull request: stopwatch/more.py:1 holds a GitHub token; "
        f"the branch {BRANCH} is kept\n"
    )
    assert desk.writes == []
    shown = desk.cli("pr", desk.run, "--dry-run").out
    assert "\nrefused: stopwatch/more.py:1 holds a GitHub token\n" in shown
    assert KEY not in shown
    assert desk.refused("pr", desk.run).startswith("no pull request: stopwatch/more.py:1 ")
    assert desk.writes == []


def test_litter_is_dropped(desk: AtForge) -> None:
    model = desk.cli.record(
        ("write_file", "tmp_1.py\nprint(1)\n"),
        ("run", "mkdir build; echo x > build/a.o; echo y > out.log; git add --force ."),
        ("run", f"echo 'the token is {apart(KEY)}' > notes.txt; git add notes.txt"),
        ("write_file", "NOTES.md\nA blank may stand before a unit.\n"),
    )
    out = desk.solve("--pr", model=model).ends_well()
    assert desk.site.git("diff", "--name-only", f"trunk...{BRANCH}") == "NOTES.md"
    said = out.partition("\ndropped ")[2].partition("\ntests ")[0]
    names = [line.split()[0] for line in said.strip().split("\n")]
    assert sorted(names) == ["build/a.o", "notes.txt", "out.log", "tmp_1.py"]


# In all that comes of the process `above`: another test may have a token like it.
LOOK = """
from pathlib import Path

secrets = Path({secrets!r}).read_bytes().split()
with_parent = {{}}
for stat in Path("/proc").glob("[0-9]*/stat"):
    try:
        with_parent[stat.parent] = "/proc/" + stat.read_text().rpartition(")")[2].split()[1]
    except OSError:
        pass
below = [Path("/proc/{above}")]
for one in below:
    below += [child for child, parent in with_parent.items() if parent == str(one)]
held = []
for one in below[1:]:
    for name in ("cmdline", "environ"):
        try:
            text = (one / name).read_bytes()
        except OSError:
            continue
        held += [f"{{one / name}}\\n" for secret in secrets if secret in text]
Path({found!r}).write_text(f"{{len(below) > 3}}\\n{{''.join(held)}}")
"""


@pytest.mark.parametrize("fault", [None, Fault(401, {"message": "no"})], ids=["sent", "refused"])
def test_the_token_is_nowhere(desk: AtForge, fault: Fault | None) -> None:
    """Though a command of the run looks for it, and the forge says it again."""
    site = desk.site
    said = f"Bad: {site.token} http://me:{site.token}@{site.server.host}/"
    coded = pair(site.token)
    if fault:
        site.server.plant("* /*git-receive-pack", Fault(401, said.encode()))
        site.server.plant("POST *pull*", Fault(401, {"message": said}))
        site.server.plant("POST *merge*", Fault(401, {"message": said}))
    desk.cli.settings(f"[react_agent]\nkeep = yes\n{desk.site.settings}")
    answer = desk.solve("--pr", model=desk.adds(("run", "env; git config --list; git remote -v")))
    again = desk.cli("pr", desk.run)
    assert (answer.code, again.code) == ((1, 0) if fault else (0, 0))
    printed = [answer.out, answer.err, again.out, again.err, desk.request.body]
    assert [text for text in printed if site.token in text or coded in text] == []
    files = desk.cli.files
    assert len(files) > 50
    secrets = site.token.encode(), coded.encode()
    held = [it for it in files if any(one in it.read_bytes() for one in secrets)]
    assert held == []
    assert desk.cli.git("remote", "get-url", "origin") == site.url
    assert {site.token, f"Bearer {site.token}", f"token {site.token}"} & {
        asked.headers.get("private-token", asked.headers.get("authorization", ""))
        for asked in site.server.asked
    }


@pytest.mark.may_skip("only Linux has /proc")
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")
def test_the_token_is_in_no_process_while_a_push_goes_on(desk: AtForge, tmp_path: Path) -> None:
    site = desk.site
    secrets, found = tmp_path / "secrets", tmp_path / "found"
    secrets.write_text(f"{site.token}\n{pair(site.token)}\n")
    hook = site.repositories.refuse(site.path, "", ref="no-such-branch")
    look = LOOK.format(secrets=str(secrets), above=os.getpid(), found=str(found))
    hook.write_text(f"#!{sys.executable}\n{look}")
    assert desk.solve("--pr").code == 0
    assert found.read_text() == "True\n"  # there were some


def pair(token: str) -> str:
    return base64.b64encode(f"x-access-token:{token}".encode()).decode()


def test_no_hook_of_the_person_runs(desk: AtForge, repository: Path, tmp_path: Path) -> None:
    (repository / ".git" / "hooks").mkdir(exist_ok=True)
    for name in HOOKS:
        hook = repository / ".git" / "hooks" / name
        hook.write_text(f"#!/bin/sh\necho {name} >> '{tmp_path}/ran'\nexit 1\n")
        hook.chmod(0o755)
    desk.solve("--pr").ends_well()
    assert desk.cli("pr", desk.run).code == 0
    assert not (tmp_path / "ran").exists()
    assert desk.tests_there(BRANCH) == 0
