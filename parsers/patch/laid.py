"""Lines laid along a window of a file, in order, so that as much of them as can be agrees."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from react_agent.parsers.patch.likeness import ratio
from react_agent.parsers.patch.match import ABSENT
from react_agent.parsers.patch.sought import Sought, folded

_BLANK = 0.05  # what a blank line that agrees counts beside one that says something
_SKIPPED = 0.02  # what a line of the file costs that stands between them
_ALIKE = 0.6  # from here on two lines are the same one, misquoted
_MOST_COMPARED = 3_000  # pairs of lines that are compared letter by letter
_LEAVE, _SKIP, _PAIR = range(3)

_Likeness = Mapping[tuple[str, str], float]


class Laid(NamedTuple):
    pairs: list[int]  # the line of the file for each of them; absent: none
    alike: list[float]  # 1: the same but for blanks and punctuation; 0: it has none
    score: float  # of those that say something, all together; a rare one weighs more
    exact: float  # the same of those that are not misquoted
    evidence: float  # how many rare lines agree
    weights: list[float]  # of each of them; a rare one weighs more
    unquoted: list[int]  # lines of the file between them that none of them is


def laid_along(keys: Sequence[str], window: range, sought: Sought) -> Laid:
    file = [folded(sought.source.lines[at]) for at in window]
    likeness = _likenesses(keys, file)
    pairs = _paired(keys, file, likeness)
    alike = [
        0.0 if at == ABSENT else likeness.get((key, file[at]), 1.0)
        for key, at in zip(keys, pairs, strict=True)
    ]
    index = sought.index()
    weights = [len(index.get(key, "1")) ** -0.5 if key else 0.0 for key in keys]
    evidence = sum(weight * one for weight, one in zip(weights, alike, strict=True))
    exact = sum(weight for weight, one in zip(weights, alike, strict=True) if one == 1)
    total = sum(weights) or 1.0
    real = [at if at == ABSENT else window[at] for at in pairs]
    found = {at for at in real if at != ABSENT}
    between = range(min(found), max(found)) if found else range(0)
    unquoted = [at for at in between if at not in found and sought.source.lines[at].strip()]
    return Laid(real, alike, evidence / total, exact / total, evidence, weights, unquoted)


def _likenesses(keys: Sequence[str], file: Sequence[str]) -> dict[tuple[str, str], float]:
    """Of lines that the window does not have with those that it has."""
    mine = sorted({key for key in keys if key}.difference(file))
    theirs = sorted({line for line in file if line})
    if len(mine) * len(theirs) > _MOST_COMPARED:
        return {}
    found = {(one, other): ratio(other, one, _ALIKE) for one in mine for other in theirs}
    return {pair: min(alike, 0.999) for pair, alike in found.items() if alike}


def _paired(keys: Sequence[str], file: Sequence[str], likeness: _Likeness) -> list[int]:
    """The way with most agreement; lines of the file before and behind it cost nothing."""
    width = len(file)
    below, ways = [0.0] * (width + 1), list[bytearray]()
    for number in range(len(keys) - 1, -1, -1):
        key, cost = keys[number], _SKIPPED if number else 0.0
        row, way = [below[width]] * (width + 1), bytearray(width + 1)
        for at in range(width - 1, -1, -1):
            best, how = below[at], _LEAVE
            if row[at + 1] - cost > best:
                best, how = row[at + 1] - cost, _SKIP
            value = _value(key, file[at], likeness)
            if value and below[at + 1] + value >= best:
                best, how = below[at + 1] + value, _PAIR
            row[at], way[at] = best, how
        below = row
        ways.append(way)
    return _way_through(ways[::-1], width)


def _value(key: str, line: str, likeness: _Likeness) -> float:
    if key == line:
        return 1.0 if key else _BLANK
    return likeness.get((key, line), 0.0) if likeness else 0.0


def _way_through(ways: Sequence[bytearray], width: int) -> list[int]:
    pairs, at = list[int](), 0
    for way in ways:
        while at < width and way[at] == _SKIP:
            at += 1
        if at < width and way[at] == _PAIR:
            pairs.append(at)
            at += 1
        else:
            pairs.append(ABSENT)
    return pairs
