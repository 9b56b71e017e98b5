"""Each test that a log tells of by its name, whoever wrote the log."""

from collections.abc import Iterable

from react_agent.parsers.testing.pytest_statuses import statuses_of_pytest
from react_agent.parsers.testing.status import Statuses
from react_agent.parsers.testing.unittest_statuses import statuses_of_unittest


def read_statuses(text: str, names: Iterable[str] = ()) -> Statuses:
    """By the runner that gives tests such names: what these print may look like another's log.

    Without names it is pytest, which runs unittest's tests too.
    """
    asked = tuple(names)
    if any("::" in name for name in asked):
        return statuses_of_pytest(text)
    readers = (statuses_of_pytest, statuses_of_unittest)
    for reader in reversed(readers) if asked else readers:
        if found := reader(text):
            return found
    return {}
