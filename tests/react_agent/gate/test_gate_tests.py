"""What the gate says of tests: where it speaks, and beside it where it does not."""

from dataclasses import replace
from pathlib import Path

import pytest
from changed import (
    FAILURE,
    FIXED,
    LIB,
    MORE,
    PASSED,
    REPO,
    TEST,
    Files,
    did,
    edit,
    known_of,
    ran,
    said,
    suite,
)
from check_rows import table_of

from react_agent.parsers.transcript.entries import Event, Said, Seen

SKIPPED = TEST.replace("def test_add", "@pytest.mark.skip\ndef test_add")
AT_ONCE = TEST.replace("():\n", "():\n    pytest.skip('x')\n")
NOT_ALWAYS = TEST.replace("():\n", "():\n    if x:\n        pytest.skip('x')\n")
ON_A_CONDITION = SKIPPED.replace("skip", "skipif(WINDOWS)")


ONLY_TESTS = ["only tests changed (tests/test_lib.py)"]
A_TEST = "tests/test_lib.py"


@table_of(
    ("check", "before", "after", "expected"),
    {
        "a test": ("only_tests", {}, {A_TEST: MORE}, ONLY_TESTS),
        "and code": ("only_tests", {}, {A_TEST: MORE, "lib.py": FIXED}, []),
        "nothing": ("only_tests", {}, {}, []),
        "and scratch": ("only_tests", {}, {A_TEST: MORE, "tmp.py": "x = 1\n"}, ONLY_TESTS),
        "no test": ("no_test", {}, {"lib.py": FIXED}, ["lib.py changed, but no test"]),
        "one more": ("no_test", {}, {"lib.py": FIXED, A_TEST: MORE}, []),
        "data of tests": ("no_test", {}, {"lib.py": FIXED, "tests/cases.json": "{}\n"}, []),
        "only taken away": ("no_test", {}, {"lib.py": LIB.split("\n")[0] + "\n"}, []),
        "a test is gone": (
            "tests_gone",
            {A_TEST: MORE},
            {A_TEST: TEST},
            [f"{A_TEST} has lost test_more"],
        ),
        "a file is gone": (
            "tests_gone",
            {},
            {A_TEST: None},
            [f"{A_TEST}, which was deleted, has lost test_add"],
        ),
        "skipped": (
            "tests_gone",
            {},
            {A_TEST: SKIPPED},
            [f"{A_TEST}:4 skips a test (@pytest.mark.skip)"],
        ),
        "skipped at once": (
            "tests_gone",
            {},
            {A_TEST: AT_ONCE},
            [f"{A_TEST}:5 skips a test (pytest.skip('x'))"],
        ),
        "skipped, perhaps": ("tests_gone", {}, {A_TEST: NOT_ALWAYS}, []),
        "on a condition": ("tests_gone", {}, {A_TEST: ON_A_CONDITION}, []),
        "another name": ("tests_gone", {}, {A_TEST: TEST.replace("test_add", "test_adds")}, []),
        "moved file": ("tests_gone", {}, {A_TEST: None, "tests/test_b.py": TEST}, []),
        "moved test": (
            "tests_gone",
            {A_TEST: MORE},
            {A_TEST: TEST, "tests/test_b.py": MORE.replace("test_add", "test_b")},
            [],
        ),
        "was skipped before": (
            "tests_gone",
            {A_TEST: f"# x\n{SKIPPED}"},
            {A_TEST: f"{SKIPPED}# y\n"},
            [],
        ),
    },
)
def test_of_the_files_that_changed(
    tmp_path: Path, check: str, before: Files, after: Files, expected: list[str]
) -> None:
    assert said(check, known_of(tmp_path, after, before={**REPO, **before})) == expected


FAILED = "the last test run failed, in step 2, "


