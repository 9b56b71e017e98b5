"""Another engineer's: a stand-in."""

from collections.abc import Sequence

from react_agent.parsers.patch.changes import Reading


def is_v4a(lines: Sequence[str]) -> bool:
    return False


def read_v4a(lines: Sequence[str]) -> Reading:
    raise NotImplementedError
