r"""Patches in the format of `*** Begin Patch`.

text    = (outside | patch)+                          outside: prose, fences, `apply_patch <<'EOF'`
patch   = ["*** Begin Patch"] file+ ["*** End Patch"]
file    = "*** Add File: " path line* | "*** Delete File: " path
        | "*** Update File: " path ["*** Move to: " path] hunk+
hunk    = ("@@" [section | "-1,2 +1,2 @@"])* line* ["*** End of File"]
line    = (" " | "-" | "+") text | ""

A patch without its end was cut off, where it ends in a change and nothing closes what is around it.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from react_agent.parsers.patch.changes import FileChange, Hunk, Line, Reading, Role
from react_agent.parsers.patch.reading.cursor import LineCursor, Unread, read
from react_agent.parsers.patch.reading.hunk import HunkHeader, hunk_header, hunk_of
from react_agent.parsers.shell.heredoc import heredocs
from react_agent.parsers.text.fence import opening_fence
from react_agent.parsers.text.late_pattern import LatePattern

_BEGIN, _END = "begin patch", "end patch"
_UPDATE, _ADD, _DELETE = "update file", "add file", "delete file"
_MOVE, _AT_END = "move to", "end of file"
_FILE_MARKS = (_UPDATE, _ADD, _DELETE)
_BEGINNINGS = (_BEGIN, *_FILE_MARKS)
_BARE = (_BEGIN, _END, _AT_END)
_MARK = LatePattern(
    r"\*\*\*[ \t]*(?P<kind>(?:begin|end)[ \t]+patch|(?:update|add|delete)[ \t]+file|move[ \t]+to"
    r"|end[ \t]+of[ \t]+file)(?P<rest>(?:[ \t]*:|[ \t]|$).*)",
    re.IGNORECASE,
)
_ANY = LatePattern(r"\*\*\*[ \t]?[A-Za-z].*")
_NO_NEWLINE = "\\ No newline"
_SHOWN = 60  # characters of a line that is quoted
_FILES = "a line `*** Update File: PATH`, `*** Add File: PATH` or `*** Delete File: PATH`"


class _Mark(NamedTuple):
    kind: str  # empty: none that is known
    path: str = ""


def _mark_of(line: str) -> _Mark | None:
    if line[:3] != "***":
        return None
    found = _MARK.fullmatch(line)
    if not found:
        return _Mark("") if _ANY.fullmatch(line) else None
    kind = " ".join(found["kind"].casefold().split())
    path = found["rest"].strip().removeprefix(":").strip().strip("`\"'")
    if (kind in _BARE) == bool(path.strip("* :")):
        return _Mark("")
    return _Mark(kind, path)


def is_v4a(lines: Sequence[str]) -> bool:
    marks = (_mark_of(line.removesuffix("\r")) for line in lines if line[:1] == "*")
    return any(mark and mark.kind in _BEGINNINGS for mark in marks)


def names_files(lines: Sequence[str]) -> bool:
    """Whether a mark names a file: a unified diff may be between Begin Patch and End Patch."""
    marks = (line.casefold() for line in lines if line.startswith("***"))
    return any(" file" in mark and " of file" not in mark for mark in marks)


def read_v4a(lines: Sequence[str]) -> Reading:
    return read(lines, _patches)


def _patches(cursor: LineCursor) -> tuple[list[FileChange], list[str]]:
    reader, changed = _Reader(cursor), dict[str, FileChange]()
    while not cursor.ended:
        began, mark = cursor.number, _mark_of(cursor.peek())
        if mark and mark.kind in _BEGINNINGS:
            found = reader.patch()
            if again := sorted(found.keys() & changed.keys()):
                raise Unread(
                    f"{again[0]} is changed by two patches, the second from line {began} on: send "
                    "the final one only, with all changes"
                )
            changed |= found
        elif mark and mark.kind == _END:
            cursor.take(Role.HEADER)
        elif mark and (mark.kind or "File:" in cursor.peek()):
            raise Unread(f"line {began}, {_shown(cursor.peek())}, is in no patch: write {_FILES}")
        else:
            reader.take_outside()
    if not changed:
        raise Unread(f"there is no file in the patch: write {_FILES} below *** Begin Patch")
    return [*changed.values()], reader.repairs


def _shown(line: str) -> str:
    return f"`{line[:_SHOWN]}`"


class _Reader:
    """The heredoc that the next line is in, where its patch ends, and what was repaired."""

    def __init__(self, cursor: LineCursor) -> None:
        self._cursor = cursor
        self._heredoc = ""
        self._end = 0
        self.repairs = list[str]()

    def take_outside(self) -> None:
        line = self._cursor.peek()
        if self._heredoc and line.strip() == self._heredoc:
            self._heredoc = ""
            self._cursor.take(Role.FENCE)
            return
        opened = heredocs(line) if "<<" in line and "apply_patch" in line else ()
        self._heredoc = opened[0].word if opened else self._heredoc
        self._cursor.take_outside(Role.FENCE if opened else Role.PROSE)

    def patch(self) -> dict[str, FileChange]:
        """Its files by their names."""
        cursor, files = self._cursor, dict[str, FileChange]()
        self._end, is_ended = self._find_end()
        while cursor.at < self._end:
            line, mark = cursor.peek(), _mark_of(cursor.peek())
            if mark and mark.kind in _FILE_MARKS:
                change = self._file(mark)
                name = change.new or change.old or ""
                first = files.get(name)
                if first and not (first.old == first.new == change.old == change.new):
                    raise Unread(
                        f"{name} is added, deleted or moved besides: write one change of it"
                    )
                if first:
                    change = first._replace(hunks=(*first.hunks, *change.hunks))
                files[name] = change
            elif line.strip() and not (mark and mark.kind in (_BEGIN, _END)):
                raise Unread(
                    f"line {cursor.number}, {_shown(line)}, is no mark of a patch: write {_FILES}"
                )
            else:
                cursor.take(Role.HEADER if mark else Role.BLANK)
        if not is_ended:
            self._refuse_cut(is_empty=not files)
            self.repairs.append("the missing *** End Patch was added")
        return files

    def _find_end(self) -> tuple[int, bool]:
        """After the last line of the patch, and whether its end was marked."""
        lines, fence, closed = self._cursor.lines, self._cursor.fence, -1
        end = len(lines)
        for at in range(self._cursor.at + 1, len(lines)):
            line, mark = lines[at], _mark_of(lines[at])
            if mark and mark.kind == _END:
                return at + 1, True
            if mark and (mark.kind == _BEGIN or (closed > 0 and opening_fence(lines[at - 1]))):
                end = at
                break
            is_closing = fence and line[:1] not in "+- " and fence.is_closed_by(line)
            if closed < 0 and (is_closing or (self._heredoc and line.strip() == self._heredoc)):
                closed = at
        end = end if closed < 0 else closed
        while end and not lines[end - 1].strip():
            end -= 1
        return end, False

    def _refuse_cut(self, *, is_empty: bool) -> None:
        """The end is missing: nothing may be missing with it."""
        lines, end = self._cursor.lines, self._end
        following = next((line for line in lines[end:] if line.strip()), "")
        if following and (opening_fence(following) or not _mark_of(following)):
            return
        last = lines[end - 1]
        is_change = last[:1] in ("+", "-") or is_empty
        if is_change or (_mark_of(last) is None and last[:1] != " "):
            raise Unread(
                f"the patch was cut off: it ends in line {end} without *** End Patch; "
                "send all of it"
            )

    def _file(self, mark: _Mark) -> FileChange:
        """The file of that mark, which comes next."""
        at = self._cursor.number
        self._cursor.take(Role.HEADER)
        if mark.kind == _ADD:
            return FileChange(at, None, mark.path, self._added(mark.path))
        if mark.kind == _DELETE:
            return FileChange(at, mark.path, None, self._hunks())
        new = self._takes(_MOVE) or mark.path
        began = self._cursor.at
        hunks = self._hunks()
        if began == self._cursor.at and new == mark.path:
            raise Unread(f"line {at} names {new} as changed, but there is no change below it")
        return FileChange(at, mark.path, new, hunks, moved="rename" if new != mark.path else "")

    def _goes_on(self) -> bool:
        """Whether the next line belongs to the file and is no mark."""
        cursor = self._cursor
        mark = _mark_of(cursor.peek()) if cursor.at < self._end else None
        if mark and mark.kind in ("", _MOVE):
            raise Unread(
                f"line {cursor.number}, {_shown(cursor.peek())}, can't be there: begin an "
                "unchanged line with a space, and write *** Move to: directly below "
                "*** Update File:"
            )
        return mark is None and cursor.at < self._end

    def _takes(self, kind: str) -> str | None:
        """The path of a mark of that kind, if it comes next."""
        mark = _mark_of(self._cursor.peek()) if self._cursor.at < self._end else None
        if not mark or mark.kind != kind:
            return None
        self._cursor.take(Role.HEADER)
        return mark.path

    def _hunks(self) -> tuple[Hunk, ...]:
        cursor, hunks = self._cursor, list[Hunk]()
        while self._takes(_AT_END) is not None or self._goes_on():
            began = cursor.at
            if not self._goes_on():
                continue
            if not cursor.peek():
                cursor.take(Role.BLANK)
                continue
            hunk = self._hunk()
            marks = {line.mark for line in hunk.lines}
            if marks & {"+", "-"}:
                hunks.append(hunk)
            elif "" in marks:
                raise Unread(
                    f"the hunk of line {began + 1} has no line that begins with + or -: mark what "
                    "goes with - and what comes with +"
                )
            else:
                cursor.roles[began:] = [Role.IDLE] * (cursor.at - began)
                self.repairs.append(f"the hunk of line {began + 1} changes nothing: left out")
        return tuple(hunks)

    def _hunk(self) -> Hunk:
        cursor, header = self._cursor, HunkHeader()
        at = cursor.number
        while cursor.peek()[:2] == "@@" and self._goes_on():
            start, counts, sections = hunk_header(cursor.take(Role.HEADER))
            header = header._replace(sections=(*header.sections, *sections))
            if start is not None:
                header = header._replace(start=start, counts=counts)
        hunk = hunk_of(at, header, self._body("@@"))
        return hunk._replace(at_end=self._takes(_AT_END) is not None)

    def _body(self, ends: str = "") -> list[str]:
        """The lines up to the next mark; empty ones above it are there for the looks."""
        cursor = self._cursor
        began = cursor.at
        while self._goes_on() and not (ends and cursor.peek().startswith(ends)):
            cursor.take(Role.BODY)
        end = cursor.at
        while end > began and not cursor.lines[end - 1]:
            end -= 1
            cursor.roles[end] = Role.BLANK
        return cursor.lines[began:end]

    def _added(self, path: str) -> tuple[Hunk, ...]:
        cursor = self._cursor
        while cursor.peek().startswith("@@") and self._goes_on():
            cursor.take(Role.HEADER)
        number, texts = cursor.number, self._body()
        self._takes(_AT_END)
        if not texts:
            return ()
        no_newline = texts[-1].startswith(_NO_NEWLINE)
        texts = texts[:-1] if no_newline else texts
        has_marks = any(text[:1] == "+" for text in texts)
        without = [at for at, text in enumerate(texts) if text and text[0] != "+"]
        if without and has_marks:
            raise Unread(
                f"line {number + without[0]}, {_shown(texts[without[0]])}, of the new file "
                f"{path} does not begin with +: begin all of its lines so"
            )
        if not has_marks:
            self.repairs.append(f"the lines of the new file {path} had no + before them")
        lines = tuple(Line("+", text[1:] if has_marks else text) for text in texts)
        return (Hunk(number, lines, no_newline=(False, no_newline)),)
