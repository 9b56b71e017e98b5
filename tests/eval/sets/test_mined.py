import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from react_agent.eval.instance import Instance
from react_agent.eval.sets.checked import Checked, Finding
from react_agent.eval.sets.history import Change, changes, diff
from react_agent.eval.sets.mined import Passing, Skipped, Wanted, mined
from react_agent.eval.task import Fault
from react_agent.eval.verdict import Kind, Verdict
from react_agent.tools import process
from react_agent.tools.git import Git

FILES = dict[str, str | bytes | None]
TESTS = """\
import unittest
from sums import total
class Sums(unittest.TestCase):
    def test_one(self): self.assertEqual(total([1]), 1)
"""
OF_NOTHING = TESTS + "    def test_nothing(self): self.assertEqual(total([]), 0)\n"
WRONG = "def total(all):\n    return all.pop()\n"
RIGHT = "def total(all):\n    return sum(all)\n"
ROW = Instance("", "/src/sums", "", "", install="make", test_command="make check")
WANTED = Wanted("sums", ROW)
_NAME = re.compile(r"^(\w+ \([\w.]+\)) \.\.\. ok$", re.MULTILINE)


class History:
    def __init__(self, place: Path) -> None:
        place.mkdir()
        self.git = Git(place)
        self.git.run("init", "--quiet", "--initial-branch=main")

    def commit(self, message: str, files: FILES) -> str:
        for name, content in files.items():
            path = self.git.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if content is None:
                path.unlink()
            else:
                path.write_bytes(content.encode() if isinstance(content, str) else content)
        self.git.run("add", "--all")
        self.git.run("commit", "--quiet", "--allow-empty", f"--message={message}")
        return self.git.line("rev-parse", "HEAD")

    def merge(self, message: str, side: str) -> str:
        self.git.run("merge", "--quiet", "--no-ff", f"--message={message}", side)
        return self.git.line("rev-parse", "HEAD")


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "sums")


@pytest.fixture
def run_tests(history: History, tmp_path: Path) -> Callable[[Instance, str], Passing | Fault]:
    """What a worker does, without its sandbox and its environment."""

    def run(instance: Instance, patch: str) -> Passing | Fault:
        place = tmp_path / "tree"
        history.git.run("worktree", "add", "--quiet", "--detach", str(place), instance.base)
        try:
            for one in (patch, instance.test_patch):
                Git(place).run("apply", stdin=one.encode())
            argv = (sys.executable, "-m", "unittest", "-v")
            done = process.run(argv, cwd=place, env={"PATH": os.defpath}, timeout_s=20)
        finally:
            history.git.run("worktree", "remove", "--force", str(place))
        return Passing(frozenset(_NAME.findall(done.output.decode())))

    return run


def _is_good(instance: Instance) -> Checked:
    return Checked(instance, Finding.GOOD)


def test_reads_a_history_with_what_merges_brought(history: History) -> None:
    first = history.commit("One\n\nbody", {"a b.py": "a\n", "ü\n.py": "b\n"})
    history.git.run("checkout", "--quiet", "-b", "side")
    history.commit("Two", {"c.py": "c\n"})
    history.commit("Three", {"d.py": "d\n", "a b.py": None})
    history.git.run("checkout", "--quiet", "main")
    empty = history.commit("Nothing", {})
    merge = history.merge("Merge branch 'side'", "side")

    found = list(changes(history.git, "HEAD"))

    assert [(one.commit, one.base, one.message, one.paths) for one in found] == [
        (merge, empty, "Merge branch 'side'", ("a b.py", "c.py", "d.py")),
        (empty, first, "Nothing", ()),
        (first, "", "One\n\nbody", ("a b.py", "ü\n.py")),
    ]


def test_a_history_begins_where_it_is_wanted_to(history: History) -> None:
    history.git = history.git.having(GIT_COMMITTER_DATE="2020-03-01T12:00:00Z")
    history.commit("One", {"a": "a"})

    found = {day: list(changes(history.git, "HEAD", day)) for day in ("2020-03-01", "2020-03-02")}

    assert {day: len(those) for day, those in found.items()} == {"2020-03-01": 1, "2020-03-02": 0}


def test_a_diff_is_the_same_whatever_a_repository_says(history: History) -> None:
    base = history.commit("One", {"a": "a\n", "b": "b\n"})
    commit = history.commit("Two", {"a": "x\n", "b": "y\n", "c": b"\xff"})
    for name, value in (("noprefix", "true"), ("external", "false"), ("context", "0")):
        history.git.run("config", f"diff.{name}", value)
    change = Change(commit, base, "", "Two", ("a", "b", "c"))

    told = diff(history.git, change, ["a"])

    assert told is not None
    assert told.split("\n")[2:] == ["--- a/a", "+++ b/a", "@@ -1 +1 @@", "-a", "+x", ""]
    assert diff(history.git, change, ["c"]) is None
    assert diff(history.git, change, []) == ""


