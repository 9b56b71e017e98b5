"""One way in which a hunk stands in a file."""

from collections.abc import Sequence
from typing import NamedTuple

from react_agent.parsers.patch.changes import Line, Splice

ABSENT = -1


class Match(NamedTuple):
    lines: tuple[Line, ...]  # of the hunk as it was meant; the added ones as they are to stand
    pairs: tuple[int, ...]  # for each of them the line of the file, from 0; absent: it has none
    said: tuple[str, ...] = ()  # how it differs from what was written
    score: float = 1.0  # how much of it agrees
    splices: tuple[Splice, ...] = ()  # what it makes of the file, once a rung has found it

    @property
    def first(self) -> int:
        return next(at for at in self.pairs if at != ABSENT)

    @property
    def last(self) -> int:
        return next(at for at in reversed(self.pairs) if at != ABSENT)

    @property
    def change(self) -> tuple[int, int]:
        """The lines of the file that it changes, the last one not included."""
        return self.splices[0].start, self.splices[-1].end


def may_be_new(match: Match) -> bool:
    """A line beside new ones that the file does not have: it may have lost its `+`."""
    marks = ["", *(line.mark for line in match.lines), ""]
    return any(
        line.mark != "+" and at == ABSENT and line.text.strip() and "+" in (above, below)
        for line, at, above, below in zip(match.lines, match.pairs, marks, marks[2:], strict=False)
    )


def holds_context(match: Match, file: Sequence[str]) -> bool:
    """A changed line stands there with its mark and all, and no line of the hunk quotes it.

    A remark of Lua or SQL, an item of a list: the blank before it was forgotten.
    """
    around = range(max(match.first - 1, 0), min(match.last + 2, len(file)))
    loose = {file[at] for at in set(around).difference(match.pairs)}
    return any(line.mark.strip() and line.mark + line.text in loose for line in match.lines)


def in_a_row(lines: tuple[Line, ...], start: int) -> tuple[int, ...]:
    """Its old lines stand one below the other, from `start` on."""
    pairs, at = list[int](), start
    for line in lines:
        pairs.append(ABSENT if line.mark == "+" else at)
        at += line.mark != "+"
    return tuple(pairs)
