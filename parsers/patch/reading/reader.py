"""Read the changes in a model's text, in any format.

text = a unified diff | *** Begin Patch | blocks | conflicts       the first that fits

The readers of the rarer formats are imported only if a text has their opening marks.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from react_agent.parsers.patch.changes import Reading, Role
from react_agent.parsers.patch.reading.unified import is_unified, read_unified

NO_PATCH = (
    "there is no patch: write --- a/PATH and +++ b/PATH, below them hunks that begin with @@ "
    "-START,COUNT +START,COUNT @@, their lines with a space, - or + before them"
)
_BOM = "\ufeff"

_Lines = Sequence[str]


class _Format(NamedTuple):
    name: str
    is_meant: Callable[[_Lines], bool]
    read: Callable[[_Lines], Reading]


def read_changes(text: str, files: Collection[str] = ()) -> Reading:
    """Read the changes of a text. A change without a file name may apply to one of `files`."""
    text = text.removeprefix(_BOM)
    lines = _without_returns(text.split("\n"))
    reading = _read(text, lines, files)
    if not reading.problem and any(change.old == "" == change.new for change in reading.changes):
        from react_agent.parsers.patch.reading.path_line import with_names

        return with_names(reading, lines, files)
    return reading


def _without_returns(lines: list[str]) -> list[str]:
    """Remove the CRs at line ends. If only some lines have a CR, keep it in hunk lines."""
    if all(line.endswith("\r") for line in lines[:-1] if line):
        return [line.removesuffix("\r") for line in lines]
    names = ("--- ", "+++ ")
    return [
        line
        if line[:1] in (" ", "+", "-") and not line.startswith(names)
        else line.removesuffix("\r")
        for line in lines
    ]


def _read(text: str, lines: _Lines, files: Collection[str]) -> Reading:
    formats, refused = [*_formats(text, files)], list[Reading]()
    for one in formats:
        if one.is_meant(lines):
            reading = _alone(one, lines, formats)
            if not reading.problem:
                return reading
            refused.append(reading)
    if refused:
        return refused[0]
    if "<<<<<" in text:
        from react_agent.parsers.patch.reading.blocks import is_conflicts, read_blocks

        if is_conflicts(lines):
            return read_blocks(lines, files)
    outside = tuple(Role.PROSE if line.strip() else Role.BLANK for line in lines)
    return Reading((), outside, (), NO_PATCH)


def _formats(text: str, files: Collection[str]) -> Iterator[_Format]:
    if "***" in text:
        from react_agent.parsers.patch.reading.v4a import is_v4a, read_v4a

        yield _Format("a *** Begin Patch", is_v4a, read_v4a)
    if any(mark in text for mark in ("<<<<<", "----- ", "-----S")):
        from react_agent.parsers.patch.reading.blocks import is_blocks, read_blocks

        blocks = partial(read_blocks, files=files)
        yield _Format("search and replace blocks", is_blocks, blocks)
    yield _Format("a unified diff", is_unified, read_unified)


def _alone(one: _Format, lines: _Lines, formats: Sequence[_Format]) -> Reading:
    """Read one format. Refuse a text with a second format, since either may be a draft."""
    reading = one.read(lines)
    if reading.problem:
        return reading
    outside = [
        line if role is Role.PROSE else "" for line, role in zip(lines, reading.roles, strict=True)
    ]
    for other in formats:
        if other is not one and other.is_meant(outside):
            both = f"the text contains both {one.name} and {other.name}"
            return reading._replace(changes=(), problem=f"{both}: send the final one only")
    return reading
