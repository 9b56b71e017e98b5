"""Which runs of lines differ: anchored on lines that both sides have once, never quadratic."""

from collections.abc import Iterator, Sequence

from react_agent.parsers.patch.rising import rising

_DEEPEST = 8  # times that a gap between anchors is anchored again
_SMALL = 50  # lines on either side of a gap in which each is compared with each

Lines = Sequence[str]
Gap = tuple[int, int, int, int]  # from and to in the old lines, from and to in the new


def differing(old: Lines, new: Lines) -> list[Gap]:
    """In order; between them the lines are the same."""
    return [*_gaps(old, new, (0, len(old), 0, len(new)), 0)]


def _gaps(old: Lines, new: Lines, gap: Gap, depth: int) -> Iterator[Gap]:
    a, b, c, d = _without_equal_ends(old, new, gap)
    if a == b or c == d:
        if (a, c) != (b, d):
            yield a, b, c, d
        return
    anchors = _anchors(old, new, (a, b, c, d)) if depth < _DEEPEST else []
    if not anchors:
        yield from _smallest(old, new, (a, b, c, d))
        return
    for at, to in anchors:
        yield from _gaps(old, new, (a, at, c, to), depth + 1)
        a, c = at + 1, to + 1
    yield from _gaps(old, new, (a, b, c, d), depth + 1)


def _without_equal_ends(old: Lines, new: Lines, gap: Gap) -> Gap:
    a, b, c, d = gap
    while a < b and c < d and old[a] == new[c]:
        a, c = a + 1, c + 1
    while a < b and c < d and old[b - 1] == new[d - 1]:
        b, d = b - 1, d - 1
    return a, b, c, d


def _anchors(old: Lines, new: Lines, gap: Gap) -> list[tuple[int, int]]:
    """The longest series of lines that both have once, in the order of both."""
    a, b, c, d = gap
    there, here = _once(new, c, d), _once(old, a, b)
    pairs = [(at, there[line]) for line, at in here.items() if line in there]
    return rising(pairs)


def _once(lines: Lines, start: int, end: int) -> dict[str, int]:
    """The lines that stand there once, and where."""
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
    if max(b - a, d - c) > _SMALL:
        yield gap
        return
    from difflib import SequenceMatcher

    compared = SequenceMatcher(None, old[a:b], new[c:d], autojunk=False)
    for tag, *(i, j, k, m) in compared.get_opcodes():
        if tag != "equal":
            yield a + i, a + j, c + k, c + m
