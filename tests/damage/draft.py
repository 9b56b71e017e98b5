"""A diff in parts, so that each of them can be written wrong, and the text made of it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

NO_NEWLINE = " No newline at end of file"


@dataclass(slots=True)
class Line:
    mark: str  # " ", "-", "+", "\\"; "" where it is left out
    text: str
    at: int | None = None  # the line of the old file that it quotes, from 0
    end: str = ""  # "\r"
    is_true: bool = True  # it is quoted well enough to tell the line by
    true: str = ""

    def __post_init__(self) -> None:
        self.true = self.true or self.text

    @property
    def is_old(self) -> bool:
        return self.at is not None

    def written(self) -> str:
        return self.mark + self.text + self.end


@dataclass(slots=True)
class Hunk:
    start: int  # in the old file, from 0
    moved: int  # how many lines further down it stands in the new file
    lines: list[Line]
    header: str | None = None  # in place of the one with numbers
    off: int = 0  # how wrong its start is
    counts_off: tuple[int, int] = (0, 0)
    is_literal: bool = True  # all its old lines are there, as the file has them

    @property
    def old(self) -> list[Line]:
        return [line for line in self.lines if line.is_old]

    @property
    def added(self) -> list[Line]:
        return [line for line in self.lines if line.mark == "+"]

    @property
    def removed(self) -> list[Line]:
        return [line for line in self.lines if line.mark == "-"]

    @property
    def context(self) -> list[Line]:
        return [line for line in self.lines if line.mark in ("", " ") and line.is_old]

    @property
    def is_idle(self) -> bool:
        return [line.text for line in self.added] == [line.text for line in self.removed]

    @property
    def knows_start(self) -> bool:
        return self.header is None and not self.off

    def written_header(self) -> str:
        if self.header is not None:
            return self.header
        old = sum(line.is_old for line in self.lines)
        new = old + len(self.added) - len(self.removed)
        numbers = (
            _numbers(self.start + self.off, old, self.counts_off[0]),
            _numbers(self.start + self.moved + self.off, new, self.counts_off[1]),
        )
        return f"@@ -{numbers[0]} +{numbers[1]} @@"


def _numbers(start: int, count: int, off: int) -> str:
    said = max(count + off, 0)
    first = max(start + (count > 0), 0)
    return str(first) if said == 1 else f"{first},{said}"


@dataclass
class File:
    old: str | None
    new: str | None
    source: list[str]  # its old lines, without CR
    hunks: list[Hunk]
    newline: tuple[bool, bool] = (True, True)  # at the end of the old, of the new one
    is_crlf: bool = False
    is_mixed: bool = False
    has_git_line: bool = True
    index: str = ""
    said_old: str = ""
    said_new: str = ""

    def __post_init__(self) -> None:
        self.said_old = f"a/{self.old}" if self.old else "/dev/null"
        self.said_new = f"b/{self.new}" if self.new else "/dev/null"

    @property
    def is_moved(self) -> bool:
        return bool(self.old and self.new and self.old != self.new)

    @property
    def is_plain(self) -> bool:
        return bool(self.old and self.old == self.new)

    @cached_property
    def folded(self) -> "Folded":
        return Folded([fold(line) for line in self.source])

    def written(self) -> list[str]:
        lines = list(self._heading())
        if self.hunks:
            lines += [f"--- {self.said_old}", f"+++ {self.said_new}"]
        for hunk in self.hunks:
            header = hunk.written_header()
            lines += [header] if header else []
            lines += [line.written() for line in hunk.lines]
        return lines

    def _heading(self) -> list[str]:
        lines = []
        if self.has_git_line:
            lines.append(f"diff --git a/{self.old or self.new} b/{self.new or self.old}")
            lines += ["new file mode 100644"] if not self.old else []
            lines += ["deleted file mode 100644"] if not self.new else []
        if self.is_moved:
            lines += ["similarity index 90%", f"rename from {self.old}", f"rename to {self.new}"]
        return [*lines, self.index] if self.index else lines


class Folded:
    """The lines of a file without their blanks, and where each of them stands."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.places: dict[str, list[int]] = {}
        for at, line in enumerate(lines):
            self.places.setdefault(line, []).append(at)


_FOLDED = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "—": "-"})


def fold(text: str) -> str:
    return "".join(text.split()).translate(_FOLDED)


Finish = Callable[[str], str]
_CUT = "\0"


@dataclass
class Draft:
    files: list[File]
    before: dict[str, str]
    after: dict[str, str]
    write: "Callable[[Draft], str] | None" = None  # in another spelling
    finishes: list[Finish] = field(default_factory=list)
    is_cut: bool = False  # nothing comes after its last line, no fence that closes either

    @property
    def hunks(self) -> list[Hunk]:
        return [hunk for file in self.files for hunk in file.hunks]

    def plain_hunks(self) -> list[tuple[File, Hunk]]:
        """Those of files that stay where they are."""
        return [(file, hunk) for file in self.files if file.old and file.new for hunk in file.hunks]

    def text(self) -> str:
        text = self.write(self) if self.write else unified(self)
        text += _CUT if self.is_cut else ""
        for finish in self.finishes:
            text = finish(text)
        return text.partition(_CUT)[0]


def unified(draft: Draft) -> str:
    return "".join(f"{line}\n" for file in draft.files for line in file.written())
