"""A text that is read in one format: each line has a role, no line that may be a change is left."""

from collections.abc import Callable, Sequence

from react_agent.parsers.late_pattern import LatePattern
from react_agent.parsers.patch.changes import FileChange, Reading, Role
from react_agent.parsers.patch.file_parts import file_parts
from react_agent.parsers.patch.line_cursor import LineCursor, Unread

Rule = Callable[[LineCursor], tuple[Sequence[FileChange], Sequence[str]]]

_CHANGE = LatePattern(
    r"diff --git |@@ -\d|\*\*\* (?:Begin Patch|Update File|Add File|Delete File)\b"
    r"|<{5,9} ?(?:SEARCH|ORIGINAL)\b|-{5,9} ?SEARCH\b|>{5,9} ?REPLACE\b"
)
_ONE_FORMAT = "write all changes in one format"


def read(lines: Sequence[str], rule: Rule) -> Reading:
    cursor = LineCursor(lines)
    try:
        changes, repairs = rule(cursor)
        _take_rest(cursor)
        _refuse_left(cursor, changes)
    except Unread as error:
        _take_rest(cursor)
        return Reading((), tuple(cursor.roles), problem=str(error))
    return Reading(tuple(changes), tuple(cursor.roles), tuple(repairs))


def _take_rest(cursor: LineCursor) -> None:
    while not cursor.ended:
        cursor.take_outside()


def _refuse_left(cursor: LineCursor, changes: Sequence[FileChange]) -> None:
    for at, role in enumerate(cursor.roles):
        if role == Role.PROSE and _is_change(cursor.lines, at):
            shown = cursor.lines[at][:60].rstrip()
            raise Unread(
                f"line {at + 1}, `{shown}`, may begin a change, but not in the format of the "
                f"others: {_ONE_FORMAT}"
            )
    names = {name for change in changes for name in (change.old, change.new)}
    for part in file_parts(cursor.lines):
        is_used = Role.BODY in cursor.roles[part.start : part.end + 1]
        if part.path not in names and not is_used:
            raise Unread(
                f"line {part.start + 1} begins what may be the whole file {part.path}, beside "
                f"changes in another format: {_ONE_FORMAT}, or leave out what is only quoted"
            )


def _is_change(lines: Sequence[str], at: int) -> bool:
    line = lines[at]
    if line[:1] == "-" and line.startswith("--- "):
        return at + 1 < len(lines) and lines[at + 1].startswith("+++ ")
    return line[:1] in ("d", "@", "*", "<", "-", ">") and _CHANGE.match(line) is not None
