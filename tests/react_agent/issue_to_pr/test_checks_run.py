"""Each kind of check, run on a change; and checks that mean harm, in a sandbox."""

import os
import subprocess
from pathlib import Path

import pytest
from by_hand import plain_git
from checking import CONFIG, Checking, item, local, remote, system

from react_agent.issue_to_pr.declared_checks import NO_STORE, NOT_INSTALLED

pytestmark = pytest.mark.slow
REJECTING = '#!/bin/sh\n[ ! -f "$1" ]\n'  # what is handed to it
FIXING = "#!/bin/sh\nfor path; do sed -i 's/  */ /g' \"$path\"; done\n"
WHERE = """\
#!/bin/sh
[ "$(git log -1 --format=%s; git diff --cached --name-status; git status --short)" = "$1" ]
"""


@pytest.fixture
def hooks(checking: Checking) -> str:
    """A repository of hooks, with what pre-commit has installed of it: all but `parcel`."""
    place = checking.desk.folder / "hooks"
    place.mkdir()
    declared = (
        system("fixing", "./fixing.sh").replace("system", "script"),
        "id: words\nname: words\nentry: (?<!a)bad|worse\nlanguage: pygrep\nargs: [-i]",
        "id: parcel\nname: parcel\nentry: parcel\nlanguage: python",
    )
    place.joinpath(".pre-commit-hooks.yaml").write_text("".join(map(item, declared)))
    place.joinpath("fixing.sh").write_text(FIXING)
    place.joinpath("fixing.sh").chmod(0o755)
    for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "Hooks"), ("tag", "v1")):
        plain_git(place, *words)
    checking.store = str(checking.desk.folder / "store")
    config = checking.desk.folder / "config.yaml"
    config.write_text(remote("id: words", where=str(place)))
    environment = {**os.environ, "PRE_COMMIT_HOME": checking.store}
    command = (f"{checking.path}/pre-commit", "run", "--config", config, "--files", "config.yaml")
    subprocess.run(command, cwd=place, env=environment, check=True)
    return str(place)


@pytest.mark.needs("bwrap", "bubblewrap")
@pytest.mark.parametrize("sandbox", ["bubblewrap", "landlock", "none"])
def test_those_of_other_repositories(checking: Checking, hooks: str, sandbox: str) -> None:
    checking.sandbox = sandbox
    checking.is_shown = sandbox != "bubblewrap"
    before = {file: file.read_bytes() for file in Path(checking.store).rglob("*") if file.is_file()}
    ours = remote("id: fixing", "id: words", "id: parcel", where=hooks)
    other = remote("id: absent", "id: gone").removeprefix("repos:\n")
    checked = checking.check({CONFIG: ours + other}, {"a.txt": "x =  1\n", "b.txt": "BAD\n"})
    assert checked.lines == (
        "fixing: fixed: changed a.txt",
        "words: failed",
        f"parcel, absent, gone: not run: {NOT_INSTALLED}",
    )
    assert checking.text(checked, "a.txt") == "x = 1\n"
    assert before == {file: file.read_bytes() for file in before}


def test_a_store_that_is_not_shown(checking: Checking, hooks: str) -> None:
    config = remote("id: words", where=hooks) + local(system("mine", "true")).removeprefix(
        "repos:\n"
    )
    assert checking.lines({CONFIG: config}, {"a.txt": "bad\n"}) == [
        f"words: not run: {NO_STORE}",
        "mine: passed",
    ]


def test_no_pre_commit(checking: Checking) -> None:
    checking.path = ""
    config = {CONFIG: local(system("a", "true"), system("b", "true"))}
    assert checking.lines(config, {"a.py": ""}) == ["a, b: not run: pre-commit is not here"]


@pytest.mark.needs("bwrap", "bubblewrap")
def test_an_environment_of_its_own(checking: Checking) -> None:
    """pip makes it, from the package index; commands find it where it is, and read-only."""
    checking.sandbox, checking.store = "bubblewrap", str(checking.desk.folder / "store")
    hook = "id: six\nname: six\nlanguage: python\nadditional_dependencies: [six]\n" + (
        "entry: python -c 'import six, sys; sys.exit(six.PY2)'"
    )
    config = local(hook)
    place = checking.desk.folder / "installing"
    place.mkdir()
    place.joinpath(CONFIG).write_text(config)
    plain_git(place, "init", "-q")
    environment = {**os.environ, "PRE_COMMIT_HOME": checking.store}
    command = (f"{checking.path}/pre-commit", "install-hooks")
    subprocess.run(command, cwd=place, env=environment, check=True)
    assert checking.lines({CONFIG: config}, {"a.py": "x = 1\n"}) == ["six: passed"]


