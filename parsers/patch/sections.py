"""What a reading of unified diffs is made of, before it is decided what of it counts."""

from typing import NamedTuple

from react_agent.parsers.patch.changes import FileChange, Hunk


class Piece(NamedTuple):
    """A hunk and its lines in the text, counted from 0, `end` not included."""

    hunk: Hunk
    first: int
    end: int


class Section:
    """The hunks below one header, in one stretch of the text."""

    def __init__(self, block: int, first: int, end: int, header: FileChange) -> None:
        self.block = block  # stretches that prose or a fence's edge divides
        self.first, self.end = first, end
        self.header = header
        self.pieces = list[Piece]()
        self.idle = 0  # hunks that change nothing

    def add(self, piece: Piece) -> None:
        self.pieces.append(piece)
        self.end = piece.end

    @property
    def name(self) -> str:
        return shown_name(self.header)

    @property
    def shown(self) -> str:
        return f"lines {self.first + 1}-{self.end}"


def shown_name(change: FileChange) -> str:
    """Without `a/` or `b/`; files are told apart by it."""
    if change.new:
        return change.new.removeprefix("b/")
    return (change.old or "").removeprefix("a/")
