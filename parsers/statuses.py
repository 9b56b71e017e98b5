"""Each test that a log tells of by its name, whoever wrote the log."""

from react_agent.parsers.statuses_pytest import statuses_of_pytest
from react_agent.parsers.statuses_unittest import statuses_of_unittest
from react_agent.parsers.test_status import Statuses


def read_statuses(text: str) -> Statuses:
    """pytest runs unittest's tests too, and what these print may look like unittest's own."""
    return statuses_of_pytest(text) or statuses_of_unittest(text)
