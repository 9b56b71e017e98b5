"""Where the reading of unified diffs stands: the lines, their roles, what was found so far."""

from collections.abc import Sequence

from react_agent.parsers.fence import Fence
from react_agent.parsers.patch.changes import FileChange, Role
from react_agent.parsers.patch.sections import Section

_SHOWN = 60  # characters of a line that is quoted
HUNK = "a hunk that begins with @@"


class Walk:
    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.roles = [Role.PROSE if line.strip() else Role.BLANK for line in lines]
        self.sections = list[Section]()
        self.intros = list[list[str]]()  # what is said above each block
        self.idle = list[int]()  # the lines of hunks that change nothing
        self.said = list[str]()  # since the last hunk
        self.repairs, self.problems = list[str](), list[str]()
        self.section: Section | None = None
        self.fence: Fence | None = None
        self.is_apart = False  # prose, or a fence's edge, since the last hunk

    def line(self, at: int) -> str:
        return self.lines[at] if at < len(self.lines) else ""

    def take(self, at: int, end: int, role: Role) -> int:
        self.roles[at:end] = [role] * (end - at)
        return end

    def written(self, at: int) -> int:
        """The next line that is not blank, from there on."""
        while at < len(self.lines) and not self.lines[at].strip():
            at += 1
        return at

    def problem(self, at: int, expected: str) -> None:
        if at >= len(self.lines):
            self.problems.append(f"the patch was cut off: it ends where {expected} should stand")
            return
        found = self.lines[at]
        shown = found if len(found) <= _SHOWN else found[:_SHOWN] + "..."
        self.problems.append(f"line {at + 1} of the patch: expected {expected}, found {shown!r}")

    def open(self, first: int, end: int, change: FileChange) -> Section:
        self.begin()
        self.section = Section(len(self.intros) - 1, first, end, change)
        self.sections.append(self.section)
        return self.section

    def begin(self) -> None:
        """A stretch of hunks with nothing between them, if something is above."""
        if self.is_apart or not self.intros:
            self.intros.append(self.said)
            self.said = []
        self.is_apart = False

    def end_section(self, at: int) -> None:
        """One without hunks has to say what else happens to its file."""
        section, self.section = self.section, None
        if section and not (section.pieces or section.idle or self._says_enough(section)):
            named = section.name or "the file"
            self.problem(self.written(at), f"{HUNK} below the header of {named}")

    def _says_enough(self, section: Section) -> bool:
        """Whether its file is moved, deleted, new and empty, or gets another mode."""
        change = section.header
        if change.new is None:
            return True
        if self.lines[section.end - 1].startswith(("--- ", "+++ ")):
            return False
        if change.old is None:
            return bool(change.new and change.new_mode)
        return bool(change.moved or change.new_mode)
