"""A cursor over the lines of a text that notes what each was taken for."""

from collections.abc import Sequence

from react_agent.parsers.fence import Fence, follow
from react_agent.parsers.patch.changes import Role


class Unread(Exception):
    """Why nothing can be done with the text; never leaves the readers."""


class LineCursor:
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
        """Of the line that comes next, counted from 1."""
        return len(self.roles) + 1

    @property
    def ended(self) -> bool:
        return len(self.roles) >= len(self.lines)

    @property
    def fence(self) -> Fence | None:
        """The one that the next line stands in."""
        return self._fences[-1] if self._fences else None

    def peek(self, ahead: int = 0) -> str:
        """A line that comes; nothing behind the last one."""
        at = len(self.roles) + ahead
        return self.lines[at] if at < len(self.lines) else ""

    def take(self, role: Role) -> str:
        self.roles.append(role)
        return self.lines[len(self.roles) - 1]

    def take_to(self, end: int, role: Role) -> list[str]:
        """The lines up to that one, counted from 0; blank ones are lines like any other."""
        taken = self.lines[self.at : end]
        self.roles += [role] * len(taken)
        return taken

    def take_outside(self, role: Role = Role.PROSE) -> str:
        """A line that belongs to no change."""
        line, depth = self.peek(), len(self._fences)
        follow(line, self._fences)
        if len(self._fences) != depth:
            role = Role.FENCE
        elif not line.strip():
            role = Role.BLANK
        return self.take(role)
