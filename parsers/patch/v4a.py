r"""Patches in the format of `*** Begin Patch`.

text    = (outside | patch)+                          outside: prose, fences, `apply_patch <<'EOF'`
patch   = ["*** Begin Patch"] file+ ["*** End Patch"]
file    = "*** Add File: " path line* | "*** Delete File: " path
        | "*** Update File: " path ["*** Move to: " path] hunk+ | "--- " path "+++ " path hunk+
hunk    = ("@@" [section | "-1,2 +1,2 @@"])* line* ["*** End of File"]
line    = (" " | "-" | "+") text | ""

A patch without its end was cut off, where it ends in a change and nothing closes what is around it.
"""

from collections.abc import Sequence

from react_agent.parsers.fence import Fence, opening_fence
from react_agent.parsers.heredoc import heredocs
from react_agent.parsers.patch.changes import FileChange, Reading, Role
from react_agent.parsers.patch.line_cursor import LineCursor, Unread
from react_agent.parsers.patch.one_format import read
from react_agent.parsers.patch.v4a_body import SHOWN, Body
from react_agent.parsers.patch.v4a_file import read_file
from react_agent.parsers.patch.v4a_marks import BEGIN, BEGINNINGS, END, begins_file, mark_of

_NO_END = "the missing *** End Patch was added"
_FILES = "a line `*** Update File: PATH`, `*** Add File: PATH` or `*** Delete File: PATH`"


def is_v4a(lines: Sequence[str]) -> bool:
    return any(
        line[:1] == "*" and (mark := mark_of(line.removesuffix("\r"))) and mark.kind in BEGINNINGS
        for line in lines
    )


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
    """What was read so far, and the heredoc that the next line stands in."""

    def __init__(self, cursor: LineCursor) -> None:
        self._cursor = cursor
        self._heredoc = ""
        self._changed = set[str]()
        self.changes = list[FileChange]()
        self.repairs = list[str]()

    def take(self) -> None:
        """A patch, or a line between them."""
        line = self._cursor.peek()
        mark = mark_of(line)
        if mark and mark.kind in BEGINNINGS:
            self._take_patch()
        elif mark and mark.kind == END:
            self._cursor.take(Role.HEADER)
        elif mark and (mark.kind or "File:" in line):
            raise Unread(
                f"line {self._cursor.number}, `{line[:SHOWN]}`, stands in no patch: write {_FILES}"
            )
        else:
            self._take_outside(line)

    def _take_outside(self, line: str) -> None:
        if self._heredoc and line.strip() == self._heredoc:
            self._heredoc = ""
            self._cursor.take(Role.FENCE)
            return
        opened = heredocs(line) if "<<" in line and "apply_patch" in line else ()
        self._heredoc = opened[0].word if opened else self._heredoc
        self._cursor.take_outside(Role.FENCE if opened else Role.PROSE)

    def _take_patch(self) -> None:
        cursor = self._cursor
        began, end, is_ended = cursor.number, *_end(cursor, self._heredoc)
        changes = list[FileChange]()
        while cursor.at < end:
            if change := self._file(end):
                changes.append(change)
        if not is_ended:
            _refuse_cut(cursor, end, changes)
            self.repairs.append(_NO_END)
        changes = _merged(changes)
        names = {name for change in changes for name in (change.old, change.new) if name}
        if again := sorted(names & self._changed):
            raise Unread(
                f"{again[0]} is changed by two patches, the second from line {began} on: send "
                "the final one only, with all changes"
            )
        self._changed |= names
        self.changes += changes

    def _file(self, end: int) -> FileChange | None:
        """The next one, or none where the line is no part of any."""
        cursor = self._cursor
        line, mark = cursor.peek(), mark_of(cursor.peek())
        if begins_file(cursor, mark):
            body = Body(cursor, end)
            change = read_file(body, mark)
            self.repairs += body.repairs
            return change
        if line.strip() and not (mark and mark.kind in (BEGIN, END)):
            raise Unread(
                f"line {cursor.number}, `{line[:SHOWN]}`, is no mark of a patch: write {_FILES}"
            )
        cursor.take(Role.HEADER if mark else Role.BLANK)
        return None


def _merged(changes: Sequence[FileChange]) -> list[FileChange]:
    """The parts of a file that is updated more than once are one."""
    found = dict[str, FileChange]()
    for change in changes:
        name = change.new or change.old or ""
        first = found.get(name)
        if first and not (first.old == first.new == change.old == change.new):
            raise Unread(f"{name} is added, deleted or moved besides: write one change of it")
        hunks = (*first.hunks, *change.hunks) if first else change.hunks
        found[name] = (first or change)._replace(hunks=hunks)
    return list(found.values())


def _end(cursor: LineCursor, heredoc: str) -> tuple[int, bool]:
    """Behind the last line of the patch, and whether its end was marked."""
    lines, closed = cursor.lines, -1
    for at in range(cursor.at + 1, len(lines)):
        line = lines[at]
        mark = mark_of(line)
        if mark and mark.kind == END:
            return at + 1, True
        if mark and (mark.kind == BEGIN or (closed > 0 and opening_fence(lines[at - 1]))):
            return _without_blanks(lines, at if closed < 0 else closed), False
        closes = (heredoc and line.strip() == heredoc) or _closes(cursor.fence, line)
        closed = at if closed < 0 and closes else closed
    return _without_blanks(lines, len(lines) if closed < 0 else closed), False


def _closes(fence: Fence | None, line: str) -> bool:
    return fence is not None and line[:1] not in ("+", "-", " ") and fence.is_closed_by(line)


def _without_blanks(lines: Sequence[str], end: int) -> int:
    while end and not lines[end - 1].strip():
        end -= 1
    return end


def _refuse_cut(cursor: LineCursor, end: int, changes: Sequence[FileChange]) -> None:
    """The end is missing: nothing may be missing with it."""
    following = next((line for line in cursor.lines[end:] if line.strip()), "")
    if following and (opening_fence(following) or not mark_of(following)):
        return
    last = cursor.lines[end - 1]
    is_change = last[:1] in ("+", "-") or not changes
    if is_change or (mark_of(last) is None and last[:1] != " "):
        raise Unread(
            f"the patch was cut off: it ends in line {end} without *** End Patch; send all of it"
        )
