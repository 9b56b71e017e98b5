"""Lines that were misquoted, left out or made up, in a place that is the file's all the same.

Lines that are alike, and rare, vote for a place; there the hunk is laid along the file so that most
of it agrees, and what is left in between is compared letter by letter. How much may differ is
bounded, and a second place that is nearly as good is one too many.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from react_agent.parsers.patch import indentation
from react_agent.parsers.patch.changes import Line
from react_agent.parsers.patch.laid import Laid, laid_along
from react_agent.parsers.patch.match import ABSENT, Match
from react_agent.parsers.patch.sought import Sought, folded
from react_agent.parsers.patch.splicing import spliced

MOST_LINES = 400  # of a hunk that is laid along a file
_COMMON = 40  # lines alike: then they vote for nothing
_TELLING = 3  # letters
_CLOSE = range(-3, 4)  # lines between votes for one place
_SLACK = 8  # lines that may be missing or made up
_PEAKS = 6
_FAINT = 0.3  # of the votes for the best place: what has less is none

LEAST_ALIKE = 0.7  # of all its old lines together
LEAST_REMOVED = 0.85  # of each removed line
LEAST_MARGIN = 0.15  # over the next best place
LEAST_EVIDENCE = 1.5  # lines that agree, had the file each of them once
_RULES = (indentation.same, indentation.shifted)


class _Placed(NamedTuple):
    score: float
    match: Match


def aligned(lines: tuple[Line, ...], sought: Sought) -> list[Match]:
    old = [line for line in lines if line.mark != "+"]
    if not 2 <= len(old) <= MOST_LINES:
        return []
    keys = [folded(line.text) for line in old]
    places = sorted(_places(lines, keys, sought), key=lambda one: -one.score)
    if not places:
        return []
    near = [one for one in places if one.score > places[0].score - LEAST_MARGIN]
    different = {one.match.pairs: one.match for one in near}
    good = [one for one in near if one.score >= LEAST_ALIKE]
    return list(different.values()) if good else []


def _places(lines: tuple[Line, ...], keys: list[str], sought: Sought) -> Iterator[_Placed]:
    for window in windows(keys, sought.index(), len(sought.source.lines)):
        laid = laid_along(keys, window, sought)
        match = _match(lines, laid, sought)
        if match:
            yield _Placed(laid.score, match)


def windows(keys: Sequence[str], index: dict[str, list[int]], size: int) -> Iterator[range]:
    """The lines of the file around each place that most lines vote for."""
    votes = dict[int, float]()
    for number, key in enumerate(keys):
        found = index.get(key, ())
        if len(key) >= _TELLING and len(found) <= _COMMON:
            for at in found:
                votes[at - number] = votes.get(at - number, 0) + 1 / len(found)
    for shift in _peaks(votes):
        yield range(max(shift - _SLACK, 0), min(shift + len(keys) + _SLACK, size))


def _peaks(votes: dict[int, float]) -> list[int]:
    """Where most votes fall, with those for places close by."""
    near = {shift: sum(votes.get(shift + by, 0) for by in _CLOSE) for shift in votes}
    peaks = list[int]()
    for shift in sorted(near, key=lambda one: (-near[one], -votes[one], one)):
        if all(abs(shift - other) not in _CLOSE for other in peaks):
            peaks.append(shift)
        if len(peaks) == _PEAKS or near[shift] < near[peaks[0]] * _FAINT:
            break
    return peaks


def _match(lines: tuple[Line, ...], laid: Laid, sought: Sought) -> Match | None:
    pairs = _with_added(lines, laid.pairs)
    if not _is_bounded(lines, pairs, laid):
        return None
    exact = [at if laid.alike[number] == 1 else ABSENT for number, at in enumerate(laid.pairs)]
    for rule in _RULES:
        fit = rule(lines, _with_added(lines, exact), sought.source.lines)
        if fit:
            match = Match(fit.lines, tuple(pairs), tuple(filter(None, (*_said(laid), fit.said))))
            return match if spliced(match, sought.source) is not None else None
    return None


def _with_added(lines: Sequence[Line], old: Sequence[int]) -> list[int]:
    rest = iter(old)
    return [ABSENT if line.mark == "+" else next(rest) for line in lines]


def _is_bounded(lines: Sequence[Line], pairs: Sequence[int], laid: Laid) -> bool:
    removed = [
        laid.alike[number]
        for number, line in enumerate(line for line in lines if line.mark != "+")
        if line.mark == "-" and line.text.strip()
    ]
    found = [at for at in pairs if at != ABSENT]
    if not found or laid.evidence < LEAST_EVIDENCE or laid.score < LEAST_ALIKE:
        return False
    unquoted = found[-1] - found[0] + 1 - len(found)
    return all(alike >= LEAST_REMOVED for alike in removed) and unquoted <= max(3, len(found) // 2)


def _said(laid: Laid) -> Iterator[str]:
    misquoted = sum(0 < alike < 1 for alike in laid.alike)
    absent = sum(
        at == ABSENT and alike == 0 for at, alike in zip(laid.pairs, laid.alike, strict=True)
    )
    if misquoted:
        yield f"{_lines(misquoted)} misquoted, taken as the file has {_them(misquoted)}"
    if absent:
        yield f"{_lines(absent)} that the file does not have left out"
    found = [at for at in laid.pairs if at != ABSENT]
    unquoted = found[-1] - found[0] + 1 - len(found)
    if unquoted:
        yield f"{_lines(unquoted)} of the file that it does not quote stay"


def _lines(count: int) -> str:
    return f"{count} line{'s' * (count != 1)}"


def _them(count: int) -> str:
    return "it" if count == 1 else "them"
