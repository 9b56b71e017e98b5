"""Lines that were misquoted, left out or made up, in a place that is the file's all the same.

Lines that are alike, and rare, vote for a place; there the hunk is laid along the file so that most
of it agrees. How much may differ is bounded, and a second place nearly as good is one too many.
"""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import TypeVar

from react_agent.parsers.counted import counted
from react_agent.parsers.patch import indentation, punctuation
from react_agent.parsers.patch.changes import Line, Splice
from react_agent.parsers.patch.columns import column_doubled, column_lost
from react_agent.parsers.patch.composed import after
from react_agent.parsers.patch.laid import Laid, laid_along
from react_agent.parsers.patch.match import ABSENT, Match
from react_agent.parsers.patch.section import defined
from react_agent.parsers.patch.sliding import slid
from react_agent.parsers.patch.slip import is_slip_of
from react_agent.parsers.patch.sought import Sought, folded
from react_agent.parsers.patch.splicing import spliced

MOST_LINES = 400  # of a hunk that is laid along a file: the work grows with its square
_LEAST_ALIKE = 0.7  # of all its old lines together
_LEAST_EXACT = 0.5  # of them that are not misquoted
_LEAST_MARGIN = 0.15  # over the next best place
_LEAST_EVIDENCE = 1.5  # lines that agree, had the file each of them once: one alone is chance
_MOST_UNQUOTED = 5  # lines of the file between them

_COMMON = 40  # lines alike: then they vote for nothing
_TELLING = 3  # letters
_REPEATED = 8  # letters of a line that is not there by chance
_CLOSE = range(-3, 4)  # lines between votes for one place
_SLACK = 8  # lines that may be missing or made up
_PEAKS = 6
_FAINT = 0.3  # of the votes for the best place: what has less is none
_Value = TypeVar("_Value")
_RULES = (
    indentation.same,
    column_lost,
    column_doubled,
    indentation.shifted,
    indentation.shifted_changes,
)


def aligned(lines: tuple[Line, ...], sought: Sought) -> list[Match]:
    """One place, or those that are as good as each other."""
    old = _old(lines)
    if not 2 <= len(old) <= MOST_LINES:
        return []
    keys = [folded(line.text) for line in old]
    found = _laid(keys, sought)
    best = max((laid.score for laid in found.values()), default=0.0)
    if any(_fits_beside(keys, laid, best, sought) for laid in found.values()):
        return []
    near = [
        _matched(lines, one, sought) for one in found.values() if best - one.score < _LEAST_MARGIN
    ]
    if not near or not all(near):
        return []
    return [match for match in near if match]


def _fits_beside(keys: Sequence[str], laid: Laid, best: float, sought: Sought) -> bool:
    """A few lines further up or down as much of it agrees, or nearly."""
    if best - laid.score >= _LEAST_MARGIN:
        return False
    lines = sought.source.lines
    for by in _CLOSE:
        moved = [
            at + by if at != ABSENT and 0 <= at + by < len(lines) else ABSENT for at in laid.pairs
        ]
        alike = [
            at != ABSENT and folded(lines[at]) == key for key, at in zip(keys, moved, strict=True)
        ]
        agreeing = sum(weight for weight, one in zip(laid.weights, alike, strict=True) if one)
        if by and best - agreeing / (sum(laid.weights) or 1.0) < _LEAST_MARGIN:
            return True
    return False


def _laid(keys: Sequence[str], sought: Sought) -> dict[tuple[int, ...], Laid]:
    """By where they are laid; otherwise where that comes to one which is known."""
    size, found = len(sought.source.lines), dict[tuple[int, ...], Laid]()
    for number, window in enumerate(windows(keys, sought.index(), size)):
        laid = laid_along(keys, window, sought)
        if tuple(laid.pairs) in found:
            laid = _hidden(keys, number, laid, sought)
        found[tuple(laid.pairs)] = laid
    return found


def _hidden(keys: Sequence[str], number: int, shown: Laid, sought: Sought) -> Laid:
    """The place that was voted for, where one that is close by hides it."""
    near = [*windows(keys, sought.index(), len(sought.source.lines), _CLOSE.stop - 1)]
    laid = laid_along(keys, near[number], sought)
    pairs = zip(laid.pairs, shown.pairs, strict=True)
    return shown if any(one == other != ABSENT for one, other in pairs) else laid


def windows(
    keys: Sequence[str], index: dict[str, list[int]], size: int, slack: int = _SLACK
) -> Iterator[range]:
    """The lines of the file around each place that most lines vote for."""
    votes = dict[int, float]()
    for number, key in enumerate(keys):
        found = index.get(key, ())
        if len(key) >= _TELLING and len(found) <= _COMMON:
            for at in found:
                votes[at - number] = votes.get(at - number, 0) + 1 / len(found)
    for shift in _peaks(votes):
        yield range(max(shift - slack, 0), min(shift + len(keys) + slack, size))


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


