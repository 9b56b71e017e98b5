"""Which of their places the hunks of a file have, all of them together.

Hunks stand in the file in the order in which they are written. If that leaves more than one way,
the names and the numbers in their headers may tell; if these don't, nothing is guessed.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from react_agent.parsers.patch.changes import Hunk
from react_agent.parsers.patch.match import Match
from react_agent.parsers.patch.section import is_below

Places: TypeAlias = Sequence[Match]

_NEAR = 3  # lines; by so many a number is often off


def chosen(hunks: Sequence[Hunk], places: Sequence[Places], file: Sequence[str]) -> list[Places]:
    """For each hunk the places that are left; one, if it is plain."""
    left = list(places)
    by_section, by_number = _by_section(file), _by_number(file)
    for narrow in (_at_end(file), _by_good_number, _in_order, by_section, _in_order, by_number):
        if all(len(one) == 1 for one in left):
            break
        left = narrow(hunks, left)
    return _in_order(hunks, left)


def _at_end(file: Sequence[str]) -> Callable[[Sequence[Hunk], list[Places]], list[Places]]:
    size = next((at for at in range(len(file), 0, -1) if file[at - 1].strip()), 0)

    def narrow(hunks: Sequence[Hunk], places: list[Places]) -> list[Places]:
        return [
            [one for one in some if one.last + 1 >= size] or some if hunk.at_end else some
            for hunk, some in zip(hunks, places, strict=True)
        ]

    return narrow


def _by_section(file: Sequence[str]) -> Callable[[Sequence[Hunk], list[Places]], list[Places]]:
    def narrow(hunks: Sequence[Hunk], places: list[Places]) -> list[Places]:
        return [
            _named(hunk, some, file) if hunk.sections and len(some) > 1 else some
            for hunk, some in zip(hunks, places, strict=True)
        ]

    return narrow


def _named(hunk: Hunk, places: Places, file: Sequence[str]) -> Places:
    """Unless the number says one that is not below the name."""
    below = [one for one in places if is_below(hunk.sections, one.first, one.last, file)]
    said = [one for one in places if one.first + 1 == hunk.start]
    return below if below and not (said and said[0] not in below) else places


def _by_good_number(hunks: Sequence[Hunk], places: list[Places]) -> list[Places]:
    """Of headers that are right about the lines below them."""
    return [
        [one for one in some if one.first + 1 == hunk.start] or some if is_counted(hunk) else some
        for hunk, some in zip(hunks, places, strict=True)
    ]


def _by_number(file: Sequence[str]) -> Callable[[Sequence[Hunk], list[Places]], list[Places]]:
    def narrow(hunks: Sequence[Hunk], places: list[Places]) -> list[Places]:
        drift = _drift(hunks, places)
        return [
            _numbered(hunk, some, drift) if len(some) > 1 and _agree(hunk, some, file) else some
            for hunk, some in zip(hunks, places, strict=True)
        ]

    return narrow


def _agree(hunk: Hunk, places: Places, file: Sequence[str]) -> bool:
    """The name in its header does not say another place than the number."""
    below = [one for one in places if is_below(hunk.sections, one.first, one.last, file)]
    return not hunk.sections or not below or any(one.first + 1 == hunk.start for one in below)


def _numbered(hunk: Hunk, places: Places, drift: int | None) -> Places:
    if hunk.start is None:
        return places
    said = [one for one in places if one.first + 1 == hunk.start]
    moved = [one for one in places if drift and one.first + 1 == hunk.start + drift]
    hit = {one.first: one for one in (*said, *moved)}
    if len(hit) != 1:
        return places
    (found,) = hit.values()
    is_lonely = all(one is found or abs(one.first - found.first) > _NEAR for one in places)
    return [found] if is_lonely else places


def is_counted(hunk: Hunk) -> bool:
    """Its header is right about its lines, and so may be about where it stands."""
    return hunk.counts == (len(hunk.old), len(hunk.new))


def _drift(hunks: Sequence[Hunk], places: Sequence[Places]) -> int | None:
    """By how much all numbers are off that can be told; none: they don't agree."""
    drifts = {
        some[0].first + 1 - hunk.start
        for hunk, some in zip(hunks, places, strict=True)
        if len(some) == 1 and hunk.start is not None
    }
    return drifts.pop() if len(drifts) == 1 else None


def _in_order(_: Sequence[Hunk], places: list[Places]) -> list[Places]:
    """Those from which all hunks can follow each other; all, if there is no such way."""
    down: list[list[Match]] = []
    above: Match | None = None
    for some in (sorted(one, key=lambda one: one.first) for one in places):
        possible = [one for one in some if above is None or _follows(one, above)]
        if not possible:
            return places
        above = possible[0]
        down.append(possible)
    up: list[Places] = []
    below: Match | None = None
    for some in reversed(down):
        possible = [one for one in some if below is None or _follows(below, one)]
        below = possible[-1]
        up.append(possible)
    return up[::-1]


def _follows(one: Match, above: Match) -> bool:
    return one.first > above.first and one.change[0] >= above.change[1]
