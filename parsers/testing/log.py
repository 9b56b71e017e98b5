"""Read a test log with the first reader that recognises its format."""

from collections.abc import Callable, Iterable

from react_agent.parsers.testing.block_log import read_blocks
from react_agent.parsers.testing.commands import Runner
from react_agent.parsers.testing.go_log import read_go
from react_agent.parsers.testing.pytest_log import read_pytest, statuses_of_pytest
from react_agent.parsers.testing.report import Report, Statuses
from react_agent.parsers.testing.unittest_log import read_unittest, statuses_of_unittest

_Read = Callable[[str], Report | None]
_READERS: dict[Runner, tuple[_Read, ...]] = {
    Runner.PYTEST: (read_pytest,),
    Runner.UNITTEST: (read_unittest, read_pytest),
    Runner.GO: (read_go,),
}
# The strictest first: pytest's output of a run that was cut has few marks.
_ANY = (read_blocks, read_go, read_unittest, read_pytest)


def read_log(text: str, runner: Runner = Runner.OTHER) -> Report | None:
    """Return the report, or None if no reader recognises the log."""
    reports = (read(text) for read in _READERS.get(runner, _ANY))
    return next((report for report in reports if report is not None), None)


def read_statuses(text: str, names: Iterable[str] = ()) -> Statuses:
    """Return the status of each test. The form of the test names determines the runner.

    Tests may print text that looks like another log. If there are no names, the runner is assumed
    to be pytest, which runs unittest tests, too.
    """
    asked = tuple(names)
    if any("::" in name for name in asked):
        return statuses_of_pytest(text)
    readers = (statuses_of_unittest, statuses_of_pytest)
    found = (read(text) for read in (readers if asked else readers[::-1]))
    return next(filter(None, found), {})
