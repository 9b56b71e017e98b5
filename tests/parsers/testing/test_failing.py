"""Whether two runs of tests failed in the same way."""

from dataclasses import replace

from react_agent.parsers.testing.report import Failure, Report, failing

LINES = (
    "t.py:9: assert f(1) == 2",
    "AssertionError: assert 1 == 2",
    "  at 0x7f00aa00",
    "took 0.1s",
)
ONE = Failure("t.py::test_a", "t.py:9", LINES)
REPORT = Report(passed=3, failed=1, failures=(ONE,))


def way(report: Report) -> str:
    found = failing(report)
    assert found
    return found.way


def test_the_same_way_at_another_line_time_and_address() -> None:
    lines = ("t.py:12: assert f(1) == 2", LINES[1], "  at 0x7fbbbbbb", "took 9.9s")
    again = replace(REPORT, failures=(replace(ONE, place="t.py:1", lines=lines),))
    assert way(REPORT) == way(again)


def test_another_way() -> None:
    other = replace(ONE, lines=("assert 3 == 2",))
    assert way(REPORT) != way(replace(REPORT, passed=4))
    assert way(REPORT) != way(replace(REPORT, failures=(other,)))


def test_what_a_step_is_told() -> None:
    failures = tuple(replace(ONE, id=f"t.py::test_{n},x") for n in range(7))
    found = failing(replace(REPORT, failures=failures))
    assert found
    assert found.facts["failing"].count("%2C") == 5
    assert len(found.facts["way"]) == 8


def test_where_nothing_is_known_to_fail() -> None:
    assert failing(None) is None
    assert failing(Report(passed=3)) is None
    assert failing(Report(failed=1)) is None