def test_a_fix_with_its_tests_becomes_an_instance(
    history: History, run_tests: Callable[[Instance, str], Passing | Fault]
) -> None:
    base = history.commit("The sum", {"sums.py": WRONG, "test_sums.py": TESTS})
    fix = history.commit(
        "Fix the sum of nothing (#2)\n\nSigned-off-by: A <a@b>",
        {"sums.py": RIGHT, "test_sums.py": OF_NOTHING, "CHANGES": "fixed\n"},
    )

    (found, first) = mined(history.git, WANTED, run_tests, _is_good)

    assert isinstance(found, Instance)
    patches = (found.patch, found.test_patch)
    assert [re.findall(r"^\+\+\+ b/(.*)$", one, re.MULTILINE) for one in patches] == [
        ["CHANGES", "sums.py"],
        ["test_sums.py"],
    ]
    assert found == Instance(
        f"sums-{fix[:12]}",
        "/src/sums",
        base,
        problem="Fix the sum of nothing",
        patch=found.patch,
        test_patch=found.test_patch,
        fail_to_pass=("test_nothing (test_sums.Sums.test_nothing)",)
        if sys.version_info >= (3, 11)
        else ("test_nothing (test_sums.Sums)",),
        pass_to_pass=("test_one (test_sums.Sums.test_one)",),
        created=found.created,
        install="make",
        test_command="make check",
    )
    assert first == Skipped(base, "The sum", "nothing was before it")


def test_an_issue_that_a_message_links_to_is_what_is_told(
    history: History, run_tests: Callable[[Instance, str], Passing | Fault]
) -> None:
    issue = "---\ntitle: Sum of nothing\nstate: open\n---\nIt raises an IndexError.\n"
    history.commit(
        "The sum", {"sums.py": WRONG, "test_sums.py": TESTS, "issues/2-nothing.md": issue}
    )
    history.commit(
        "Use sum\n\nFixes #2",
        {"sums.py": RIGHT, "test_sums.py": OF_NOTHING, "issues/2-nothing.md": None},
    )

    found = next(mined(history.git, WANTED, run_tests, _is_good))

    assert isinstance(found, Instance)
    assert found.problem == "# Sum of nothing\n\nIt raises an IndexError."


SUM: FILES = {"sums.py": WRONG, "test_sums.py": TESTS}
FIXED: FILES = {"sums.py": RIGHT, "test_sums.py": OF_NOTHING}


@pytest.mark.parametrize(
    ("message", "files", "reason", "was_tried"),
    [
        pytest.param(
            "Fix it all", {"sums.py": RIGHT}, "it touches no tests in Python", False, id="1"
        ),
        pytest.param(
            "Fix it all",
            {"tests/data.json": "1"},
            "it touches no tests in Python",
            False,
            id="data",
        ),
        pytest.param(
            "Fix it all", {"test_sums.py": ""}, "it touches no code but tests", False, id="tests"
        ),
        pytest.param(
            "Fix it all",
            {"test_a.py": "", **{f"{n}.py": "" for n in range(30)}},
            "it touches more than 30 files",
            False,
            id="many",
        ),
        pytest.param(
            "Add a total of all", FIXED, "it is no fix by its message", False, id="a feature"
        ),
        pytest.param("Fix #2", FIXED, "its message says too little", False, id="no words"),
        pytest.param(
            "Fix the sum",
            {"sums.py": b"\xff", "test_sums.py": TESTS + "\n"},
            "its diff is not text in UTF-8",
            False,
            id="bytes",
        ),
        pytest.param(
            "Fix the sum",
            {"sums.py": WRONG + "\n", "test_sums.py": TESTS + "\n"},
            "no test fails before it and passes after it",
            True,
            id="no test of it",
        ),
        pytest.param(
            "Fix the sum",
            {"sums.py": "!", "test_sums.py": OF_NOTHING},
            "no test passes after it",
            True,
            id="broken",
        ),
    ],
)
def test_says_why_a_change_is_left_out(
    message: str,
    files: FILES,
    reason: str,
    was_tried: bool,
    history: History,
    run_tests: Callable[[Instance, str], Passing | Fault],
) -> None:
    history.commit("The sum", SUM)
    commit = history.commit(message, files)

    found = next(mined(history.git, WANTED, run_tests, _is_good))

    assert found == Skipped(commit, message, reason, was_tried)


def test_what_does_not_hold_when_it_is_checked_is_left_out(
    history: History, run_tests: Callable[[Instance, str], Passing | Fault]
) -> None:
    history.commit("The sum", SUM)
    commit = history.commit("Fix the sum", FIXED)

    def is_flaky(instance: Instance) -> Checked:
        return Checked(instance, Finding.FLAKY, "resolved 1 of 2 times")

    found = next(mined(history.git, WANTED, run_tests, is_flaky))

    assert found == Skipped(commit, "Fix the sum", "flaky: resolved 1 of 2 times", True)


def test_tests_that_cannot_be_run_are_a_reason(history: History) -> None:
    history.commit("The sum", SUM)
    commit = history.commit("Fix the sum", FIXED)
    fault = Fault(Verdict.ENV_FAILED, Kind.ENVIRONMENT, "no environment: pip failed")

    found = next(mined(history.git, WANTED, lambda *_: fault, _is_good))

    reason = "its tests can't be run: no environment: pip failed"
    assert found == Skipped(commit, "Fix the sum", reason, True)


def test_all_that_came_with_tests_can_be_wanted(
    history: History, run_tests: Callable[[Instance, str], Passing | Fault]
) -> None:
    history.commit("The sum", SUM)
    history.commit("Add a total of all", FIXED)
    wanted = Wanted("sums", ROW, not_only_fixes=True)

    found = next(mined(history.git, wanted, run_tests, _is_good))

    assert isinstance(found, Instance)
    assert found.problem == "Add a total of all"
