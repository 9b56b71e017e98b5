"""The text of a model -> the changes it means, whichever way it writes them."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from react_agent.parsers.patch.blocks import is_blocks, read_blocks
from react_agent.parsers.patch.changes import Reading, Role
from react_agent.parsers.patch.conflicts import is_conflicts, read_conflicts
from react_agent.parsers.patch.unified_reading import is_unified, read_unified
from react_agent.parsers.patch.v4a import is_v4a, read_v4a
from react_agent.parsers.patch.whole_file import is_whole, read_whole
from react_agent.parsers.patch.wrapping import unwrapped

_NO_PATCH = (
    "there is no patch: write --- a/PATH and +++ b/PATH, below them hunks that begin with @@ "
    "-START,COUNT +START,COUNT @@, their lines with a blank, - or + before them"
)
_FILE = re.compile(r"\*\*\* (?:Update|Add|Delete) File")


class _Kind(NamedTuple):
    name: str
    is_meant: Callable[[Sequence[str]], bool]
    read: Callable[[Sequence[str]], Reading]


_KINDS = (
    _Kind("a *** Begin Patch", is_v4a, read_v4a),
    _Kind("search and replace blocks", is_blocks, read_blocks),
    _Kind("a unified diff", is_unified, read_unified),
)
_WEAK_KINDS = (
    _Kind("conflict marks", is_conflicts, read_conflicts),
    _Kind("whole files", is_whole, read_whole),
)


def read_changes(text: str) -> Reading:
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    lines, repairs = unwrapped(lines)
    reading = _read(lines)
    return reading if reading.problem else reading._replace(repairs=(*repairs, *reading.repairs))


def _read(lines: Sequence[str]) -> Reading:
    for kind in _KINDS:
        if kind.is_meant(lines) and not _is_only_wrapped(kind, lines):
            return _alone(kind, kind.read(lines), lines)
    for kind in _WEAK_KINDS:
        if kind.is_meant(lines):
            return kind.read(lines)
    blank = tuple(Role.PROSE if line.strip() else Role.BLANK for line in lines)
    return Reading((), blank, (), _NO_PATCH)


def _is_only_wrapped(kind: _Kind, lines: Sequence[str]) -> bool:
    """A unified diff between *** Begin Patch and *** End Patch."""
    return kind is _KINDS[0] and is_unified(lines) and not any(map(_FILE.match, lines))


def _alone(kind: _Kind, reading: Reading, lines: Sequence[str]) -> Reading:
    """Two kinds in one text: one of them may be the draft of the other."""
    if reading.problem:
        return reading
    outside = [
        line if role is Role.PROSE else "" for line, role in zip(lines, reading.roles, strict=True)
    ]
    for other in _KINDS:
        if other is not kind and other.is_meant(outside):
            both = f"{kind.name} and {other.name} stand in one text"
            return reading._replace(changes=(), problem=f"{both}: send the final one only")
    return reading
