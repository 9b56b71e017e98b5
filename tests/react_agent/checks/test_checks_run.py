"""Each kind of check, run on a change; and checks that mean harm, in a sandbox."""

from pathlib import Path

import pytest
from checking import CONFIG, Checking, local, remote, system

pytestmark = pytest.mark.slow
REJECTING = '#!/bin/sh\necho rejected "$@"\nexit 1\n'
FIXING = "#!/bin/sh\nfor last; do :; done\nsed -i 's/  */ /g' \"$last\"\n"
WHERE = "git log -1 --format=%s; git diff --cached --name-status; git status --short; pwd"


def test_ours(checking: Checking) -> None:
    ids = ("trailing-whitespace", "end-of-file-fixer", "check-json", "check-merge-conflict")
    config = remote(*(f"id: {name}" for name in (*ids, "check-yaml", "check-added-large-files")))
    change = {"a.py": "x = 1 \n\n", "b.json": "{,}\n", "c.yaml": "a: b\n"}
    checked = checking.check({CONFIG: config}, change)
    assert checked.lines == (
        "trailing-whitespace: fixed: changed a.py",
        "end-of-file-fixer: fixed: changed a.py",
        "check-json: failed",
        "check-merge-conflict: passed",
        "check-yaml: not run: check-yaml is not here",
        "check-added-large-files: passed",
    )
    assert [check.said for check in checked.failed] == [
        "b.json: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"
    ]
    assert checking.text(checked, "a.py") == "x = 1\n"


def test_those_of_other_repositories_by_their_programs(checking: Checking) -> None:
    programs = checking.desk.folder / "programs"
    programs.mkdir()
    for name, text in (("flake8", REJECTING), ("black", FIXING)):
        programs.joinpath(name).write_text(text)
        programs.joinpath(name).chmod(0o755)
    checking.path = str(programs)
    config = remote("id: black", "id: flake8\nargs: [-v]", "id: isort", "id: unheard-of")
    checked = checking.check({CONFIG: config}, {"a.py": "x =  1\n", "b.md": "b\n"})
    assert checked.lines == (
        "black: fixed: changed a.py",
        "flake8: failed",
        "isort: not run: isort is not here",
        "unheard-of: not run: a hook that is not known here",
    )
    assert checked.failed[0].said == "rejected -v a.py"
    assert checking.text(checked, "a.py") == "x = 1\n"


def test_those_of_the_repository_in_every_language(checking: Checking) -> None:
    hooks = (
        "id: script\nentry: bin/check\nlanguage: script",
        "id: forbidden\nentry: No pictures\nlanguage: fail\nfiles: png$",
        "id: words\nentry: (?<!a)bad|worse\nlanguage: pygrep\nargs: [-i]\ntypes: [python]",
        "id: header\nentry: ^# ours\nlanguage: pygrep\nargs: [--negate]\ntypes: [python]",
        system("once", "echo", "pass_filenames: false\nfiles: nothing$\nalways_run: true"),
        system("module", "python3 -m nosuchmodule"),
        system("deep", "sh -c 'nosuchprogram \"$@\"' sh"),
        system("network", "sh -c 'echo Could not resolve host: example.org; exit 1'"),
    )
    base = {CONFIG: local(*hooks), "bin/check": REJECTING}
    change = {"a.py": "# ours\nx = 'BAD'\n", "b.py": "x = 1\n", "c.png": "x"}
    checked = checking.check(base, change)
    assert checked.lines == (
        "script: failed",
        "forbidden: failed",
        "words: failed",
        "header: failed",
        "once: passed",
        "module: not run: " + checked.checks[5].note,
        "deep: not run: sh: 1: nosuchprogram: not found",
        "network: not run: Could not resolve host: example.org",
    )
    assert checked.checks[5].note.endswith("No module named nosuchmodule")
    assert [check.said for check in checked.failed] == [
        "rejected a.py b.py c.png",
        "No pictures\nc.png",
        "a.py:2: x = 'BAD'",
        "b.py",
    ]


def test_scripts_of_hooks(checking: Checking) -> None:
    base = {
        ".githooks/pre-commit": f"#!/bin/sh\n{WHERE}\nexit 1\n",
        ".husky/pre-commit": '. "$(dirname -- "$0")/_/husky.sh"\nnpm test\n',
        ".react-agent.cfg": "[react_agent]\ntest = true\nlint = grep -v bad {path}\n",
    }
    checked = checking.check(base, {"a.py": "x = 1\n", "README.md": "bad\n"})
    assert [line.partition(": ")[::2] for line in checked.lines] == [
        ("lint", "failed"),
        (".githooks/pre-commit", "failed"),
        (".husky/pre-commit", f"not run: {checked.checks[2].note}"),
    ]
    assert "husky.sh" in checked.checks[2].note
    assert checked.failed[1].said.split("\n") == [
        "Checks",
        "M\tREADME.md",
        "A\ta.py",
        "M  README.md",
        "A  a.py",
        ".",
    ]


@pytest.mark.parametrize("sandbox", ["bubblewrap", "landlock"])
@pytest.mark.needs("bwrap", "bubblewrap")
def test_git_finds_a_repository_whose_index_holds_the_change(
    checking: Checking, sandbox: str
) -> None:
    checking.sandbox = sandbox
    hooks = (system("where", f"sh -c '{WHERE}; exit 1'", "pass_filenames: false"),)
    commits = system("commits", "sh -c 'git commit -qm x && git add -A && git stash -q; exit 1'")
    checked = checking.check({CONFIG: local(*hooks, commits)}, {"a.py": "x = 1\n"})
    assert checked.lines[0] == "where: failed"
    assert checked.failed[0].said == "Checks\nA\ta.py\nA  a.py\n."
    workspace = checking.runs[0].workspace
    assert workspace.git.line("log", "--all", "--format=%s", "-1") == "Checks"


def test_time_and_size_are_bounded(checking: Checking) -> None:
    many = {f"{number}.txt": "x\n" for number in range(1_001)}
    hooks = (system("slow", "sleep 60", "pass_filenames: false"), system("next", "true"))
    config = {CONFIG: local(*hooks)}
    assert checking.lines(config, {"a.py": "x = 1\n"}, seconds=2.0) == [
        "slow: not run: it took more than 2 s",
        "next: not run: the time for all checks is over",
    ]
    assert checking.lines({**config, "more": "x"}, many) == [
        "checks: not run: more than 1,000 files are changed"
    ]


HOSTILE = {
    "deletes": "rm -rf --no-preserve-root /etc {outside} .git . stopwatch",
    "kills": "kill -9 -1",
    "leaves": "sh -c 'sleep 613 & disown; exit 1'",
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
        "id: words\nentry: secret\nlanguage: pygrep",
    )
    config = {CONFIG: local(*hooks).replace("repos:\n", f"repos:\n{OURS}")}
    checked = checking.check(config, {"a.py": "x = 1\n", "stopwatch/units.py": "y = 2\n"})
    assert {file.name: file.read_text() for file in outside.iterdir()} == {
        "units.py": "a secret\n",
        "key": "a secret\n",
    }
    assert not any("secret" in check.said for check in checked.checks)
    assert checking.text(checked, "a.py") == "x = 1\n"
    assert checking.text(checked, "stopwatch/units.py") == "y = 2\n"
    assert not list(checking.desk.folder.rglob("owned"))
    expected = "failed before too" if name == "locks" else "passed"
    assert checked.lines[2] == f"words: {expected}"


OURS = """\
- repo: https://example.org/pre-commit-hooks
  rev: v1
  hooks:
  - id: end-of-file-fixer
"""
