"""Splices of one file together: made true, and one after the other as if at once."""

from collections.abc import Sequence
from itertools import pairwise

from react_agent.parsers.patch.changes import Splice
from react_agent.parsers.patch.source import Source, source_of_lines


def after(source: Source, splices: Sequence[Splice], final_newline: bool = True) -> Source:
    """The file behind them."""
    return source_of_lines([line for _, line in _kept(source.raw, splices)], final_newline)


def composed(source: Source, first: Sequence[Splice], then: Sequence[Splice]) -> tuple[Splice, ...]:
    """`then` counts in the lines that `first` left."""
    middle = _kept(source.raw, first)
    end = list[tuple[int | None, str]]()
    at = 0
    for splice in then:
        end += [*middle[at : splice.start], *((None, line) for line in splice.lines)]
        at = splice.end
    return _between([*end, *middle[at:]], len(source.raw))


def joined(splices: Sequence[Splice]) -> tuple[Splice, ...] | None:
    """In the order of the file; none where one cuts out what another one needs."""
    order = sorted(splices, key=lambda one: (one.start, one.end))
    for above, below in pairwise(order):
        if below.start < above.end or (above.start == below.start and above.end > above.start):
            return None
    return tuple(order)


def _kept(raw: Sequence[str], splices: Sequence[Splice]) -> list[tuple[int | None, str]]:
    """Each line, and its number where it was there before."""
    lines, at = list[tuple[int | None, str]](), 0
    for splice in splices:
        lines += zip(range(at, splice.start), raw[at : splice.start], strict=True)
        lines += ((None, line) for line in splice.lines)
        at = splice.end
    return [*lines, *zip(range(at, len(raw)), raw[at:], strict=True)]


def _between(lines: Sequence[tuple[int | None, str]], size: int) -> tuple[Splice, ...]:
    """What the lines that are still there leave between them."""
    splices, new, start = list[Splice](), list[str](), 0
    for number, line in (*lines, (size, "")):
        if number is None:
            new.append(line)
            continue
        if new or start < number:
            splices.append(Splice(start, number, tuple(new)))
        new, start = [], number + 1
    return tuple(splices)
