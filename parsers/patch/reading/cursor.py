"""A cursor over a text in one format. Each line gets a role, so that no change is missed."""

from collections.abc import Callable, Sequence

from react_agent.parsers.patch.changes import FileChange, Reading, Role
from react_agent.parsers.text.fence import Fence, follow
from react_agent.parsers.text.late_pattern import LatePattern

_CHANGE = LatePattern(
    r"diff --git |@@ |@@$|\*\*\* (?:Begin|Update|Add|Delete)\b"
    r"|<{5,9}(?: ?[A-Za-z].*)?$|-{5,9} ?SEARCH\b|>{5,9} ?REPLACE\b"
)
_ONE_FORMAT = "write all changes in one format"


class Unread(Exception):
    """The reason why a text can't be read. It is always caught within the readers."""


class LineCursor:
    """A cursor over the lines of a text that records the role of each."""

    __slots__ = ("_fences", "lines", "roles")

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = [line.removesuffix("\r") for line in lines]
        self.roles = list[Role]()
        self._fences = list[Fence]()

    @property
    def at(self) -> int:
        return len(self.roles)

    @property
    def number(self) -> int:
        """Return the number of the next line, counted from 1."""
        return len(self.roles) + 1

    @property
    def ended(self) -> bool:
        return len(self.roles) >= len(self.lines)

    def peek(self) -> str:
        """Return the next line without taking it, or "" after the last line."""
        return "" if self.ended else self.lines[self.at]

    def take(self, role: Role) -> str:
        self.roles.append(role)
        return self.lines[len(self.roles) - 1]

    def take_to(self, end: int, role: Role) -> list[str]:
        """Take all lines up to `end` (from 0), including empty ones, and give them this role."""
        taken = self.lines[self.at : end]
        self.roles += [role] * len(taken)
        return taken

    def take_outside(self, role: Role = Role.PROSE) -> str:
        """Take a line that does not belong to any change."""
        line, depth = self.peek(), len(self._fences)
        follow(line, self._fences)
        if len(self._fences) != depth:
            role = Role.FENCE
        elif not line.strip():
            role = Role.BLANK
        return self.take(role)


Rule = Callable[[LineCursor], tuple[Sequence[FileChange], Sequence[str]]]


def read(lines: Sequence[str], rule: Rule) -> Reading:
    cursor = LineCursor(lines)
    try:
        changes, repairs = rule(cursor)
        if not changes:
            raise Unread("there is no change in this format")
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
    from react_agent.parsers.patch.reading.whole_file import file_parts

    for at, role in enumerate(cursor.roles):
        if role == Role.PROSE and is_change(cursor.lines, at):
            shown = cursor.lines[at][:60].rstrip()
            raise Unread(
                f"line {at + 1}, `{shown}`, looks like a change in a different format from the "
                f"others: {_ONE_FORMAT}"
            )
    names = {name for change in changes for name in (change.old, change.new)}
    for part in file_parts(cursor.lines):
        is_used = Role.BODY in cursor.roles[part.start : part.end + 1]
        if part.path not in names and not is_used:
            raise Unread(
                f"line {part.start + 1} looks like the whole file {part.path}, next to "
                f"changes in another format: {_ONE_FORMAT}, or leave out what is only quoted"
            )


def is_change(lines: Sequence[str], at: int) -> bool:
    """Return whether the line can only be part of a change, in any format."""
    line = lines[at]
    if line[:1] == "-" and line.startswith("--- "):
        return at + 1 < len(lines) and lines[at + 1].startswith("+++ ")
    return line[:1] in ("d", "@", "*", "<", "-", ">") and _CHANGE.match(line) is not None
