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
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from react_agent.parsers.patch.changes import FileChange, Hunk, Line, Reading, Role
from react_agent.parsers.patch.reading.cursor import LineCursor, Unread, read
from react_agent.parsers.patch.reading.hunk import body_of, hunk_header
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
_NEW_HEADS = ("@@", "--- /dev/null", "+++ ")
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
    patches = _Patches(cursor)
    while not cursor.ended:
        patches.take()
    if not patches.changes:
        raise Unread(f"there is no file in the patch: write {_FILES} below *** Begin Patch")
    return patches.changes, patches.repairs


class _Patches:
    """What was read so far, and the heredoc that the next line is in."""

    def __init__(self, cursor: LineCursor) -> None:
        self._cursor = cursor
        self._heredoc = ""
        self._changed = set[str]()
        self.changes = list[FileChange]()
        self.repairs = list[str]()

    def take(self) -> None:
        """A patch, or a line between them."""
        line = self._cursor.peek()
        mark = _mark_of(line)
        if mark and mark.kind in _BEGINNINGS:
            self._take_patch()
        elif mark and mark.kind == _END:
            self._cursor.take(Role.HEADER)
        elif mark and (mark.kind or "File:" in line):
            raise Unread(
                f"line {self._cursor.number}, `{line[:_SHOWN]}`, is in no patch: write {_FILES}"
            )
        elif self._heredoc and line.strip() == self._heredoc:
            self._heredoc = ""
            self._cursor.take(Role.FENCE)
        else:
            opened = heredocs(line) if "<<" in line and "apply_patch" in line else ()
            self._heredoc = opened[0].word if opened else self._heredoc
            self._cursor.take_outside(Role.FENCE if opened else Role.PROSE)

    def _take_patch(self) -> None:
        cursor = self._cursor
        began, end, is_ended = cursor.number, *_end(cursor, self._heredoc)
        files = dict[str, FileChange]()
        while cursor.at < end:
            mark = _mark_of(cursor.peek())
            if mark and mark.kind in _FILE_MARKS:
                body = _Body(cursor, end)
                _merge(files, body.file(mark))
                self.repairs += body.repairs
            elif cursor.peek().strip() and not (mark and mark.kind in (_BEGIN, _END)):
                shown = cursor.peek()[:_SHOWN]
                raise Unread(
                    f"line {cursor.number}, `{shown}`, is no mark of a patch: write {_FILES}"
                )
            else:
                cursor.take(Role.HEADER if mark else Role.BLANK)
        if not is_ended:
            _refuse_cut(cursor, end, is_empty=not files)
            self.repairs.append("the missing *** End Patch was added")
        names = {name for one in files.values() for name in (one.old, one.new) if name}
        if again := sorted(names & self._changed):
            raise Unread(
                f"{again[0]} is changed by two patches, the second from line {began} on: send "
                "the final one only, with all changes"
            )
        self._changed |= names
        self.changes += files.values()


def _merge(files: dict[str, FileChange], change: FileChange) -> None:
    """The parts of a file that is updated more than once are one."""
    name = change.new or change.old or ""
    first = files.get(name)
    if first and not (first.old == first.new == change.old == change.new):
        raise Unread(f"{name} is added, deleted or moved besides: write one change of it")
    files[name] = first._replace(hunks=(*first.hunks, *change.hunks)) if first else change


def _end(cursor: LineCursor, heredoc: str) -> tuple[int, bool]:
    """After the last line of the patch, and whether its end was marked."""
    lines, closed = cursor.lines, -1
    for at in range(cursor.at + 1, len(lines)):
        line = lines[at]
        mark = _mark_of(line)
        if mark and mark.kind == _END:
            return at + 1, True
        if mark and (mark.kind == _BEGIN or (closed > 0 and opening_fence(lines[at - 1]))):
            return _without_blanks(lines, at if closed < 0 else closed), False
        is_closing = cursor.fence and line[:1] not in "+- " and cursor.fence.is_closed_by(line)
        if closed < 0 and (is_closing or (heredoc and line.strip() == heredoc)):
            closed = at
    return _without_blanks(lines, len(lines) if closed < 0 else closed), False


def _without_blanks(lines: Sequence[str], end: int) -> int:
    while end and not lines[end - 1].strip():
        end -= 1
    return end


def _refuse_cut(cursor: LineCursor, end: int, *, is_empty: bool) -> None:
    """The end is missing: nothing may be missing with it."""
    following = next((line for line in cursor.lines[end:] if line.strip()), "")
    if following and (opening_fence(following) or not _mark_of(following)):
        return
    last = cursor.lines[end - 1]
    is_change = last[:1] in ("+", "-") or is_empty
    if is_change or (_mark_of(last) is None and last[:1] != " "):
        raise Unread(
            f"the patch was cut off: it ends in line {end} without *** End Patch; send all of it"
        )


