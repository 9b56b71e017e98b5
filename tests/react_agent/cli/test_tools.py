"""react-agent inspect tools"""

import os
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pytest
from check_rows import table_of

from react_agent.profiles.profile_file import shipped

LONG = f"654.{os.getpid()}".encode()  # seconds, as nobody else waits


@pytest.fixture
def own(cli: Any) -> None:
    cli.settings("[react_agent:hidden]\ndeploy = redirect [red]Not\x1b[31m now[/]; conclude.\n")


def test_lists_what_is_offered_and_what_answers(cli: Any, own: None) -> None:
    out = cli("inspect", "tools").ends_well()
    offered, _, hidden = out.partition("Hidden: never offered, but they work when called:")
    profile = shipped("issue")
    assert [line.split()[0] for line in offered.splitlines()[1:]] == list(profile.tools)
    rows = [" ".join(line.split()) for line in hidden.splitlines()]
    words = set(" ".join(rows).replace(",", " ").replace(":", " ").split())
    everything = [*profile.unoffered, *profile.hidden, *profile.hidden_offline]
    assert {word for name in everything for word in name.split()} <= words
    assert "as apply_patch patch, git_apply, apply_diff" in rows
    assert "redirect deploy: [red]Not<U+001B>[31m now[/]; conclude." in rows
    assert "redirect tail -f: It would never end. Show what is there now, without -f." in rows


@pytest.mark.parametrize("columns", [100, 40, 20])
def test_every_word_fits_on_a_terminal(
    cli: Any, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    unbroken = "".join(cli("inspect", "tools").out.split())
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = re.sub(r"\x1b\[\dm", "", cli("inspect", "tools").out)
    assert "".join(shown.split()) == unbroken


@table_of(
    ("words", "line"),
    [
        ("why", "name a tool: react-agent inspect tools why NAME"),
        ("list x", "there is no `tools list`; write try NAME, why NAME, or nothing"),
        ("try read_file", ". is not a git repository"),
        ("why ", "'' is not a name: write the name of a tool"),
        ("why cat --profile ../issue", "there is no profile '../issue'"),
        (
            "try run --repo repository --sandbox box",
            "--sandbox must be auto, bubblewrap, landlock, docker:IMAGE, podman:IMAGE or none, ",
        ),
    ],
)
def test_what_can_not_be_done_is_one_line(
    cli: Any, repository: Path, words: str, line: str
) -> None:
    code, said = cli.refused("inspect", "tools", *words.split(" "))
    assert (code, said[: len(line)]) == (2, line)


@pytest.mark.usefixtures("own")
@table_of(
    ("name", "first"),
    [
        ("Undo", "undo is not offered, but works when called."),
        ("Git-Log", "git_log is hidden, by the profile issue."),
        ("cat", "cat is hidden, by the profile issue."),
        ("Deploy", "deploy is hidden, by your settings."),
        ("git push", "git push is hidden, by the profile issue."),
        ("git push origin", "A command like 'git push' is not run, by the profile issue."),
        ("fly", "fly is neither offered nor hidden: a call to it would be counted as a wish"),
    ],
)
def test_says_why(cli: Any, name: str, first: str) -> None:
    answer = cli("inspect", "tools", "why", name)
    assert (answer.code, answer.out.split("\n")[0]) == (0, first)


@pytest.mark.parametrize(
    ("name", "given", "said", "code"),
    [
        ("nosuch", b"", "There is no tool with that name. ", 1),
        ("Read-File", b"README.md:1-1", "README.md lines 1-1 of 8\n   1| # stopwatch\n", 0),
        ("read_file", b"gr\xfc\xdfe", "gr\ufffd\ufffde does not exist; ", 1),
        ("run_background", b"sleep LONG", "runs in the background as number 1; ", 0),
        ("run", b"mkdir -p a/b && chmod 0 a", "exit code 0, no output\n", 0),
        ("update_file", b"README.md\nmake it so", "it can't be delegated here", 1),
    ],
)
def test_tries_a_tool_and_leaves_nothing(
    cli: Any, repository: Path, name: str, given: bytes, said: str, code: int
) -> None:
    places = cli.folder / "temporary"
    places.mkdir()
    cli.monkeypatch.setattr(tempfile, "tempdir", str(places))
    answer = cli(
        "inspect", "tools", "try", name, "--repo", "repository", stdin=given.replace(b"LONG", LONG)
    )
    assert (answer.code, answer.err) == (code, "")
    assert answer.out.startswith(said)
    assert list(places.iterdir()) == []
    found = subprocess.run(["pgrep", "-f", b"sleep " + LONG], capture_output=True, check=False)
    assert found.stdout == b""