@table_of(
    ("steps", "expected"),
    {
        "the tool": ([edit(), suite("failed", "1 failed")], [f"{FAILED}1 failed"]),
        "a command": (
            [edit(), ran("pytest -q", FAILURE, "failed")],
            [f"{FAILED}pytest -q (tests/test_lib.py::test_add)"],
        ),
        "in a pipe: by what it printed": (
            [edit(), ran("pytest -q | tail -3", FAILURE)],
            [f"{FAILED}pytest -q | tail -3 (tests/test_lib.py::test_add)"],
        ),
        "passed": ([edit(), ran("pytest -q", PASSED)], []),
        "failed, and passed later": ([edit(), suite("failed", "1 failed"), suite()], []),
        "before the change: it was not run since": ([suite("failed", "1 failed"), edit()], []),
        "could not run": ([edit(), ran("pytest", "No module named pytest", "failed")], []),
        "no command": ([edit(), ran("", "there is no command", "failed")], []),
        "ran none": ([edit(), suite("empty", "no tests ran")], []),
    },
)
def test_failing(tmp_path: Path, steps: list[tuple[Said, Seen]], expected: list[str]) -> None:
    assert said("failing", known_of(tmp_path, {"lib.py": FIXED}, *steps)) == expected


def make(target: str) -> tuple[Said, Seen]:
    said, seen = did("run", target, PASSED, how="alias")
    return replace(said, turn=said.turn._replace(action="make")), seen


AFTER_TESTS = "lib.py changed after the last test run, in step 2"
NEVER = "lib.py changed, and no test was run"


@table_of(
    ("steps", "expected"),
    {
        "never": ([edit()], [NEVER]),
        "another command": ([edit(), ran("ls tests", "x")], [NEVER]),
        "no": ([edit(), ran("pytest", "pytest: command not found", "failed")], [NEVER]),
        "ran none": ([edit(), suite("empty", "no tests ran")], [NEVER]),
        "changed since": ([edit(), suite(), edit(tree="t2")], [AFTER_TESTS]),
        "by a command": (
            [edit(), suite(), ran("sed -i s/a/b/ lib.py", "", tree="t2")],
            [AFTER_TESTS],
        ),
        "something else": ([edit(), suite(), ran("touch x", "", tree="t3")], []),
        "a page since": ([edit(), suite(), edit("README.md", "t2")], []),
        "run": ([edit(), suite()], []),
        "in a pipe": ([edit(), ran("cd . && pytest -q | tail", PASSED)], []),
        "in an argument": ([edit(), ran('{"command": "pytest -q"}', PASSED)], []),
        "make test, by a hidden name": ([edit(), make("test")], []),
        "the configured one": ([edit(), ran("./check.sh", "")], []),
    },
)
def test_not_run(tmp_path: Path, steps: list[tuple[Said, Seen]], expected: list[str]) -> None:
    between = {("t1", "t2"): ["lib.py"], ("t1", "t3"): ["x"]}
    known = known_of(
        tmp_path,
        {"lib.py": FIXED},
        *steps,
        differing=lambda before, after: between[before, after],
        test_command="./check.sh",
    )
    assert said("not_run", known) == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param(REPO, {"lib.py": FIXED}, 1, id="code"),
        pytest.param(REPO, {"README.md": "x\n"}, 0, id="a page"),
        pytest.param(REPO, {"setup.cfg": "[x]\n"}, 0, id="a setting"),
        pytest.param({"lib.py": LIB}, {"lib.py": FIXED}, 0, id="a repository without tests"),
    ],
)
@pytest.mark.parametrize("check", ["not_run", "no_test"])
def test_tests_are_for_code(
    tmp_path: Path, check: str, before: Files, after: Files, expected: int
) -> None:
    assert len(said(check, known_of(tmp_path, after, before=before))) == expected


def test_steps_that_were_taken_back_do_not_count(tmp_path: Path) -> None:
    known = known_of(tmp_path, {"lib.py": FIXED}, edit(), suite())
    assert said("not_run", known) == []
    known.state.take(Event("retracted", "steps=2 by=claim | no"))
    assert said("not_run", known) == [NEVER]