def test_those_of_the_repository(checking: Checking) -> None:
    hooks = (
        "id: script\nname: s\nentry: bin/check\nlanguage: script",
        "id: forbidden\nname: f\nentry: No pictures\nlanguage: fail\nfiles: png$",
        "id: header\nname: h\nentry: ^# ours\nlanguage: pygrep\nargs: [--negate]\ntypes: [python]",
        system("once", "echo", "pass_filenames: false\nfiles: nothing$\nalways_run: true"),
        system("other", "false", "files: nothing$"),
        system("later", "false", "stages: [pre-push]"),
        system("module", "python3 -m nosuchmodule"),
        system("deep", "sh -c 'nosuchprogram \"$@\"' sh"),
        system("network", "sh -c 'echo Could not resolve host: example.org; exit 1'"),
        system("absent", "nosuchprogram"),
    )
    base = {CONFIG: local(*hooks), "bin/check": REJECTING}
    change = {"a.py": "# ours\nx = 'BAD'\n", "b.py": "x = 1\n", "c.png": "x"}
    checked = checking.check(base, change)
    assert checked.lines == (
        "script: failed",
        "forbidden: failed",
        "header: failed",
        "once: passed",
        checked.lines[4],
        "deep: not run: sh: 1: nosuchprogram: not found",
        "network: not run: Could not resolve host: example.org",
        "absent: not run: Executable `nosuchprogram` not found",
    )
    assert checked.lines[4].startswith("module: not run: ")
    assert checked.lines[4].endswith("No module named nosuchmodule")


@pytest.mark.parametrize("sandbox", ["bubblewrap", "landlock"])
@pytest.mark.needs("bwrap", "bubblewrap")
def test_git_finds_a_repository_whose_index_holds_the_change(
    checking: Checking, sandbox: str
) -> None:
    checking.sandbox = sandbox
    where = "id: where\nname: w\nentry: bin/where\nlanguage: script\npass_filenames: false"
    commits = system("commits", "sh -c 'git commit -qm x && git add -A && git stash -q; exit 1'")
    base = {
        CONFIG: local(where, commits),
        "bin/where": WHERE.replace("$1", "Checks\nA\ta.py\nA  a.py"),
    }
    assert checking.check(base, {"a.py": "x = 1\n"}).lines[0] == "where: passed"
    assert checking.runs[0].workspace.git.line("log", "--all", "--format=%s", "-1") == "Checks"


def test_time_is_bounded(checking: Checking) -> None:
    hooks = (system("slow", "sleep 60", "pass_filenames: false"), system("next", "true"))
    assert checking.lines({CONFIG: local(*hooks)}, {"a.py": "x = 1\n"}, seconds=2.0) == [
        "slow: not run: it took more than 2 s",
        "next: not run: the time for all checks has run out",
    ]


HOSTILE = {
    "deletes": "rm -rf --no-preserve-root /etc {outside} .git . stopwatch",
    "kills": "kill -9 -1",
    "leaves": "sh -c 'sleep 613 >/dev/null 2>&1 & disown; exit 1'",
    "configures": "sh -c 'git config core.fsmonitor \"touch $PWD/owned\"; git status; exit 1'",
    "links": "sh -c 'rm -rf stopwatch && ln -s {outside} stopwatch; echo x >> stopwatch/units.py'",
    "locks": "sh -c 'chmod 0 . stopwatch; touch .git/index.lock'",
    "pipes": "sh -c 'rm a.py; mkfifo a.py'",
    "absolute": "/bin/sh -c 'echo x > {outside}/b; cat {outside}/key; exit 1'",
    "prints": "sh -c 'head -c 30000000 /dev/urandom; exit 1'",
}


@pytest.mark.needs("bwrap", "bubblewrap")
@pytest.mark.parametrize("name", HOSTILE)
def test_one_that_means_harm(checking: Checking, tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    for file in ("units.py", "key"):
        outside.joinpath(file).write_text("a secret\n")
    checking.sandbox = "bubblewrap"
    entry = HOSTILE[name].format(outside=outside)
    hooks = (
        system(name, entry, "pass_filenames: false"),
        "id: words\nname: words\nentry: secret\nlanguage: pygrep",
    )
    config = {CONFIG: local(*hooks)}
    checked = checking.check(config, {"a.py": "x = 1\n", "stopwatch/units.py": "y = 2\n"})
    assert {file.name: file.read_text() for file in outside.iterdir()} == {
        "units.py": "a secret\n",
        "key": "a secret\n",
    }
    assert not any("secret" in line for line in checked.lines)
    assert checking.text(checked, "a.py") == "x = 1\n"
    assert checking.text(checked, "stopwatch/units.py") == "y = 2\n"
    assert not list(checking.desk.folder.rglob("owned"))
    expected = "not run" if name in ("deletes", "locks") else "passed"
    assert checked.lines[1].startswith(f"words: {expected}")
