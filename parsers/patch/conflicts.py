"""Conflict markers as a way to write a change.

text    = (path | outside | fence (context | region)+ fence | region)+
region  = "<<<<<<< HEAD" ours "=======" theirs ">>>>>>> branch"

Ours is what stands in the file, theirs is what is to stand there; a third part makes that unclear.
The lines around the regions within one fence are context of one hunk; without a fence each region
is a hunk of its own.
"""

from bisect import bisect_left
from collections.abc import Sequence

from react_agent.parsers.block_marks import SEARCH, dividers, no_divider
from react_agent.parsers.fence import Fence, opening_fence
from react_agent.parsers.late_pattern import LatePattern
from react_agent.parsers.patch.changes import FileChange, Hunk, Line, Reading, Role
from react_agent.parsers.patch.kept_lines import kept_lines
from react_agent.parsers.patch.line_cursor import LineCursor, Unread
from react_agent.parsers.patch.one_format import read
from react_agent.parsers.patch.path_line import (
    path_in_comment,
    path_in_info,
    path_in_sentence,
    path_of,
)
from react_agent.parsers.patch.regions import CLOSING, Kind, regions

_BASE = LatePattern(r"\|{5,9}(?:[ \t].*)?")
_HINT = "write the PATH above it, alone in a line"


def is_conflicts(lines: Sequence[str]) -> bool:
    return Kind.CONFLICT in regions([line.removesuffix("\r") for line in lines]).values()


def read_conflicts(lines: Sequence[str]) -> Reading:
    return read(lines, _changes)


def _changes(cursor: LineCursor) -> tuple[list[FileChange], list[str]]:
    reader, found = _Reader(cursor), dict[str, list[Hunk]]()
    while not cursor.ended:
        if hunk := reader.take():
            found.setdefault(reader.path, []).append(hunk)
    if not found:
        raise Unread("there is no region between <<<<<<< HEAD and >>>>>>>: write a unified diff")
    changes = [FileChange(hunks[0].at, path, path, tuple(hunks)) for path, hunks in found.items()]
    return changes, []


class _Reader:
    def __init__(self, cursor: LineCursor) -> None:
        self._cursor = cursor
        self._regions = regions(cursor.lines)
        self._closing = [at for at, line in enumerate(cursor.lines) if CLOSING.fullmatch(line)]
        self.path = ""
        self._is_named = False  # since the last hunk

    def take(self) -> Hunk | None:
        """A hunk, or none where it was a line between them."""
        cursor = self._cursor
        if cursor.at in self._regions:
            number = cursor.number
            return self._hunk(number, self._region())
        line = cursor.peek()
        fence = opening_fence(line) if cursor.fence is None else None
        path = path_in_info(fence.info) if fence else path_of(line) or path_in_sentence(line)
        self.path, self._is_named = path or self.path, bool(path) or self._is_named
        end = self._end_of(fence) if fence else None
        if fence and end is not None:
            return self._fenced(end)
        cursor.take_outside(Role.HEADER if path else Role.PROSE)
        return None

    def _hunk(self, number: int, lines: Sequence[Line]) -> Hunk:
        if not self.path:
            raise Unread(f"there is no path for the region of line {number}: {_HINT}")
        if all(line.mark == "+" for line in lines):
            raise Unread(
                f"the region of line {number} has nothing to stand beside: put unchanged lines of "
                "the file around it, within the fence"
            )
        self._is_named = False
        return Hunk(number, tuple(lines))

    def _end_of(self, fence: Fence) -> int | None:
        """The line that closes it, if it holds a region; what a region holds closes nothing."""
        lines, at, holds = self._cursor.lines, self._cursor.at + 1, False
        while at < len(lines) and not fence.is_closed_by(lines[at]):
            if at in self._regions:
                holds = True
                at = self._closing_at(at)
            at += 1
        if holds and at == len(lines):
            raise Unread(
                f"the fence of line {self._cursor.number} was cut off: it is never closed; send "
                "all of it"
            )
        return at if holds else None

    def _closing_at(self, at: int) -> int:
        """The mark that ends the region of that line; the line itself where none does."""
        place = bisect_left(self._closing, at)
        return self._closing[place] if place < len(self._closing) else at

    def _fenced(self, end: int) -> Hunk:
        cursor = self._cursor
        cursor.take(Role.FENCE)
        path = "" if self._is_named else path_in_comment(cursor.peek()) or path_of(cursor.peek())
        if path:
            self.path = path
            cursor.take(Role.HEADER)
        number, lines = cursor.number, list[Line]()
        while cursor.at < end:
            if cursor.at in self._regions:
                lines += self._region()
            else:
                lines.append(Line(" ", cursor.take(Role.BODY)))
        cursor.take(Role.FENCE)
        return self._hunk(number, _without_blank_ends(lines))

    def _region(self) -> tuple[Line, ...]:
        cursor, number = self._cursor, self._cursor.number
        if self._regions[cursor.at] == Kind.BLOCK:
            raise Unread(
                f"line {number} opens a search/replace block beside conflicts: write all changes "
                "in one format"
            )
        mark = SEARCH.fullmatch(cursor.take(Role.HEADER).rstrip())
        self.path = path_of((mark and mark["path"]) or "") or self.path
        began = cursor.at
        while not cursor.ended and not CLOSING.fullmatch(cursor.peek().rstrip()):
            if cursor.at in self._regions:
                raise Unread(f"the region of line {number} has no >>>>>>> of its own: write one")
            cursor.take(Role.BODY)
        if cursor.ended:
            raise Unread(
                f"the region of line {number} was cut off: it has no >>>>>>>; send all of it"
            )
        body = cursor.lines[began : cursor.at]
        cursor.take(Role.HEADER)
        found = dividers(body, len(mark["mark"] or "") if mark else 0)
        if len(found) != 1:
            raise Unread(no_divider(found, number))
        cursor.roles[began + found[0]] = Role.HEADER
        if any(_BASE.fullmatch(line) for line in body[: found[0]]):
            raise Unread(
                f"the region of line {number} has three parts, and it is not clear which of them "
                "the file has: write a search/replace block or a unified diff"
            )
        return kept_lines(body[: found[0]], body[found[0] + 1 :])


def _without_blank_ends(lines: list[Line]) -> list[Line]:
    """Within a fence they are there for the looks."""
    first, last = 0, len(lines)
    while first < last and lines[first].mark == " " and not lines[first].text.strip():
        first += 1
    while last > first and lines[last - 1].mark == " " and not lines[last - 1].text.strip():
        last -= 1
    return lines[first:last]
