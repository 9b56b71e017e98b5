"""Find the equal lines of two texts, anchored on lines that occur once in both.

The running time is never quadratic. difflib compares the lines between anchors, up to a limit.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from react_agent.parsers.patch.changes import Line

_MOST_COMPARED = 20_000  # pairs of lines in a gap without anchors; a larger gap differs as a whole

Lines = Sequence[str]
Gap = tuple[int, int, int, int]  # start and end in the old lines, start and end in the new


def differing(old: Lines, new: Lines) -> list[Gap]:
    """Return the ranges of lines that differ, in order. All lines outside them are equal."""
    return [one for gap in _gaps(old, new) for one in _smallest(old, new, gap)]


def kept_lines(old: Lines, new: Lines) -> tuple[Line, ...]:
    """Return the two sides of a block as hunk lines. A line is kept only if that is certain.

    Equal lines at both ends are kept. Between them, a line is kept if it occurs exactly once on
    each side, in the same order. Equal lines next to such a line are kept, too.
    """
    lines, at = list[Line](), 0
    for start, end, first, last in _gaps(old, new):
        lines += [Line(" ", line) for line in old[at:start]]
        lines += [Line("-", line) for line in old[start:end]]
        lines += [Line("+", line) for line in new[first:last]]
        at = end
    return (*lines, *(Line(" ", line) for line in old[at:]))


def _gaps(old: Lines, new: Lines) -> Iterator[Gap]:
    """Yield the ranges between the lines that are certainly kept."""
    a, b, c, d = without_equal_ends(old, new, (0, len(old), 0, len(new)))
    for at, to in (*_anchors(old, new, (a, b, c, d)), (b, d)):
        start, end, first, last = without_equal_ends(old, new, (a, at, c, to))
        if start < end or first < last:
            yield start, end, first, last
        a, c = at + 1, to + 1


def without_equal_ends(old: Lines, new: Lines, gap: Gap) -> Gap:
    a, b, c, d = gap
    while a < b and c < d and old[a] == new[c]:
        a, c = a + 1, c + 1
    while a < b and c < d and old[b - 1] == new[d - 1]:
        b, d = b - 1, d - 1
    return a, b, c, d


def _anchors(old: Lines, new: Lines, gap: Gap) -> list[tuple[int, int]]:
    """Return the longest series of lines that occur once in each text, in the same order."""
    a, b, c, d = gap
    there, here = _once(new, c, d), _once(old, a, b)
    pairs = [(at, there[line]) for line, at in here.items() if line in there and line.strip()]
    return rising(pairs)


def rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest series of pairs with rising second members. The pairs must be sorted."""
    ends, last = list[int](), list[int]()  # for each length of a row, its lowest end
    before = list[int]()  # for each pair, the pair before it in its longest row
    for number, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        ends[length : length + 1] = [place]
        last[length : length + 1] = [number]
        before.append(last[length - 1] if length else -1)
    found, number = list[tuple[int, int]](), last[-1] if last else -1
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    return found[::-1]


def _once(lines: Lines, start: int, end: int) -> dict[str, int]:
    """Return the lines that occur once in this range, with their positions."""
    places = dict[str, int]()
    several = set[str]()
    for at in range(start, end):
        line = lines[at]
        if line in places:
            several.add(line)
        places[line] = at
    return {line: at for line, at in places.items() if line not in several}


def _smallest(old: Lines, new: Lines, gap: Gap) -> Iterator[Gap]:
    a, b, c, d = gap
    if (b - a) * (d - c) > _MOST_COMPARED:
        yield gap
        return
    from difflib import SequenceMatcher  # a slow import

    codes = SequenceMatcher(None, old[a:b], new[c:d], autojunk=False).get_opcodes()
    yield from (
        (a + at, a + to, c + first, c + last)
        for tag, at, to, first, last in codes
        if tag != "equal"
    )
