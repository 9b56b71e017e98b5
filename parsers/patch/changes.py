"""The values: what a patch says in any format, what was repaired, and why it is refused."""

from enum import Enum, StrEnum, auto
from typing import NamedTuple


class Line(NamedTuple):
    mark: str  # " " unchanged, "-" removed, "+" added; "" no mark was written
    text: str  # without the mark, and without a CR at its end


class Hunk(NamedTuple):
    at: int  # its first line in the text it was read from, counted from 1
    lines: tuple[Line, ...]
    start: int | None = None  # the line of the old file in its header, from 1
    counts: tuple[int, int] | None = None  # the numbers of old and new lines in its header
    sections: tuple[str, ...] = ()  # the names in its header, as `def name`; outermost first
    at_end: bool = False  # the hunk says that it is at the end of the file
    no_newline: tuple[bool, bool] = (False, False)  # old, new file has no newline at its end
    everywhere: bool = False  # it applies to all its places
    is_block: bool = False  # a search and replace block: it may quote a part of a line
    cut_off: bool = False  # the header counts more lines, and the hunk ends in a change

    @property
    def old(self) -> tuple[str, ...]:
        return tuple(line.text for line in self.lines if line.mark != "+")

    @property
    def new(self) -> tuple[str, ...]:
        return tuple(line.text for line in self.lines if line.mark != "-")

    @property
    def is_idle(self) -> bool:
        """Return whether the hunk changes nothing."""
        return self.old == self.new and self.no_newline[0] == self.no_newline[1]


class FileChange(NamedTuple):
    """A change of a file. Its names have `a/` or `b/`; empty: not written; None: `/dev/null`."""

    at: int
    old: str | None
    new: str | None
    hunks: tuple[Hunk, ...] = ()
    whole: tuple[str, ...] | None = None  # all lines of the new file, if it was sent whole
    moved: str = ""  # `rename`; `copy`, which is refused
    old_mode: str = ""  # `100755`, if it was written; also of a deleted file
    new_mode: str = ""  # also of a new file


class Role(StrEnum):
    """The role of a line in the text. Every line has one."""

    HEADER = "header"  # of a file or of a hunk, a mark of a block
    BODY = "hunk"  # a line of a hunk or of a whole file
    FENCE = "fence"
    BLANK = "blank"  # between the parts
    PROSE = "prose"
    DRAFT = "draft"  # a change that a later one replaces
    IDLE = "idle"  # a hunk that changes nothing


class Reading(NamedTuple):
    changes: tuple[FileChange, ...]
    roles: tuple[Role, ...]  # one for each line of the text, split at newlines
    repairs: tuple[str, ...] = ()  # what was repaired in reading
    problem: str = ""  # why the text can't be used; then there are no changes


class Named(NamedTuple):
    """A change with the names of real files. None: the file is created or deleted."""

    change: FileChange
    old: str | None
    new: str | None
    repairs: tuple[str, ...] = ()


class Result(NamedTuple):
    """The result of a patch for one file."""

    old: str | None
    new: str | None
    text: str | None  # of the new file; None if it is deleted
    mode: str = ""  # the new mode, if it is new or changed


class Refusal(NamedTuple):
    """The reason for a refusal, shown to the model in one or more lines."""

    reason: str
    of_parts: bool = False  # whether a part of a line is found in several places


class Fix(Enum):
    """The kind of a repair. The comments say which numbers a `Repair` of this kind has."""

    START = auto()  # the line that the header gave, the line where it was found
    COUNTS = auto()  # old and new lines as the header counted them, and as they are
    UNMARKED = auto()  # lines
    TRAILING_SPACES = auto()
    LOST_MARK = auto()  # context lines; whether the new lines were moved too
    DOUBLED_MARK = auto()  # the same
    SHIFTED = auto()  # number of characters, negative to the left; whether they are tabs
    CHANGES_SHIFTED = auto()  # the same, of the changed lines only
    REMOVED_SHIFTED = auto()  # the same, of the removed lines only
    CONTEXT_SHIFTED = auto()  # context lines
    TABS = auto()
    SPACES = auto()
    PUNCTUATION = auto()
    LISTING = auto()
    TRANSCRIPT_MARKS = auto()
    BACKSLASHES = auto()
    ENTITIES = auto()
    BLANK_ENDS = auto()
    ELIDED = auto()
    MISQUOTED = auto()  # lines
    ABSENT = auto()  # lines
    UNQUOTED = auto()  # lines
    ALREADY_APPLIED = auto()  # the line where its result is
    ORDER = auto()
    WITHOUT_PLUS = auto()  # lines
    NOTE_LEFT_OUT = auto()
    NO_NEWLINE_KEPT = auto()
    NEWLINE_THERE = auto()
    NEWLINE_MISSING = auto()
    DELETED_WHOLE = auto()  # lines quoted, lines of the file
    DELETED_MISQUOTED = auto()  # lines that are not there, lines quoted


class Repair(NamedTuple):
    fix: Fix
    numbers: tuple[int, ...] = ()
    hunk: int | None = None  # from 0; None: of the whole file


class Nearest(NamedTuple):
    """The place where a hunk that fits nowhere would fit best."""

    shown: tuple[tuple[int, str], ...]  # lines of the file, with their numbers from 1
    misquoted: tuple[tuple[str, tuple[int, str] | None], ...] = ()  # with its mark; the file's line
    more: int = 0  # further misquoted lines
    unquoted: tuple[int, ...] = ()  # numbers of file lines between them that were not quoted
    unmarked: str = ""  # a changed line that is in the file with its mark
    is_found: bool = False


class Why(Enum):
    CUT_OFF = auto()
    PLACEHOLDER = auto()  # its text
    NOT_EMPTY = auto()  # the line that it removes from an empty file
    QUOTES_NOTHING = auto()
    AMBIGUOUS = auto()  # the lines of the places
    OVERLAP = auto()  # the number of the other hunk, from 1
    ALREADY_APPLIED = auto()  # the line where its result is
    NEAR_END = auto()  # the line where it was found
    UNEVEN = auto()  # no numbers: it has what was undone in other hunks
    MISSING = auto()
    DELETION_ADDS = auto()  # the line that is added
    DELETION_MISQUOTES = auto()  # the line that is not there
    MOSTLY_GONE = auto()  # lines that are kept, lines of the file


class Problem(NamedTuple):
    why: Why
    hunk: int | None = None  # from 0
    numbers: tuple[int, ...] = ()
    text: str = ""
    nearest: Nearest | None = None
