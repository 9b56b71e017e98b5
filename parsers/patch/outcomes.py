"""What was repaired in a patch, and why a hunk is refused, as values: `words.py` has the words."""

from enum import Enum, auto
from typing import NamedTuple


class Fix(Enum):
    """What was repaired; beside it the numbers that a `Repair` of this kind has."""

    START = auto()  # the line that the header gave, the line where it was found
    COUNTS = auto()  # old and new lines as the header counted them, and as they are
    UNMARKED = auto()  # lines
    TRAILING_SPACES = auto()
    LOST_MARK = auto()  # context lines; whether the new lines were moved too
    DOUBLED_MARK = auto()  # the same
    SHIFTED = auto()  # by how many characters, negative: to the left; whether they are tabs
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
    NEW_BLANKS = auto()
    ELIDED = auto()
    MISQUOTED = auto()  # lines
    ABSENT = auto()  # lines
    UNQUOTED = auto()  # lines
    ALREADY_APPLIED = auto()  # the line where its result is
    ON_TOP = auto()
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
    """Where a hunk that fits nowhere would fit best."""

    shown: tuple[tuple[int, str], ...]  # lines of the file, with their numbers from 1
    misquoted: tuple[tuple[str, tuple[int, str] | None], ...] = ()  # with its mark; the file's line
    more: int = 0  # further misquoted lines
    unquoted: tuple[int, ...] = ()  # lines of the file between them, from 1
    unmarked: str = ""  # a changed line that is, mark and all, a line of the file
    is_found: bool = False


class Why(Enum):
    CUT_OFF = auto()
    PLACEHOLDER = auto()  # its text
    NOT_EMPTY = auto()  # the line to be removed from an empty file
    QUOTES_NOTHING = auto()
    AMBIGUOUS = auto()  # the lines of the places
    OVERLAP = auto()  # the number of the other hunk, from 1
    ALREADY_APPLIED = auto()  # the line where its result is
    NEAR_END = auto()  # the line where it was found
    UNEVEN = auto()  # it keeps what was undone in other hunks
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
