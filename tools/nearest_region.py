"""Where in a file the lines of a hunk would stand, had they been quoted right."""

import difflib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from react_agent.tools.changed_regions import changed_regions

_ALIKE = 0.6
_SLACK = 5  # lines of the file that may have been left out of the quoted ones
_TELLING = 4  # characters; shorter lines stand everywhere


@dataclass(frozen=True, slots=True)
class Misquoted:
    at: int  # line of the file, counted from 0
    quoted: str
    found: str | None  # what the file says there, if it says something at all


@dataclass(frozen=True, slots=True)
class Nearest:
    start: int  # line of the file, counted from 0
    misquoted: tuple[Misquoted, ...]
    missed: tuple[int, ...]  # lines of the file, counted from 0, that were not quoted


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
    # lines before one that was left out vote for a place above
    above = [place for place in sorted(votes, reverse=True) if start - _SLACK <= place < start]
    compared = [_compared(lines, quoted, max(0, place)) for place in (start, *above)]
    return min(compared, key=lambda one: (len(one.misquoted) + len(one.missed), len(one.misquoted)))


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


def _compared(lines: Sequence[str], quoted: Sequence[str], start: int) -> Nearest:
    misquoted, missed, shift = list[Misquoted](), list[int](), start
    for region in changed_regions(lines[start : start + len(quoted) + _SLACK], quoted):
        at = region.start + shift
        for number in range(region.added):
            found = lines[at + number] if number < region.removed else None
            misquoted.append(Misquoted(at + number, quoted[region.start + number], found))
        if 0 < region.end < len(quoted):  # what the file says before and behind is not missed
            missed += range(at + region.added, at + region.removed)
        shift += region.removed - region.added
    return Nearest(start, tuple(misquoted), tuple(missed))
