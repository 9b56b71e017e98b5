"""Real pytest and unittest on a small repository; what else a run can come to, by shell lines."""

import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest
from by_hand import plain_git, program
from check_rows import EachRow, table_of
from scenario_table import Row, parse_table

from react_agent.tools.context import Context, Limits
from react_agent.tools.errors import WorkspaceError
from react_agent.tools.observation import Observation, Status
from react_agent.tools.testing.run_tests import RUN_TESTS

BIN = Path(sys.executable).parent
PYTEST_FILE = """\
import pytest

def halve(number):
    return number // 3

def test_fine():
    assert halve(0) == 0

class TestA:
    @pytest.mark.parametrize("of", [4, 6])
    def test_half(self, of):
        assert halve(4) == 2
"""
UNITTEST_FILE = """\
import unittest

class TestB(unittest.TestCase):
    def test_fine(self):
        pass

    def test_same(self):
        self.assertEqual(1, 2)
"""
FILES = {
    "pytest.ini": "[pytest]\n",
    "tests/test_a.py": PYTEST_FILE,
    "tests/test_b.py": UNITTEST_FILE,
}


@pytest.fixture
def context(tmp_path: Path, planted: Callable[..., Path]) -> Context:
    root, home = planted({name: text.encode() for name, text in FILES.items()}), tmp_path / "home"
    home.mkdir()
    environment = {
        "PATH": f"{BIN}:/usr/bin:/bin",
        "HOME": str(home),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    return Context(root, Limits(command_seconds=30), environment)


def configured(context: Context, line: str, seconds: float = 30) -> Context:
    limits = Limits(command_seconds=seconds)
    return Context(context.root, limits, context.environment, commands={"test": line})


def timeless(seen: Observation) -> tuple[str, Status]:
    return re.sub(r"in \d+\.\d s", "in N s", seen.text), seen.status


FAILURES = """\
3 failed, 2 passed in N s (pytest)
FAILED tests/test_a.py::TestA::test_half[4]  (tests/test_a.py:12)
    tests/test_a.py:12: assert halve(4) == 2
    assert 1 == 2
     +  where 1 = halve(4)
    [the same in 1 more: tests/test_a.py::TestA::test_half[6]]
FAILED tests/test_b.py::TestB::test_same  (tests/test_b.py:8)
    tests/test_b.py:8: self.assertEqual(1, 2)
    AssertionError: 1 != 2"""


def test_failures_come_first_and_alike_ones_once(context: Context) -> None:
    log = "\n[the log has 21 lines; the input log 1-21 shows them]"
    assert timeless(RUN_TESTS.call("", context)) == (FAILURES + log, Status.FAILED)
    assert plain_git(context.root, "ls-files", "--others") == ""  # nothing is left


TABLE = Path(__file__).parents[2] / "scenarios" / "test_runs.txt"


def test_what_a_run_comes_to(each_row: EachRow, context: Context) -> None:
    def check(row: Row) -> None:
        command = row.words("command").replace("BIN", str(BIN))
        given = configured(context, command) if command else context
        text, status = timeless(RUN_TESTS.call(row.text("input"), given))
        expected = row.text("answer"), row.words("status") or "ok"
        assert (text.replace(str(BIN), "BIN"), status) == expected

    text = TABLE.read_text(encoding="utf-8")
    rows = parse_table(TABLE.name, text, words="command|status", texts="input|answer")
    each_row([(row.name, row) for row in rows], check)


def test_of_a_runner_that_can_not_begin_it_is_said(context: Context) -> None:
    (context.root / "tests" / "conftest.py").write_text("import nothing_of_it\n")
    seen = RUN_TESTS.call("tests/test_a.py", context)
    assert re.sub(r"in [\d.]+ s", "in N s", seen.text).split("\n")[:2] == [
        "no tests ran, exit code 4 in N s (pytest tests/test_a.py)",
        "ERROR pytest could not run  (tests/conftest.py:1)",
    ]


@pytest.mark.slow
def test_of_a_run_that_takes_too_long_what_it_said_is_told(context: Context) -> None:
    (context.root / "tests/test_a.py").write_text(
        "import time\ndef test_a(): pass\ndef test_b():\n    time.sleep(30)\n"
    )
    limited = Context(context.root, Limits(command_seconds=8), context.environment)
    seen = RUN_TESTS.call("tests/test_a.py", limited)
    assert replace(seen, text=seen.text.partition("\n[the log has")[0]) == Observation(
        "ended by the time limit of 8 s, so far 1 passed (pytest tests/test_a.py)\n"
        "ERROR a test that does not end  (tests/test_a.py:4)\n"
        "    tests/test_a.py:4",
        Status.FAILED,
        facts={
            "tests": "ended by the time limit of 8 s, so far 1 passed (pytest tests/test_a.py)",
            "failing": "a test that does not end",
            "way": seen.facts["way"],
        },
    )


@table_of(
    "addopts", {"no summary": "--no-summary --show-capture=no", "no text at all": "-p no:terminal"}
)
def test_results_are_read_where_the_log_says_little(context: Context, addopts: str) -> None:
    (context.root / "pytest.ini").write_text(f"[pytest]\naddopts = {addopts}\n")
    assert timeless(RUN_TESTS.call("", context))[0].partition("\n[the log")[0] == FAILURES


def stub(context: Context, script: str) -> Context:
    """Where `pytest` is a program that does this."""
    folder = context.root.with_name("stubs")
    program(folder / "pytest", f"#!/bin/sh\n{script}\n")
    path = f"{folder}:{context.environment['PATH']}"
    return configured(replace(context, environment={**context.environment, "PATH": path}), "pytest")


HONEST = "<testsuite><testcase name='x'/></testsuite>"  # of a test that passes


@table_of(
    "left",
    {
        "contradicts the exit code": HONEST,
        "damaged": "<testsuite><testcase name='x'><failure/></testcase>",
    },
)
def test_a_forged_file_of_results_is_not_believed(context: Context, left: str) -> None:
    script = f'echo "{left}" > ~/last-tests.xml; echo "3 failed, 2 passed in 0.1s"; exit '
    seen = timeless(RUN_TESTS.call("", stub(context, f"{script}1")))[0]
    assert seen.startswith("3 failed, 2 passed in N s (pytest)\n")
    if left == HONEST:
        believed = timeless(RUN_TESTS.call("", stub(context, f"{script}0")))[0]
        assert believed == "1 passed in N s (pytest)"


def test_what_lies_in_the_place_of_the_results_is_not_read(
    context: Context, tmp_path: Path
) -> None:
    place, other = Path(context.environment["HOME"], "last-tests.xml"), tmp_path / "other"
    other.write_text("theirs")
    silent = stub(context, "exit 1")

    def nothing_is_read() -> None:
        seen = RUN_TESTS.call("", silent).text
        assert seen.startswith("exit code 1; how many tests ran can't be")

    RUN_TESTS.call("tests/test_a.py::test_fine", context)
    nothing_is_read()
    place.unlink(missing_ok=True)
    place.mkdir()
    nothing_is_read()
    place.rmdir()
    place.symlink_to(other)
    nothing_is_read()
    seen = timeless(RUN_TESTS.call("", context))[0].split("\n")[0]
    assert (seen, other.read_text()) == ("3 failed, 2 passed in N s (pytest)", "theirs")


def test_a_log_that_is_cut_by_the_limit_is_read(context: Context) -> None:
    cut = configured(context, "echo .F.; sleep 20", seconds=0.5)
    assert RUN_TESTS.call("", cut).text == (
        "ended by the time limit of 0.5 s, so far 1 failed, 2 passed (echo .F.; sleep 20)\n"
        "the log:\n"
        "    .F.\n"
        "[select fewer: paths, test ids or -k expression]"
    )


def test_the_log_can_be_read_by_range(context: Context) -> None:
    RUN_TESTS.call("", configured(context, "seq 1 300; exit 1"))
    assert RUN_TESTS.call("log 299-400", context) == Observation(
        "lines 299-300 of 300 of the last log of tests\n 299| 299\n 300| 300"
    )
    shown = RUN_TESTS.call("log", context).text.split("\n")
    assert (shown[0], shown[-2:]) == (
        "lines 1-100 of 300 of the last log of tests",
        [" 100| 100", "[200 lines below: log 101]"],
    )


def test_many_failures_fit(context: Context) -> None:
    """A log as pytest writes it, of tests that fail each in its own way."""
    blocks = "".join(
        f"__ test_{n} __\nt.py:{n}: in test_{n}\n    f()\nE   {n}\n" for n in range(200)
    )
    log = context.root / "log"
    log.write_text(f"== FAILURES ==\n{blocks}200 failed, 1 passed in 1.00s\n")
    limits = Limits(output_chars=2_000)
    given = Context(context.root, limits, context.environment, commands={"test": "cat log; exit 1"})
    lines = RUN_TESTS.call("", given).text.split("\n")
    assert (lines[0].partition(" in ")[0], lines[1], lines[-2:], len("\n".join(lines)) < 2_000) == (
        "200 failed, 1 passed",
        "FAILED t.py::test_0  (t.py:0)",
        [
            "[175 more failures: t.py::test_25, t.py::test_26, t.py::test_27, t.py::test_28, "
            "t.py::test_29, t.py::test_30, t.py::test_31, t.py::test_32 and 167 more]",
            "[the log has 802 lines; the input log 1-100 shows them]",
        ],
        True,
    )


def test_what_was_run_counts_though_the_base_can_not_be_checked_out(context: Context) -> None:
    def fails(tree: str) -> NoReturn:
        raise WorkspaceError("git failed")

    test = "tests/test_a.py::test_fine"
    assert timeless(RUN_TESTS.call(test, replace(context, baseline=fails))) == (
        f"1 passed in N s (pytest {test})\n"
        "[the new tests could not be run without the change: git failed]",
        Status.OK,
    )
