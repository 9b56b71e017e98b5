"""The text of a model -> the changes it means, whichever way it writes them.

The readers of the rarer ways are imported when a text has what they begin with.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from react_agent.parsers.patch.changes import Reading, Role
from react_agent.parsers.patch.unified_reading import is_unified, read_unified
from react_agent.parsers.patch.wrapping import unwrapped

_NO_PATCH = (
    "there is no patch: write --- a/PATH and +++ b/PATH, below them hunks that begin with @@ "
    "-START,COUNT +START,COUNT @@, their lines with a blank, - or + before them"
)
_TAGS = ("<search>", "<find>", "<old", "<original>")
_HEADINGS = ("search", "find", "old", "original")
_BOM = "\ufeff"

_Lines = Sequence[str]


class _Kind(NamedTuple):
    name: str
    is_meant: Callable[[_Lines], bool]
    read: Callable[[_Lines], Reading]


def read_changes(text: str) -> Reading:
    text = text.removeprefix(_BOM)
    if "\\n" in text or "\r" in text:
        from react_agent.parsers.patch.one_line import spread

        whole = spread(text)
        if whole.repair or whole.problem:
            roles = (Role.BODY if line.strip() else Role.BLANK for line in text.split("\n"))
            return _read_lines(whole.text, whole.repair, whole.problem)._replace(roles=tuple(roles))
    return _read_lines(text)


def _read_lines(text: str, repair: str = "", problem: str = "") -> Reading:
    """With what was mended before; or why it could not be."""
    if problem:
        return Reading((), (), (), problem)
    lines, unwrapping = unwrapped(_without_returns(text.split("\n")))
    reading = _read(text, lines)
    said = (repair, *unwrapping) if repair else unwrapping
    return reading if reading.problem else reading._replace(repairs=(*said, *reading.repairs))


def _without_returns(lines: list[str]) -> list[str]:
    """Where only some lines end in CR, those of hunks may be the file's."""
    if all(line.endswith("\r") for line in lines[:-1] if line):
        return [line.removesuffix("\r") for line in lines]
    return [line if _is_of_hunk(line) else line.removesuffix("\r") for line in lines]


def _is_of_hunk(line: str) -> bool:
    return line[:1] in (" ", "+", "-") and not line.startswith(("--- ", "+++ "))


def _read(text: str, lines: _Lines) -> Reading:
    kinds, refused = _kinds(text, lines), list[Reading]()
    for kind in kinds:
        if kind.is_meant(lines):
            reading = _alone(kind, kind.read(lines), lines, kinds)
            if not reading.problem:
                return reading
            refused.append(reading)
    if refused:
        return refused[0]
    for kind in _weak_kinds(text):
        if kind.is_meant(lines):
            return kind.read(lines)
    blank = tuple(Role.PROSE if line.strip() else Role.BLANK for line in lines)
    return Reading((), blank, (), _NO_PATCH)


def _kinds(text: str, lines: _Lines) -> list[_Kind]:
    """Those that the text may have."""
    found, small = list[_Kind](), text.casefold()
    if "***" in text and not (_has_no_file(lines) and is_unified(lines)):
        from react_agent.parsers.patch.v4a import is_v4a, read_v4a

        found.append(_Kind("a *** Begin Patch", is_v4a, read_v4a))
    if _may_be_blocks(small):
        from react_agent.parsers.patch.blocks import is_blocks, read_blocks

        found.append(_Kind("search and replace blocks", is_blocks, read_blocks))
    return [*found, _Kind("a unified diff", is_unified, read_unified)]


def _has_no_file(lines: _Lines) -> bool:
    """A unified diff may stand between *** Begin Patch and *** End Patch."""
    marks = (line.casefold() for line in lines if line.startswith("***"))
    return not any(" file" in mark and " of file" not in mark for mark in marks)


def _may_be_blocks(small: str) -> bool:
    if "<<<<<" in small or any(tag in small for tag in _TAGS):
        return True
    has_edges = any(edge in small for edge in ("-----", "```", "~~~"))
    return has_edges and any(heading in small for heading in _HEADINGS)


def _weak_kinds(text: str) -> list[_Kind]:
    found = list[_Kind]()
    if "<<<<<" in text:
        from react_agent.parsers.patch.conflicts import is_conflicts, read_conflicts

        found.append(_Kind("conflict marks", is_conflicts, read_conflicts))
    if any(mark in text for mark in ("```", "~~~", "<")):
        from react_agent.parsers.patch.whole_file import is_whole, read_whole

        found.append(_Kind("whole files", is_whole, read_whole))
    return found


def _alone(kind: _Kind, reading: Reading, lines: _Lines, kinds: Sequence[_Kind]) -> Reading:
    """Two kinds in one text: one of them may be the draft of the other."""
    others = [other for other in kinds if other.name != kind.name]
    if reading.problem or not others:
        return reading
    outside = [
        line if role is Role.PROSE else "" for line, role in zip(lines, reading.roles, strict=True)
    ]
    for other in others:
        if other.is_meant(outside):
            both = f"{kind.name} and {other.name} stand in one text"
            return reading._replace(changes=(), problem=f"{both}: send the final one only")
    return reading
