"""Read patches in the `*** Begin Patch` format.

text    = (outside | patch)+
patch   = ["*** Begin Patch"] file+ "*** End Patch"
file    = "*** Add File: " path line* | "*** Delete File: " path
        | "*** Update File: " path ["*** Move to: " path] hunk+
hunk    = ("@@" [section])* line* ["*** End of File"]
line    = (" " | "-" | "+") text | ""

A patch without its end mark was cut off.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from react_agent.parsers.patch.changes import FileChange, Hunk, Reading, Role
from react_agent.parsers.patch.reading.cursor import LineCursor, Unread, read
from react_agent.parsers.patch.reading.hunk import HunkHeader, hunk_header, hunk_of
from react_agent.parsers.text.late_pattern import LatePattern

_BEGIN, _END = "begin patch", "end patch"
_UPDATE, _ADD, _DELETE = "update file", "add file", "delete file"
_MOVE, _AT_END = "move to", "end of file"
_FILE_MARKS = (_UPDATE, _ADD, _DELETE)
_MARK = LatePattern(
    r"\*\*\*[ \t]*(?P<kind>(?:begin|end)[ \t]+patch|(?:update|add|delete)[ \t]+file|move[ \t]+to"
    r"|end[ \t]+of[ \t]+file)(?P<rest>(?:[ \t]*:|[ \t]|$).*)",
    re.IGNORECASE,
)
_ANY = LatePattern(r"\*\*\*[ \t]?[A-Za-z].*")
_SHOWN = 60  # characters of a quoted line
_FILES = "a line `*** Update File: PATH`, `*** Add File: PATH` or `*** Delete File: PATH`"


class _Mark(NamedTuple):
    kind: str  # empty: not a known kind
    path: str = ""


def _mark_of(line: str) -> _Mark | None:
    if not _ANY.fullmatch(line):
        return None
    found = _MARK.fullmatch(line)
    kind = " ".join(found["kind"].casefold().split()) if found else ""
    path = found["rest"].strip().removeprefix(":").strip().strip("`\"'") if found else ""
    is_known = (kind in (_BEGIN, _END, _AT_END)) != bool(path.strip("* :"))
    return _Mark(kind, path) if is_known else _Mark("")


def is_v4a(lines: Sequence[str]) -> bool:
    """Return whether a mark names a file. If none does, the patch may be a unified diff."""
    marks = (_mark_of(line.removesuffix("\r")) for line in lines if line[:1] == "*")
    return any(mark and mark.kind in _FILE_MARKS for mark in marks)


def read_v4a(lines: Sequence[str]) -> Reading:
    return read(lines, _patches)


def _patches(cursor: LineCursor) -> tuple[list[FileChange], list[str]]:
    changes, repairs = list[FileChange](), list[str]()
    while not cursor.ended:
        began, mark = cursor.number, _mark_of(cursor.peek())
        if mark and mark.kind in (_BEGIN, *_FILE_MARKS):
            found = _Patch(cursor, repairs).files()
            names = {change.new or change.old or "" for change in found}
            if again := sorted(names & {change.new or change.old or "" for change in changes}):
                raise Unread(
                    f"{again[0]} is changed by two patches, the second from line {began} on: send "
                    "the final one only, with all changes"
                )
            changes += found
        else:
            cursor.take_outside()
    return changes, repairs


def _shown(line: str) -> str:
    return f"`{line[:_SHOWN]}`"


class _Patch:
    """The patch that begins at the next line."""

    def __init__(self, cursor: LineCursor, repairs: list[str]) -> None:
        self._cursor = cursor
        self._repairs = repairs

    def files(self) -> list[FileChange]:
        cursor, files, began = self._cursor, list[FileChange](), self._cursor.number
        while not cursor.ended:
            line, mark = cursor.peek(), _mark_of(cursor.peek())
            kind = mark.kind if mark else ""
            if mark and kind in _FILE_MARKS:
                files.append(self._file(mark))
            elif line.strip() and kind not in (_BEGIN, _END):
                raise Unread(
                    f"line {cursor.number}, {_shown(line)}, is not a patch marker: write {_FILES}"
                )
            elif kind == _BEGIN and files:
                break
            else:
                cursor.take(Role.HEADER if mark else Role.BLANK)
            if kind == _END:
                return files
        what = f"the patch from line {began} on was cut off: it has no *** End Patch"
        raise Unread(f"{what}; send all of it")

    def _file(self, mark: _Mark) -> FileChange:
        """Read the change of the file that the mark names. The mark is the next line."""
        at = self._cursor.number
        self._cursor.take(Role.HEADER)
        if mark.kind == _ADD:
            return FileChange(at, None, mark.path, self._added(mark.path))
        if mark.kind == _DELETE:
            return FileChange(at, mark.path, None, self._hunks())
        new = self._takes(_MOVE) or mark.path
        moved = "rename" if new != mark.path else ""
        hunks = self._hunks()
        if not (hunks or moved or self._cursor.ended or Role.IDLE in self._cursor.roles[at:]):
            raise Unread(f"line {at} says that {mark.path} changes, but no change is below it")
        return FileChange(at, mark.path, new, hunks, moved=moved)

    def _goes_on(self) -> bool:
        """Return whether the next line belongs to the file and is not a mark."""
        cursor = self._cursor
        mark = _mark_of(cursor.peek())
        if mark and mark.kind in ("", _MOVE):
            raise Unread(
                f"line {cursor.number}, {_shown(cursor.peek())}, is out of place: begin an "
                "unchanged line with a space, and write *** Move to: directly below "
                "*** Update File:"
            )
        return mark is None and not cursor.ended

    def _takes(self, kind: str) -> str | None:
        """Take the next line if it is a mark of this kind, and return its path."""
        mark = _mark_of(self._cursor.peek())
        if not mark or mark.kind != kind:
            return None
        self._cursor.take(Role.HEADER)
        return mark.path

    def _hunks(self) -> tuple[Hunk, ...]:
        cursor, hunks = self._cursor, list[Hunk]()
        while self._goes_on():
            if not cursor.peek():
                cursor.take(Role.BLANK)
                continue
            hunk = self._hunk()
            marks = {line.mark for line in hunk.lines}
            if marks & {"+", "-"}:
                hunks.append(hunk)
            elif "" in marks:
                raise Unread(
                    f"the hunk at line {hunk.at} has no line that begins with + or -: mark "
                    "removed lines with - and added lines with +"
                )
            else:
                cursor.roles[hunk.at - 1 :] = [Role.IDLE] * (cursor.at - hunk.at + 1)
                self._repairs.append(f"the hunk at line {hunk.at} changes nothing: left out")
        return tuple(hunks)

    def _hunk(self) -> Hunk:
        cursor, header = self._cursor, HunkHeader()
        at = cursor.number
        while cursor.peek()[:2] == "@@" and self._goes_on():
            sections = hunk_header(cursor.take(Role.HEADER)).sections
            header = header._replace(sections=(*header.sections, *sections))
        hunk = hunk_of(at, header, self._body("@@"))
        return hunk._replace(at_end=self._takes(_AT_END) is not None)

    def _body(self, ends: str) -> list[str]:
        """Take the lines up to the next mark. Empty lines above that mark are ignored."""
        cursor = self._cursor
        began = cursor.at
        while self._goes_on() and not cursor.peek().startswith(ends):
            cursor.take(Role.BODY)
        end = cursor.at
        while end > began and not cursor.lines[end - 1]:
            end -= 1
            cursor.roles[end] = Role.BLANK
        return cursor.lines[began:end]

    def _added(self, path: str) -> tuple[Hunk, ...]:
        number, texts = self._cursor.number, self._body("*** ")
        self._takes(_AT_END)
        for at, text in enumerate(texts):
            if text[:1] not in ("", "+", "\\"):
                raise Unread(
                    f"line {number + at}, {_shown(text)}, of the new file {path} does not begin "
                    "with +: start each of its lines with +"
                )
        lines = [text or "+" for text in texts]
        return (hunk_of(number, HunkHeader(), lines),) if lines else ()
