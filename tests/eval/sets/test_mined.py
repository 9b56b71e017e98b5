import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from check_rows import table_of
from made_repository import Files, Repository

from react_agent.eval.sets.checked import NOTHING
from react_agent.eval.sets.mined import Change, Skipped, Try, changes, diff, mined
from react_agent.eval.task import Fault, Instance, Kind, Verdict
from react_agent.tools.git.door import Git

TESTS = """\
import unittest
from sums import total
class Sums(unittest.TestCase):
    def test_one(self): self.assertEqual(total([1]), 1)
"""
OF_NOTHING = TESTS + "    def test_nothing(self): self.assertEqual(total([]), 0)\n"
WRONG = "def total(all):\n    return all.pop()\n"
RIGHT = "def total(all):\n    return sum(all)\n"
ROW = Instance("sums", "/src/sums", "", "", install="make", test_command="make check")


@pytest.fixture
def history(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "sums")
    made.make()
    return made


def _mined(history: Repository, try_: Try) -> Iterator[Instance | Skipped]:
    return mined(Git(history.root), ROW, "HEAD", try_)


def test_reads_a_history_with_what_merges_brought(history: Repository) -> None:
    first = history.save({"a b.py": "a\n", "ü\n.py": "b\n"}, "One\n\nbody")
    history.git("checkout", "--quiet", "-b", "side")
    history.save({"c.py": "c\n"}, "Two")
    history.save({"d.py": "d\n", "a b.py": None}, "Three")
    history.git("checkout", "--quiet", "main")
    empty = history.save({}, "Nothing")
    history.git("merge", "--quiet", "--no-ff", "--message=Merge branch 'side'", "side")
    merge = history.head

    found = list(changes(Git(history.root), "HEAD"))

    assert [(one.commit, one.base, one.message, one.paths) for one in found] == [
        (merge, empty, "Merge branch 'side'", ("a b.py", "c.py", "d.py")),
        (empty, first, "Nothing", ()),
        (first, "", "One\n\nbody", ("a b.py", "ü\n.py")),
    ]


def test_a_diff_is_the_same_whatever_a_repository_says(history: Repository) -> None:
    base = history.save({"a": "a\n", "b": "b\n"}, "One")
    commit = history.save({"a": "x\n", "b": "y\n", "c": b"\xff"}, "Two")
    for name, value in (("noprefix", "true"), ("external", "false"), ("context", "0")):
        history.git("config", f"diff.{name}", value)
    change = Change(commit, base, "", "Two", ("a", "b", "c"))

    told = diff(Git(history.root), change, ["a"])

    assert told is not None
    assert told.split("\n")[2:] == ["--- a/a", "+++ b/a", "@@ -1 +1 @@", "-a", "+x", ""]
    assert diff(Git(history.root), change, ["c"]) is None
    assert diff(Git(history.root), change, []) == ""


SUM: Files = {"sums.py": WRONG, "test_sums.py": TESTS}
FIXED: Files = {"sums.py": RIGHT, "test_sums.py": OF_NOTHING}


def _pass_some_more(instance: Instance, patch: str) -> frozenset[str]:
    return frozenset({"one"} if patch == NOTHING else {"one", "nothing"})


def test_a_fix_with_its_tests_becomes_an_instance(history: Repository) -> None:
    base = history.save(SUM, "The sum")
    message = "Fix the sum of nothing (#2)\n\nSigned-off-by: A <a@b>"
    fix = history.save({**FIXED, "CHANGES": "fixed\n"}, message)

    (found, first) = _mined(history, _pass_some_more)

    assert isinstance(found, Instance)
    patches = (found.patch, found.test_patch)
    assert [re.findall(r"^\+\+\+ b/(.*)$", one, re.MULTILINE) for one in patches] == [
        ["CHANGES", "sums.py"],
        ["test_sums.py"],
    ]
    assert found == replace(
        ROW,
        id=f"sums-{fix[:12]}",
        base=base,
        problem="Fix the sum of nothing",
        patch=found.patch,
        test_patch=found.test_patch,
        fail_to_pass=("nothing",),
        pass_to_pass=("one",),
        created=found.created,
    )
    assert first == Skipped(base, "The sum", "it has no parent commit")


def test_says_why_changes_are_no_candidates(history: Repository) -> None:
    many: Files = {"test_a.py": "", **{f"{n}.py": "" for n in range(30)}}
    table: list[tuple[str, Files, str]] = [
        ("The sum", SUM, "it has no parent commit"),
        ("Fix it", {"sums.py": WRONG + "\n"}, "it changes no tests in Python"),
        ("Fix the tests", {"test_sums.py": "x"}, "it changes no code except tests"),
        ("Fix it all", many, "it touches more than 30 files"),
        ("Add a total", FIXED, "its message does not name a fix"),
        ("Fix #2", SUM, "its message says too little"),
        ("Fix it at last", {**FIXED, "sums.py": b"\xff"}, "its diff is not text in UTF-8"),
    ]
    commits = [history.save(files, message) for message, files, _ in table]

    found = list(_mined(history, _pass_some_more))

    assert found[::-1] == [
        Skipped(commit, message, reason)
        for commit, (message, _, reason) in zip(commits, table, strict=True)
    ]


NO_PIP = Fault(Verdict.ENV_FAILED, Kind.ENVIRONMENT, "no environment: pip failed")


@table_of(
    ("ran", "reason"),
    {
        "no test of it": (frozenset({"one"}), "no test fails before it and passes after it"),
        "broken": (frozenset[str](), "no test passes after it"),
        "not run": (NO_PIP, f"its tests can't be run: {NO_PIP.text}"),
    },
)
def test_says_what_came_of_tests_that_were_run(
    ran: frozenset[str] | Fault, reason: str, history: Repository
) -> None:
    """The same before the fix and after it."""
    history.save(SUM, "The sum")
    commit = history.save(FIXED, "Fix the sum")

    found = next(_mined(history, lambda *_: ran))

    assert found == Skipped(commit, "Fix the sum", reason, True)