class _Body:
    """A file of a patch that ends before a line of the text; what was mended is in `repairs`."""

    def __init__(self, cursor: LineCursor, end: int) -> None:
        self._cursor = cursor
        self._end = end
        self.repairs = list[str]()

    def file(self, mark: _Mark) -> FileChange:
        """The file of that mark, which comes next."""
        at = self._cursor.number
        self._cursor.take(Role.HEADER)
        if mark.kind == _ADD:
            return FileChange(at, None, mark.path, tuple(self._added(mark.path)))
        if mark.kind == _DELETE:
            return FileChange(at, mark.path, None, tuple(self._hunks()))
        new = self._takes(_MOVE) or mark.path
        self._skip_diff_head(mark.path)
        began = self._cursor.at
        hunks = tuple(self._hunks())
        if began == self._cursor.at and new == mark.path:
            raise Unread(f"line {at} names {new} as changed, but there is no change below it")
        return FileChange(at, mark.path, new, hunks, moved="rename" if new != mark.path else "")

    def _skip_diff_head(self, path: str) -> None:
        """A model's habit: the two lines of a unified diff below the header."""
        cursor, name = self._cursor, path.rpartition("/")[2]
        heads = (cursor.peek(), cursor.peek(1))
        is_head = heads[0][:4] == "--- " and heads[1][:4] == "+++ "
        if is_head and all(name in line or "/dev/null" in line for line in heads):
            cursor.take_to(cursor.at + 2, Role.HEADER)

    @property
    def _goes_on(self) -> bool:
        """Whether the next line belongs to the file and is no mark."""
        cursor = self._cursor
        mark = _mark_of(cursor.peek()) if cursor.at < self._end else None
        if mark and not mark.kind:
            raise Unread(
                f"line {cursor.number}, `{cursor.peek()[:_SHOWN]}`, is no mark of a patch: begin "
                "an unchanged line with a space"
            )
        if mark and mark.kind == _MOVE:
            raise Unread(
                f"line {cursor.number}: write *** Move to: directly below *** Update File:"
            )
        return mark is None and cursor.at < self._end

    def _takes(self, kind: str) -> str | None:
        """The path of a mark of that kind, if it comes next."""
        mark = _mark_of(self._cursor.peek()) if self._cursor.at < self._end else None
        if not mark or mark.kind != kind:
            return None
        self._cursor.take(Role.HEADER)
        return mark.path

    def _hunks(self) -> Iterator[Hunk]:
        cursor = self._cursor
        while self._takes(_AT_END) is not None or self._goes_on:
            if not self._goes_on:
                continue
            if not cursor.peek():
                cursor.take(Role.BLANK)
                continue
            began = cursor.at
            hunk = self._hunk()
            marks = {line.mark for line in hunk.lines}
            if marks & {"+", "-"}:
                yield hunk
            elif "" in marks:
                raise Unread(
                    f"the hunk of line {began + 1} has no line that begins with + or -: mark what "
                    "goes with - and what comes with +"
                )
            else:
                cursor.roles[began:] = [Role.IDLE] * (cursor.at - began)
                self.repairs.append(
                    f"the hunk of line {began + 1} changes nothing and was left out"
                )

    def _hunk(self) -> Hunk:
        cursor = self._cursor
        hunk = Hunk(cursor.number, ())
        while cursor.peek()[:2] == "@@" and self._goes_on:
            start, counts, sections = hunk_header(cursor.take(Role.HEADER))
            hunk = hunk._replace(sections=(*hunk.sections, *sections))
            if start is not None:
                hunk = hunk._replace(start=start, counts=counts)
        began = cursor.at
        while self._goes_on and cursor.peek()[:2] != "@@":
            cursor.take(Role.BODY)
        body = body_of(cursor.lines[began : cursor.at - self._give_back_blanks()])
        at_end = self._takes(_AT_END) is not None
        return hunk._replace(lines=body.lines, no_newline=body.no_newline, at_end=at_end)

    def _give_back_blanks(self) -> int:
        """Empty lines above a mark are there for the looks; how many lines they were."""
        roles, count = self._cursor.roles, 0
        while roles[-1 - count] == Role.BODY and not self._cursor.peek(-1 - count):
            count += 1
            roles[-count] = Role.BLANK
        return count

    def _added(self, path: str) -> Iterator[Hunk]:
        cursor = self._cursor
        while cursor.peek().startswith(_NEW_HEADS) and self._goes_on:
            cursor.take(Role.HEADER)
        began = cursor.at
        while self._goes_on:
            cursor.take(Role.BODY)
        texts = cursor.lines[began : cursor.at - self._give_back_blanks()]
        self._takes(_AT_END)
        if texts:
            yield self._new_lines(texts, began + 1, path)

    def _new_lines(self, texts: list[str], number: int, path: str) -> Hunk:
        no_newline = texts[-1].startswith(_NO_NEWLINE)
        texts = texts[:-1] if no_newline else texts
        without = [at for at, text in enumerate(texts) if text and text[0] != "+"]
        has_marks = any(text[:1] == "+" for text in texts)
        if without and has_marks:
            raise Unread(
                f"line {number + without[0]}, `{texts[without[0]][:_SHOWN]}`, of the new file "
                f"{path} does not begin with +: begin all of its lines so"
            )
        if not has_marks:
            self.repairs.append(f"the lines of the new file {path} had no + before them")
        lines = tuple(Line("+", text[1:] if has_marks else text) for text in texts)
        return Hunk(number, lines, no_newline=(False, no_newline))
