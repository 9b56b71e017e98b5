"""The old and the new lines of a block as lines of a hunk: what is equal in both stays.

Equal lines at both ends stay, and so do those between that each side has exactly once, in the same
order, with the equal lines next to them. Where that is not certain a line goes and comes.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from react_agent.parsers.patch.changes import Line
from react_agent.parsers.patch.line_diff import rising


def kept_lines(old: Sequence[str], new: Sequence[str]) -> tuple[Line, ...]:
    return tuple(_between(old, new, _anchors(old, new)))


def _between(
    old: Sequence[str], new: Sequence[str], anchors: Sequence[tuple[int, int]]
) -> Iterator[Line]:
    at_old = at_new = 0
    for in_old, in_new in (*anchors, (len(old), len(new))):
        yield from _trimmed(old[at_old:in_old], new[at_new:in_new])
        if in_old < len(old):
            yield Line(" ", old[in_old])
        at_old, at_new = in_old + 1, in_new + 1


def _trimmed(old: Sequence[str], new: Sequence[str]) -> Iterator[Line]:
    shorter, head, tail = min(len(old), len(new)), 0, 0
    while head < shorter and old[head] == new[head]:
        head += 1
    while tail < shorter - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    yield from (Line(" ", line) for line in old[:head])
    yield from (Line("-", line) for line in old[head : len(old) - tail])
    yield from (Line("+", line) for line in new[head : len(new) - tail])
    yield from (Line(" ", line) for line in old[len(old) - tail :])


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Lines that are once on each side: the longest row of them that is in order on both."""
    in_old, in_new = Counter(old), Counter(new)
    places = {line: at for at, line in enumerate(new) if in_new[line] == 1 and line.strip()}
    pairs = [(at, places[line]) for at, line in enumerate(old) if _once(line, in_old, places)]
    return rising(pairs)


def _once(line: str, in_old: Counter[str], places: dict[str, int]) -> bool:
    return line in places and in_old[line] == 1
