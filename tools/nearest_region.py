"""Where in a file the lines of a hunk would stand, had they been quoted right."""

import difflib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_ALIKE = 0.6
_TELLING = 4  # characters; shorter lines stand everywhere


@dataclass(frozen=True, slots=True)
class Nearest:
    start: int  # line of the file, counted from 0
    differs: int  # line of the quoted ones, counted from 0, that is not like the file's


def places(lines: Sequence[str], quoted: Sequence[str]) -> list[int]:
    """Where the quoted lines stand, word for word."""
    size, first = len(quoted), quoted[0] if quoted else ""
    starts = (at for at, line in enumerate(lines) if line == first)
    return [at for at in starts if quoted and list(lines[at : at + size]) == list(quoted)]


def nearest_region(lines: Sequence[str], quoted: Sequence[str], expected: int) -> Nearest | None:
    """Where most of the lines agree; of several such places the one nearest to `expected`."""
    votes = _votes(lines, quoted) or _votes_of_alike(lines, quoted)
    if not votes:
        return None
    most = max(votes.values())
    places = [place for place, count in votes.items() if count == most]
    start = min(places, key=lambda place: abs(place - expected))
    return Nearest(start, _first_difference(lines, quoted, start))


def _votes(lines: Sequence[str], quoted: Sequence[str]) -> Counter[int]:
    where = dict[str, list[int]]()
    for at, line in enumerate(lines):
        where.setdefault(line.strip(), []).append(at)
    return Counter(
        at - number
        for number, line in enumerate(quoted)
        if len(line.strip()) >= _TELLING
        for at in where.get(line.strip(), ())
    )


def _votes_of_alike(lines: Sequence[str], quoted: Sequence[str]) -> Counter[int]:
    telling = max(quoted, key=lambda line: len(line.strip()), default="")
    alike = difflib.get_close_matches(telling, set(lines), 1, _ALIKE) if telling.strip() else []
    number = list(quoted).index(telling) if alike else 0
    return Counter(at - number for at, line in enumerate(lines) if line in alike)


def _first_difference(lines: Sequence[str], quoted: Sequence[str], start: int) -> int:
    for number, line in enumerate(quoted):
        at = start + number
        if not 0 <= at < len(lines) or lines[at] != line:
            return number
    return len(quoted)
