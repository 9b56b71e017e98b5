from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from made_repository import Repository

from react_agent.eval.sets.issue_set import read_set, write_set
from react_agent.tools.git.door import Git

TESTS = """\
import os, unittest
from sums import total
class Sums(unittest.TestCase):
    def test_one(self):
        self.assertEqual(total([1]), 1)
"""
OF_NOTHING = f"{TESTS}    def test_nothing(self):\n        self.assertEqual(total([]), 0)\n"
WRONG = "def total(all):\n    return all.pop()\n"
RIGHT = "def total(all):\n    return sum(all)\n"

Called = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = Repository(tmp_path_factory.mktemp("history") / "sums")
    made.make()
    for message, code, tests in (
        ("The sum", WRONG, TESTS),
        ("Fix the sum of nothing", RIGHT, OF_NOTHING),
        ("Fix a word in a comment", f"# A sum\n{RIGHT}", f"# Tests\n{OF_NOTHING}"),
        ("Fix no tests at all", f"# The sum\n{RIGHT}", f"# Tests\n{OF_NOTHING}"),
    ):
        made.save({"sums.py": code, "test_sums.py": tests}, message)
    return made.root


@pytest.fixture
def sums(history: Path, tmp_path: Path) -> Path:
    """Nothing is written to it."""
    (tmp_path / "sums").symlink_to(history)
    return history


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_set_made_of_a_history_holds_when_it_is_checked(
    called: Called, sums: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, told, err = called("make-set", str(sums), "--out", "sums.jsonl")

    (one,) = read_set(str(tmp_path / "sums.jsonl"))
    assert (code, err, one.base) == (0, "", Git(sums).line("rev-parse", "HEAD~3"))
    fix, comment = (Git(sums).line("rev-parse", rev)[:12] for rev in ("HEAD~2", "HEAD~1"))
    assert told.split("\n") == [
        f"   -  {comment}  Fix a word in a comment: no test fails before it and passes after it",
        f"   1  sums-{fix}  Fix the sum of nothing (1 fixed, 1 kept)",
        "1 instance in sums.jsonl; left out after a try: 1",
        "not tried:      1  it changes no tests in Python",
        "not tried:      1  it has no parent commit",
        "",
    ]
    assert (one.repo, one.problem) == (str(sums), "Fix the sum of nothing")
    assert [("test_nothing" in name) for name in one.fail_to_pass] == [True]
    assert [("test_one" in name) for name in one.pass_to_pass] == [True]
    others = (
        replace(one, id="empty", patch=one.patch.replace("sum(all)", "all.pop()  # it")),
        replace(one, id="gone", repo=str(tmp_path / "gone")),
        replace(one, id="lenient", fail_to_pass=one.pass_to_pass, pass_to_pass=()),
        replace(one, id="open", patch=""),
    )
    write_set(tmp_path / "more.jsonl", (one, *others))

    code, told, err = called("check", "more.jsonl", "--good", "good.jsonl", "--workers", "2")

    lines = told.split("\n")
    assert (code, err) == (1, "")
    assert lines[0] == f"good  {one.id}"
    assert lines[1].startswith("BAD   empty              its fix does not resolve it: 1 not fixed")
    assert lines[2].startswith("BAD   gone               can't be run: there is no folder")
    assert lines[3:] == [
        "BAD   lenient            resolved without a fix",
        "?     open               has no fix to check it by",
        "1 of 5 can be judged, 1 not checked",
        "",
    ]
    assert read_set(str(tmp_path / "good.jsonl")) == (one,)

    # a test that passes only while there is no folder, which its first run makes
    line = f"+        self.assertEqual(os.system('mkdir {tmp_path}/seen'), 0)\n"
    assert one.test_patch.count("@@ -3,3 +3,5 @@") == 1
    flaky = one.test_patch.replace("@@ -3,3 +3,5 @@", "@@ -3,3 +3,6 @@") + line
    write_set(tmp_path / "flaky.jsonl", (replace(one, test_patch=flaky),))

    code, told, _ = called("check", "flaky.jsonl", "--times", "2")

    assert code == 1
    assert told.startswith(f"BAD   {one.id}  flaky: resolved 1 of 2 times: ")


def test_nothing_found_is_no_set(
    called: Called, sums: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Git(sums).run("worktree", "add", "--quiet", "--detach", str(tmp_path / "first"), "HEAD~3")
    make = ("make-set", "first", "--out", "sums.jsonl")
    found = "0 instances; left out after a try: 0\nnot tried:      1  it has no parent commit\n"
    assert called(*make) == (1, found, "")
    no_name = "react-agent: no id can begin with '-x': choose another --name\n"
    assert called(*make, "--name", "-x") == (2, "", no_name)
    assert not (tmp_path / "sums.jsonl").exists()
