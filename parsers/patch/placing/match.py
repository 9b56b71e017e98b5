"""One way in which a hunk is in a file, and what it cuts out there and puts in."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from react_agent.parsers.patch.changes import Line
from react_agent.parsers.patch.outcomes import Repair
from react_agent.parsers.patch.source import Source, Splice

ABSENT = -1
_BOM = "\ufeff"


class Match(NamedTuple):
    lines: tuple[Line, ...]  # of the hunk as it was meant; the added ones as they are to come in
    pairs: tuple[int, ...]  # for each of them the line of the file, from 0; absent: it has none
    repairs: tuple[Repair, ...] = ()  # how it differs from what was written
    score: float = 1.0  # how much of it agrees
    splices: tuple[Splice, ...] = ()  # what it makes of the file, once it is known

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


def in_a_row(lines: Sequence[Line], start: int) -> tuple[int, ...]:
    """Its old lines follow each other in the file, from `start` on."""
    pairs, at = list[int](), start
    for line in lines:
        pairs.append(ABSENT if line.mark == "+" else at)
        at += line.mark != "+"
    return tuple(pairs)


class _Run(NamedTuple):
    """Changed lines with no context between them."""

    gone: tuple[int, ...]  # lines of the file
    new: tuple[str, ...]
    before: int  # of the new ones, written before the first that is removed
    above: int  # the line of the file quoted just above; absent: nothing is
    below: int


def spliced(match: Match, source: Source) -> tuple[Splice, ...] | None:
    """None where its new lines could go to more than one place, or removed ones are not one run."""
    splices = list[Splice]()
    if any(line.mark == "-" and at == ABSENT for line, at in _both(match)):
        return None
    for run in _runs(match):
        splice = _splice(run, source)
        if splice is None:
            return None
        splices.append(splice)
    if splices and splices[0].start == 0 and source.raw[:1] and source.raw[0][:1] == _BOM:
        return _with_mark(match, splices)
    return tuple(splices)


def _both(match: Match) -> Iterator[tuple[Line, int]]:
    return zip(match.lines, match.pairs, strict=True)


def _with_mark(match: Match, splices: Sequence[Splice]) -> tuple[Splice, ...] | None:
    """The byte order mark stays before the first line, if the hunk does not quote it."""
    first, *others = splices
    quoted = [line.text for line, at in _both(match) if at == 0]
    if (quoted and quoted[0][:1] == _BOM) or (first.lines and first.lines[0][:1] == _BOM):
        return tuple(splices)
    if first.lines and first.end:
        return Splice(0, first.end, (_BOM + first.lines[0], *first.lines[1:])), *others
    return None


def _runs(match: Match) -> Iterator[_Run]:
    gone, new, before, above = list[int](), list[str](), 0, ABSENT
    for line, at in (*_both(match), (Line(" ", ""), ABSENT)):
        if line.mark == "+":
            new.append(line.text)
            before += not gone
        elif line.mark == "-":
            gone.append(at)
        else:
            if gone or new:
                yield _Run(tuple(gone), tuple(new), before, above, at)
                gone, new, before = [], [], 0
            above = at


def _splice(run: _Run, source: Source) -> Splice | None:
    if run.gone:
        start, end = run.gone[0], run.gone[-1] + 1
        if end - start != len(run.gone) or _is_loose(run, start, end):
            return None
    else:
        start = end = run.below if run.above == ABSENT else run.above + 1
        if start == ABSENT or (run.below not in (ABSENT, start)):
            return None  # lines of the file are between the two: on which side, nothing tells
    return _with_ends(start, end, run.new, source)


def _is_loose(run: _Run, start: int, end: int) -> bool:
    """Unquoted lines of the file are where new ones come in beside removed ones."""
    is_loose_above = run.before and ABSENT < run.above < start - 1
    is_uneven = len(run.new) not in (0, len(run.gone))
    return bool(is_loose_above or (is_uneven and run.below > end))


def _with_ends(start: int, end: int, new: Sequence[str], source: Source) -> Splice:
    """New lines end as those around them; a line that only came back is left out."""
    file = source.lines
    while start < end and new and new[0] == file[start]:
        start, new = start + 1, new[1:]
    while start < end and new and new[-1] == file[end - 1]:
        end, new = end - 1, new[:-1]
    newline = source.newline_at(start, end)
    if newline and end == len(file) and not source.final_newline and new:
        # the last line has no end: the one that was the last gets one, the new one does not
        if start == end:
            start, new = start - 1, (source.lines[-1], *new)
        return Splice(start, end, (*(f"{line}\r" for line in new[:-1]), new[-1]))
    ended = (line if line.endswith("\r") else line + newline for line in new)
    return Splice(start, end, tuple(ended))
