"""Values for the content of a patch in any format, its repairs, and the reasons for a refusal."""

from enum import Enum, StrEnum
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
    """A change of a file. A name includes `a/` or `b/`; it is "" if absent, None if `/dev/null`."""

    at: int
    old: str | None
    new: str | None
    hunks: tuple[Hunk, ...] = ()
    whole: tuple[str, ...] | None = None  # all lines of the new file, if it was sent whole
    moved: str = ""  # `rename`; `copy`, which is refused
    old_mode: str = ""  # `100755`, if it was written; also of a deleted file
    new_mode: str = ""  # also of a new file


class Role(StrEnum):
    """The role of a line in the text. Every line has exactly one role."""

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
    """A change with the names of real files. A name is None if the file is created or deleted."""

    change: FileChange
    old: str | None
    new: str | None
    repairs: tuple[str, ...] = ()


class Result(NamedTuple):
    old: str | None
    new: str | None
    text: str | None  # of the new file; None if it is deleted
    mode: str = ""  # the new mode, if it is new or changed


class Repaired(NamedTuple):
    patch: str  # as git writes it
    results: tuple[Result, ...]
    repairs: tuple[str, ...]  # in words; empty if nothing was repaired


class Refused(NamedTuple):
    reasons: tuple[str, ...]
    of_parts: bool = False  # whether a part of a line is found in several places


_AS_FILE = "taken as the file has {them}"
_CONTEXT = "{n} context line{s} "
_END = "the file has {} newline at its end, "


class Fix(Enum):
    """The kind of a repair, with a message template that words.py fills from a `Repair`.

    The first number is a count (`n`) or a shift, which is negative to the left. For a shift, the
    second number says whether it is by tabs.
    """

    START = "its header gave line {0}, found at {1}"
    COUNTS = "its header counted {0} and {1} lines, there are {2} and {3}"
    UNMARKED = f"{_CONTEXT}without {{its}} mark{{s}} read as context"
    TRAILING_SPACES = "matched ignoring spaces at the ends of lines"
    SHIFTED = "re-indented by {n} {kind}{s} {more}, its new lines too"
    CHANGES_SHIFTED = "its changed lines re-indented by {n} {kind}{s} {more}"
    CONTEXT_SHIFTED = f"{_CONTEXT}indented differently, {_AS_FILE}"
    TABS = "indented with tabs, as the file is"
    SPACES = "indented with spaces, as the file is"
    PUNCTUATION = "matched ignoring typographic punctuation and spaces inside lines"
    LISTING = "the line numbers of a listing were left out"
    TRANSCRIPT_MARKS = "marks that only a transcript has were left out"
    BACKSLASHES = "backslashes before quotes were removed"
    ENTITIES = "HTML entities such as `&lt;` were replaced"
    BLANK_ENDS = "blank lines at its ends were left out"
    ELIDED = "the lines that its `...` stands for were found and kept"
    MISQUOTED = f"{{n}} line{{s}} misquoted, {_AS_FILE}"
    ABSENT = "left out {n} line{s} that the file does not have"
    UNQUOTED = "kept {n} line{s} of the file that it does not quote"
    ALREADY_APPLIED = "skipped: already applied at line {0}"
    ORDER = "the hunks were out of order"
    WITHOUT_PLUS = "{n} line{s} without a + read as added"
    NOTE_LEFT_OUT = "a `No newline` note before the end of the file was left out"
    NO_NEWLINE_KEPT = f"{_END.format('no')}and stays so"
    NEWLINE_THERE = f"{_END.format('a')}though the patch says that it has none"
    NEWLINE_MISSING = f"{_END.format('no')}though the patch says that it has one"
    DELETED_WHOLE = "deleted whole, though {n} of its {1} line{s} {were} quoted"
    DELETED_MISQUOTED = (
        "deleted whole, though {n} of the {1} lines quoted {are} not in it as quoted"
    )


class Repair(NamedTuple):
    fix: Fix
    numbers: tuple[int, ...] = ()
    hunk: int | None = None  # from 0; None: of the whole file


class Nearest(NamedTuple):
    """The closest match for a hunk that fits nowhere."""

    shown: tuple[tuple[int, str], ...]  # lines of the file, with their numbers from 1
    misquoted: tuple[tuple[str, tuple[int, str] | None], ...] = ()  # with its mark; the file's line
    more: int = 0  # further misquoted lines
    unquoted: tuple[int, ...] = ()  # numbers of file lines between them that were not quoted
    unmarked: str = ""  # a changed line that is in the file with its mark
    is_found: bool = False


_QUOTE_MORE = "quote more of the lines around the one you mean"


class Why(Enum):
    """The reason for a refusal, as a template: `text` is a line, and numbers are line numbers."""

    CUT_OFF = (
        "looks cut off: its header announces more lines than it has; send all of it, with three "
        "unchanged lines at its end"
    )
    PLACEHOLDER = (
        "adds `{text}`, which would replace lines of the file: write those lines out, or leave "
        "them as they are"
    )
    NOT_EMPTY = "removes `{text}`, but the file is new or empty: write + before each line"
    QUOTES_NOTHING = "quotes no line of the file: quote the lines above and below the new ones"
    AMBIGUOUS = f"fits equally well at lines {{lines}}: {_QUOTE_MORE}, or write its line number"
    OVERLAP = "changes lines that hunk {0} changes too: write both as one hunk"
    ALREADY_APPLIED = (
        f"may already be applied: its result is at line {{0}}: {_QUOTE_MORE}, or write the right "
        "line number"
    )
    NEAR_END = (
        "ends in a change, as if at the end of the file, but fits further up, at line {0}: quote "
        "the unchanged lines below it"
    )
    UNEVEN = (
        "has new lines that may repeat a mistake that was corrected in other hunks: send every "
        "hunk exactly as the file should read"
    )
    MISSING = "is not in the file"  # the nearest place says more
    DELETION_ADDS = (
        "{name} is to be deleted, but a hunk adds {text!r}: to change it, write +++ b/{path}"
    )
    DELETION_MISQUOTES = (
        "{name} is to be deleted, but {text!r} is not in it: quote the lines of {path}, or name "
        "another file"
    )
    MOSTLY_GONE = (
        "what was sent as the whole text of {path} has only {0} of its {1} lines: write the whole "
        "file, or a diff of the changes"
    )


class Problem(NamedTuple):
    why: Why
    hunk: int | None = None  # from 0
    numbers: tuple[int, ...] = ()
    text: str = ""
    nearest: Nearest | None = None
