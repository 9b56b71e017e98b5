"""Which of their places the hunks of a file have, all of them together.

Hunks stand in the file in the order in which they are written. If that leaves more than one way,
the names and the numbers in their headers may tell; if these don't, nothing is guessed.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from react_agent.parsers.patch.changes import Hunk
from react_agent.parsers.patch.match import ABSENT, Match
from react_agent.parsers.patch.section import is_below

Places: TypeAlias = Sequence[Match]

_NEAR = 3  # lines; by so many a number is often off


class _Around(NamedTuple):
    file: Sequence[str]
    drift: int | None  # by how much all numbers are off that can be told; none: they differ


def chosen(hunks: Sequence[Hunk], places: Sequence[Places], file: Sequence[str]) -> list[Places]:
    """For each hunk the places that are left; one, if it is plain."""
    left = list(places)
    for rule in (_at_its_end, _at_a_good_number, _below_its_name, _at_its_number):
        if all(len(one) == 1 for one in left):
            break
        around = _Around(file, _drift(hunks, left))
        pairs = zip(hunks, left, strict=True)
        left = [rule(hunk, some, around) if len(some) > 1 else some for hunk, some in pairs]
        left = left if rule is _at_its_end else _in_order(left)
    return [
        some if _is_undisputed(hunk, some, all_) else all_
        for hunk, some, all_ in zip(hunks, left, places, strict=True)
    ]


def _is_undisputed(hunk: Hunk, left: Places, places: Places) -> bool:
    """The header's number says none of the places that were passed over."""
    said = _said(hunk, places)
    return not said or any(one in left for one in said)


def _at_its_end(hunk: Hunk, places: Places, around: _Around) -> Places:
    file = around.file
    size = next((at for at in range(len(file), 0, -1) if file[at - 1].strip()), 0)
    last = [one for one in places if one.last + 1 >= size]
    return last if hunk.at_end and last else places


def _at_a_good_number(hunk: Hunk, places: Places, around: _Around) -> Places:
    """Of a header that is right about the lines below it."""
    said = _said(hunk, places)
    return said if said and is_counted(hunk) and _agree(hunk, places, around) else places


def _below_its_name(hunk: Hunk, places: Places, around: _Around) -> Places:
    """Unless the number says one that is not below it."""
    below, said = _below(hunk, places, around), _said(hunk, places)
    return below if below and all(one in below for one in said) else places


def _at_its_number(hunk: Hunk, places: Places, around: _Around) -> Places:
    """Or at the one that it would be, were it off as all the others are; if none is close by."""
    if hunk.start is None or not _agree(hunk, places, around):
        return places
    moved = _said(hunk, places, around.drift or 0)
    hit = {one.first: one for one in (*_said(hunk, places), *moved)}
    if len(hit) != 1:
        return places
    (found,) = hit.values()
    is_lonely = all(one is found or abs(one.first - found.first) > _NEAR for one in places)
    return [found] if is_lonely else places


def _said(hunk: Hunk, places: Places, drift: int = 0) -> Places:
    if hunk.start is None:
        return []
    return [one for one in places if one.first + 1 == hunk.start + drift]


def _below(hunk: Hunk, places: Places, around: _Around) -> Places:
    if not hunk.sections:
        return []
    return [one for one in places if is_below(hunk.sections, one.first, one.last, around.file)]


def _agree(hunk: Hunk, places: Places, around: _Around) -> bool:
    """The name in its header does not say another place than the number."""
    below = _below(hunk, places, around)
    return not below or any(one in below for one in _said(hunk, places))


def is_closer_elsewhere(found: Match, places: Places, file: Sequence[str]) -> bool:
    """The one that its number says has fewer of its lines to the letter than another one."""
    least = _literal(found, file)
    return any(_literal(one, file) > least for one in places)


def _literal(match: Match, file: Sequence[str]) -> int:
    pairs = zip(match.lines, match.pairs, strict=True)
    return sum(at != ABSENT and line.text == file[at] for line, at in pairs)


def is_at(hunk: Hunk, start: int, file: Sequence[str]) -> bool:
    """All its old lines stand there, from that line on, counted from 1."""
    there = file[max(start - 1, 0) :][: len(hunk.old)]
    return [text.rstrip() for text in hunk.old] == [text.rstrip() for text in there]


def is_counted(hunk: Hunk) -> bool:
    """Its header is right about its lines, and so may be about where it stands."""
    return hunk.counts == (len(hunk.old), len(hunk.new))


def _drift(hunks: Sequence[Hunk], places: Sequence[Places]) -> int | None:
    drifts = {
        some[0].first + 1 - hunk.start
        for hunk, some in zip(hunks, places, strict=True)
        if len(some) == 1 and hunk.start is not None
    }
    return drifts.pop() if len(drifts) == 1 else None


def _in_order(places: list[Places]) -> list[Places]:
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
