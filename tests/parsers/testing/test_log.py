"""Logs as the runners wrote them, but for go-plain and go-verbose, made by hand."""

from pathlib import Path

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.testing.commands import Runner
from react_agent.parsers.testing.log import read_log
from react_agent.parsers.testing.pytest_log import read_junit
from react_agent.parsers.testing.report import Failure, Report

LOGS = Path(__file__).parents[2] / "data" / "test_logs"
_, *TOLD = LOGS.with_suffix(".txt").read_text(encoding="utf-8").strip().split("\n\n")
EXPECTED = {name.split()[0]: lines for name, *lines in (block.split("\n") for block in TOLD)}


def report_of(log: str, runner: Runner = Runner.OTHER) -> Report:
    report = read_log(log, runner)
    assert report is not None
    return report


@table_of("name", sorted(path.stem for path in LOGS.iterdir()))
def test_reads_a_log(name: str) -> None:
    """Counts, then a line per failure: its kind, its id, its place, and its lines of the log."""
    report = report_of((LOGS / f"{name}.txt").read_bytes().decode())
    counts = f"{report.passed} {report.failed} {report.errors} {report.skipped}"
    end = "" if report.is_whole else "broken off"
    told = [
        " ".join(filter(None, (counts, *report.notes, end))),
        *(
            f"{'E' if one.is_error else 'F'} {one.id} @ {one.place} {one.first}-{one.last}"
            for one in report.failures
        ),
    ]
    assert told == EXPECTED[name]


@table_of("name", sorted(path.stem for path in LOGS.iterdir()))
def test_a_log_is_known_without_its_runner(name: str) -> None:
    text = (LOGS / f"{name}.txt").read_bytes().decode()
    alone = [read_log(text, runner) for runner in Runner if name.startswith(runner.value)]
    assert [read_log(text, Runner.MAKE)] == (alone or [read_log(text, Runner.OTHER)])


@table_of("runner", Runner)
def test_a_log_of_nobody_is_nobodys(runner: Runner) -> None:
    assert read_log("gcc -c x.c\nall good\n", runner) is None


@given(st.sampled_from(sorted(LOGS.iterdir())), st.integers(0, 4000), st.sampled_from(Runner))
def test_a_log_that_was_cut_can_be_read(path: Path, end: int, runner: Runner) -> None:
    read_log(path.read_bytes().decode()[:end], runner)


@table_of(
    ("name", "at", "lines"),
    {
        "pytest": (
            "pytest-short",
            2,
            (
                "tests/test_x.py:11: helper(v)",
                'tests/test_x.py:3: raise ValueError("bad\\nthing")',
                "ValueError: bad",
                "thing",
            ),
        ),
        "cargo": (
            "cargo",
            1,
            (
                "thread 'tests::bad' (12) panicked at src/lib.rs:6:24:",
                "assertion `left == right` failed: sum of 1",
                "  left: 2",
                " right: 3",
            ),
        ),
        "where a test hangs": ("pytest-hangs", 0, ("tests/test_wait.py:9", "src/thing/wait.py:4")),
    },
)
def test_the_lines_of_a_failure_are_those_of_the_repository(
    name: str, at: int, lines: tuple[str, ...]
) -> None:
    text = (LOGS / f"{name}.txt").read_bytes().decode()
    assert report_of(text).failures[at].lines == lines


JUNIT = """<?xml version="1.0"?><testsuites><testsuite>
<testcase classname="tests.test_x.TestA" file="tests/test_x.py" name="test_p[a - b]">
<failure message="m">1 != 2</failure></testcase>
<testcase classname="tests.test_b.TestB" file="tests/test_x.py" name="test_i"><failure/></testcase>
<testcase classname="tests.test_x" file="tests/test_x.py" name="test_setup"><error/></testcase>
<testcase classname="" file="tests/test_y.py" name="tests.test_y"><error>tests/test_y.py:1: in x
    import y
E   ImportError: x</error></testcase>
<testcase classname="tests.test_x" file="tests/test_x.py" name="test_ok"><system-out/></testcase>
<testcase classname="x" name="test_s"><skipped type="pytest.skip"/></testcase>
<testcase classname="x" name="test_f"><skipped type="pytest.xfail"/></testcase>
</testsuite></testsuites>"""
BAD = "tests/test_y.py:1: import y"


def test_results_of_pytest_count_and_name() -> None:
    results = read_junit(JUNIT.encode())
    assert results == Report(
        passed=1,
        failed=2,
        errors=2,
        skipped=1,
        failures=(
            Failure("tests/test_x.py::test_setup", is_error=True),
            Failure("tests/test_y.py", "tests/test_y.py:1", (BAD, "ImportError: x"), is_error=True),
            Failure("tests/test_x.py::TestA::test_p[a - b]", "", ("1 != 2",)),
            Failure("tests/test_b.py::TestB::test_i"),
        ),
        notes=("1 xfailed",),
    )
    said = Failure("tests/test_y.py", "b.py:1", ("other",), True, 3, 4)
    beside = results.beside(Report(7, failures=(said,), notes=("2 deselected", "1 xpassed")))
    assert (beside.passed, beside.notes) == (1, ("2 deselected", "1 xfailed"))
    assert [(one.place, one.first, one.last) for one in beside.failures] == [
        ("", 0, 0),
        ("tests/test_y.py:1", 3, 4),
        ("", 0, 0),
        ("", 0, 0),
    ]
    assert results.beside(None) == results


@table_of(
    "text",
    [
        pytest.param(JUNIT[:-3], id="cut"),
        pytest.param(f"<!DOCTYPE x><x>{JUNIT[21:]}</x>", id="a document type"),
        pytest.param("<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><x>&a;</x>", id="file"),
        pytest.param("<?xml version='1.0' encoding='none'?><x/>", id="an unknown encoding"),
    ],
)
def test_what_no_pytest_wrote_is_no_result(text: str) -> None:
    assert read_junit(text.encode()) is None


@given(st.binary() | st.text().map(str.encode))
def test_any_bytes_are_results_or_none(data: bytes) -> None:
    assert read_junit(data) in (None, Report())
