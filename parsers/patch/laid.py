"""Lines laid along a window of a file, in order, so that as many as can be agree."""

from collections.abc import Sequence
from typing import NamedTuple

from react_agent.parsers.patch.match import ABSENT
from react_agent.parsers.patch.sought import Sought, folded

_BLANK = 0.05  # what a blank line that agrees counts beside one that says something
_MOST_COMPARED = 12  # lines between two that agree
_ALIKE = 0.6  # from here on two lines are the same one, misquoted


class Laid(NamedTuple):
    pairs: list[int]  # the line of the file for each of them; absent: none
    alike: list[float]  # 1: the same but for blanks and punctuation; 0: it has none
    score: float  # of those that say something, all together


def laid_along(keys: Sequence[str], window: range, sought: Sought) -> Laid:
    file = [folded(sought.source.lines[at]) for at in window]
    pairs = _agreeing(keys, file)
    alike = [0.0 if at == ABSENT else 1.0 for at in pairs]
    for first, last, low, high in _gaps(pairs, len(file)):
        for number, at, likeness in _misquoted(keys[first:last], file[low:high]):
            pairs[first + number], alike[first + number] = low + at, likeness
    telling = [likeness for key, likeness in zip(keys, alike, strict=True) if key]
    score = sum(telling) / len(telling) if telling else 0.0
    return Laid([at if at == ABSENT else window[at] for at in pairs], alike, score)


def _agreeing(keys: Sequence[str], file: Sequence[str]) -> list[int]:
    """The heaviest common subsequence; of two as heavy the one further down in the file."""
    width = len(file)
    rows = [[0.0] * (width + 1)]
    for key in reversed(keys):
        below, row = rows[-1], [0.0] * (width + 1)
        weight = 1.0 if key else _BLANK
        for at in range(width - 1, -1, -1):
            best = max(below[at], row[at + 1])
            if file[at] == key and below[at + 1] + weight > best:
                best = below[at + 1] + weight
            row[at] = best
        rows.append(row)
    rows.reverse()
    return _way_through(keys, file, rows)


def _way_through(
    keys: Sequence[str], file: Sequence[str], rows: Sequence[Sequence[float]]
) -> list[int]:
    pairs, at = list[int](), 0
    for number, key in enumerate(keys):
        row, below = rows[number], rows[number + 1]
        while at < len(file) and not _agrees(key, file[at], row[at], below[at + 1]):
            if row[at] != row[at + 1]:
                break
            at += 1
        if at < len(file) and _agrees(key, file[at], row[at], below[at + 1]):
            pairs.append(at)
            at += 1
        else:
            pairs.append(ABSENT)
    return _tightened(pairs, keys, file)


def _agrees(key: str, line: str, here: float, behind: float) -> bool:
    return line == key and here == behind + (1.0 if key else _BLANK)


def _tightened(pairs: list[int], keys: Sequence[str], file: Sequence[str]) -> list[int]:
    """Lines that stand everywhere come as near as they can to the first that stands once."""
    core = (n for n, at in enumerate(pairs) if at != ABSENT and file.count(keys[n]) == 1)
    middle = next(core, None)
    if middle is None:
        return pairs
    limit = pairs[middle]
    for number in range(middle - 1, -1, -1):
        if pairs[number] != ABSENT:
            limit = next(at for at in range(limit - 1, -1, -1) if file[at] == keys[number])
            pairs[number] = limit
    return pairs


def _gaps(pairs: Sequence[int], width: int) -> list[tuple[int, int, int, int]]:
    """Stretches of lines without a partner, and the lines of the file between their neighbours."""
    gaps, first, low = list[tuple[int, int, int, int]](), 0, 0
    for number, at in enumerate((*pairs, width)):
        if at != ABSENT:
            if first < number and low < at:
                gaps.append((first, number, low, at))
            first, low = number + 1, at + 1
    return gaps


def _misquoted(keys: Sequence[str], file: Sequence[str]) -> list[tuple[int, int, float]]:
    """Partners that are nearly the same, in order."""
    if max(len(keys), len(file)) > _MOST_COMPARED:
        return []
    found, low = list[tuple[int, int, float]](), 0
    for number, key in enumerate(keys):
        likeness = [(_likeness(key, file[at]), -at) for at in range(low, len(file))]
        best, at = max(likeness, default=(0.0, 0))
        if key and best >= _ALIKE:
            found.append((number, -at, best))
            low = -at + 1
    return found


def _likeness(one: str, other: str) -> float:
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, one, other, autojunk=False)
    if matcher.real_quick_ratio() < _ALIKE or matcher.quick_ratio() < _ALIKE:
        return 0.0
    return min(matcher.ratio(), 0.999)