def _matched(lines: tuple[Line, ...], laid: Laid, sought: Sought) -> Match | None:
    file = sought.source.lines
    if not _is_bounded(lines, laid, file):
        return None
    pairs = tuple(_with_added(lines, laid.pairs, ABSENT))
    for rule in _RULES:
        fit = rule(lines, pairs, file)
        new = fit and punctuation.as_in_file(fit.lines, pairs, file)
        if fit and new:
            said = (*_said(laid), *_of_letters(lines, pairs, file), fit.said)
            match = Match(new, pairs, tuple(filter(None, said)), score=laid.score)
            return match if _is_only_way(match, sought) else None
    return None


def _of_letters(lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]) -> Iterator[str]:
    both = ((line.text, file[at]) for line, at in zip(lines, pairs, strict=True) if at != ABSENT)
    if any(punctuation.is_unlike(quoted, real) for quoted, real in both):
        yield punctuation.SAID


def _is_only_way(match: Match, sought: Sought) -> bool:
    """It makes the same of the file, whichever of two lines alike it does not quote."""
    splices = spliced(match, sought.source)
    if splices is None:
        return False
    for pairs in slid(match.pairs, sought.source.lines):
        other = spliced(match._replace(pairs=pairs), sought.source)
        if other is None or not _is_same(splices, other, sought):
            return False
    return True


def _is_same(one: Sequence[Splice], other: Sequence[Splice], sought: Sought) -> bool:
    source = sought.source
    return one == other or after(source, one).raw == after(source, other).raw


def _old(lines: Sequence[Line]) -> list[Line]:
    return [line for line in lines if line.mark != "+"]


def _with_added(lines: Sequence[Line], old: Sequence[_Value], added: _Value) -> list[_Value]:
    """What is known of each old line, and what holds for the new ones between them."""
    rest = iter(old)
    return [added if line.mark == "+" else next(rest) for line in lines]


def _is_bounded(lines: Sequence[Line], laid: Laid, file: Sequence[str]) -> bool:
    if (
        laid.evidence < _LEAST_EVIDENCE
        or min(laid.score / _LEAST_ALIKE, laid.exact / _LEAST_EXACT) < 1
    ):
        return False
    new = [line.text.strip() for line in lines if line.mark == "+"]
    unquoted = [file[at].strip() for at in laid.unquoted]
    if len(unquoted) > _MOST_UNQUOTED or _differing(laid) > max(
        2, sum(one == 1 for one in laid.alike) // 2
    ):
        return False
    if any(len(text) >= _REPEATED and any(text in one for one in new) for text in unquoted):
        return False  # what was not seen would stand there twice
    if any(_is_elsewhere(line, at, file) for line, at in _above(lines, laid.pairs)):
        return False
    alike = _with_added(lines, laid.alike, 0.0)
    if not all(_is_held(lines, alike, at) for at in range(len(lines))):
        return False
    return all(
        _is_there(line, at, alike, new, file)
        for line, at, alike in zip(_old(lines), laid.pairs, laid.alike, strict=True)
    )


def _is_held(lines: Sequence[Line], alike: Sequence[float], at: int) -> bool:
    """New lines that replace none stand beside a line that is quoted as it is."""
    if lines[at].mark != "+" or (at and lines[at - 1].mark in ("+", "-")):
        return True
    behind = next((n for n in range(at, len(lines)) if lines[n].mark != "+"), len(lines))
    if behind < len(lines) and lines[behind].mark == "-":
        return True
    beside = [n for n in (at - 1, behind) if 0 <= n < len(lines)]
    return any(alike[n] == 1 and lines[n].text.strip() for n in beside)


def _above(lines: Sequence[Line], pairs: Sequence[int]) -> Iterator[tuple[Line, int]]:
    """The lines of the context above the first change."""
    head = takewhile(lambda line: line.mark not in ("+", "-"), lines)
    return zip(head, pairs, strict=False)


def _is_elsewhere(line: Line, at: int, file: Sequence[str]) -> bool:
    """It begins another function than the one that the file has there."""
    return defined(line.text) != (defined(file[at]) if at != ABSENT else "")


def _differing(laid: Laid) -> int:
    return sum(one < 1 for one in laid.alike) + len(laid.unquoted)


def _is_there(line: Line, at: int, alike: float, new: Sequence[str], file: Sequence[str]) -> bool:
    """Context may be missing; a removed line may not, nor one that may be new."""
    if alike == 1 or (line.mark == " " and not line.text.strip()):
        return True
    if line.mark == "-":
        return at != ABSENT and is_slip_of(line.text, file[at], new)
    return line.mark == " " or at != ABSENT


def _said(laid: Laid) -> Iterator[str]:
    misquoted = sum(0 < alike < 1 for alike in laid.alike)
    absent = sum(at == ABSENT for at in laid.pairs)
    if misquoted:
        them = "it" if misquoted == 1 else "them"
        yield f"{counted(misquoted, 'line')} misquoted, taken as the file has {them}"
    if absent:
        yield f"{counted(absent, 'line')} that the file does not have left out"
    if laid.unquoted:
        yield f"{counted(len(laid.unquoted), 'line')} of the file that it does not quote stay"
