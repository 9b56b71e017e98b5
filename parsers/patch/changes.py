"""What a patch says, however it was written: changes of files, made of hunks, made of lines."""

from enum import StrEnum
from typing import NamedTuple


class Line(NamedTuple):
    mark: str  # " " it stays, "-" it goes, "+" it comes; "" where none was written
    text: str  # without the mark, and without a CR at its end


class Hunk(NamedTuple):
    at: int  # its first line in the text it was read from, counted from 1
    lines: tuple[Line, ...]
    start: int | None = None  # the line of the old file that its header says, counted from 1
    counts: tuple[int, int] | None = None  # the old and the new lines that its header announces
    sections: tuple[str, ...] = ()  # what its header names: `def name`; the outer one first
    at_end: bool = False  # it says that it stands at the end of the file
    no_newline: tuple[bool, bool] = (False, False)  # the old, the new file has none at its end
    everywhere: bool = False  # all its places are meant
    is_block: bool = False  # search and replace: it may quote a part of a line
    cut_off: bool = False  # more was announced than came, and it ends in a change
    lacking: int = 0  # lines announced on both sides, where the text ends in its last change

    @property
    def old(self) -> tuple[str, ...]:
        return tuple(line.text for line in self.lines if line.mark != "+")

    @property
    def new(self) -> tuple[str, ...]:
        return tuple(line.text for line in self.lines if line.mark != "-")


class FileChange(NamedTuple):
    """Names are as they were written, with `a/` and `b/`; empty: not said; none: `/dev/null`."""

    at: int
    old: str | None
    new: str | None
    hunks: tuple[Hunk, ...] = ()
    whole: tuple[str, ...] | None = None  # all lines of the new file, where it came whole
    moved: str = ""  # `rename`, `copy`
    old_mode: str = ""  # `100755`, where it was said; of a deleted file too
    new_mode: str = ""  # of a new file too


class Role(StrEnum):
    """What a line of the text was taken for: each has one."""

    HEADER = "header"  # of a file or of a hunk, a mark of a block
    BODY = "hunk"  # a line of a hunk or of a whole file
    FENCE = "fence"
    BLANK = "blank"  # between the parts
    PROSE = "prose"
    DRAFT = "draft"  # a change that one further down replaces
    IDLE = "idle"  # a hunk that changes nothing


class Reading(NamedTuple):
    changes: tuple[FileChange, ...]
    roles: tuple[Role, ...]  # one for each line of the text, split at newlines
    repairs: tuple[str, ...] = ()  # what was mended in reading
    problem: str = ""  # why nothing can be done with it: then there are no changes


class Named(NamedTuple):
    """A change whose names are those of files; none: it is created, it is deleted."""

    change: FileChange
    old: str | None
    new: str | None
    repairs: tuple[str, ...] = ()


class Result(NamedTuple):
    """What became of one file."""

    old: str | None
    new: str | None
    text: str | None  # of the new file; none where it is deleted
    mode: str = ""  # the new one, where it is new or changed


class Refusal(NamedTuple):
    """Why not; shown to the model, in one or more lines."""

    reason: str
    of_parts: bool = False  # of lines: it stands as such in several places
