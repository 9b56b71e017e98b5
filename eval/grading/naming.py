"""The tests that a set names, found among those that a log tells of.

The official harness cuts ids at their first blank, and its sets name tests by what it left of them.
"""

from collections.abc import Iterator

from react_agent.parsers.testing.report import Status, Statuses, worse
from react_agent.parsers.text.late_pattern import LatePattern

OF_UNITTEST = LatePattern(r"(?P<name>\w+) \((?P<of>[\w.]+)\)")
_PARAMETERS = LatePattern(r"(?P<test>.*?)\[(?P<value>/[^/*][^*]*)\]")


class Names:
    """A log's tests; a name is looked for as it is first, and then as it may have been written."""

    def __init__(self, statuses: Statuses) -> None:
        self._exact = statuses
        self._other = dict[str, Status]()
        for name, status in statuses.items():
            for other in _spellings(name):
                self._other[other] = worse(status, self._other.get(other))

    def status(self, name: str) -> Status | None:
        """None: the log does not tell of it."""
        exact, other = self._exact.get(name), self._other.get(_without_method(name))
        if exact and (not other or "::" in name):
            return exact
        if other:  # two spellings of one test in a log: one of them is forged
            return worse(other, exact)
        return self._status_of_cut(name) if name.count("[") > name.count("]") else None

    def _status_of_cut(self, name: str) -> Status | None:
        """Where all that begin so came to the same."""
        found = [status for one, status in self._exact.items() if one.startswith(name)]
        return found[0] if len({status.is_pass for status in found}) == 1 else None


def _spellings(name: str) -> Iterator[str]:
    if "::" in name:
        yield name.split(maxsplit=1)[0]
        if found := _PARAMETERS.fullmatch(name):
            yield f"{found['test']}[/{found['value'].rpartition('/')[2]}]"
    else:
        yield _without_method(name)


def _without_method(name: str) -> str:
    """Since Python 3.11, unittest names the method behind its class too."""
    found = OF_UNITTEST.fullmatch(name)
    return f"{found['name']} ({found['of'].removesuffix('.' + found['name'])})" if found else name
