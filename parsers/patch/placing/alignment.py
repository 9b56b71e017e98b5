"""Find a hunk's place even if lines were misquoted, left out or made up.

Similar, rare lines vote for a place. The hunk is then aligned with the file at that place so that
most lines agree. The number of differences is limited, and a second place that is nearly as good
rules out both.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from react_agent.parsers.patch.changes import Fix, Hunk, Line, Nearest, Repair
from react_agent.parsers.patch.placing import indentation
from react_agent.parsers.patch.source import ABSENT, Index, Match, folded, typographic
from react_agent.parsers.text.late_pattern import LatePattern

_MOST_LINES = 400  # lines of a hunk to align: the work grows with their square
_LEAST_ALIKE = 0.7  # least score of all old lines
_LEAST_EXACT = 0.5  # least score of the lines that are not misquoted
_LEAST_MARGIN = 0.15  # least lead of the score over the next best place
_LEAST_EVIDENCE = 1.5  # agreeing lines, weighted by rarity: a single one may be chance
_MOST_UNQUOTED = 5  # file lines between the old lines
_SLIP = 0.93  # least similarity of a misquoted removed line

_COMMON = 40  # equal lines: if there are more, they have no vote
_TELLING = 3  # characters that a line needs to vote
_REPEATED = 8  # characters of a line that is not repeated by chance
_CLOSE = range(-3, 4)  # lines between votes for one place
_SLACK = 8  # lines that may be missing or made up
_PEAKS = 6
_FAINT = 0.3  # least share of the best place's votes

_BLANK = 0.05  # weight of an equal blank line; another line has 1
_SKIPPED = 0.02  # cost of a file line between the old lines
_ALIKE = 0.6  # least similarity of two lines to be one line, misquoted
_MOST_COMPARED = 3_000  # pairs of lines that are compared character by character
_LEAVE, _SKIP, _PAIR = range(3)

_AROUND = 3  # lines of the file shown before and after
_MOST_SHOWN = 30
_MOST_QUOTED = 6
_LEAST = 0.2  # least score of a nearest place

_TOKENS = LatePattern(r"\w+|[^\w\s]")
_RULES = (
    indentation.same,
    indentation.lost_mark,
    indentation.shifted,
    indentation.shifted_changes,
    indentation.shifted_context,
)
_Likeness = Mapping[tuple[str, str], float]


class Alignment(NamedTuple):
    pairs: list[int]  # for each old line its file line; ABSENT: none
    alike: list[float]  # 1: equal but for spaces and punctuation; 0: no file line
    score: float  # of all lines together; a rare line weighs more
    exact: float  # the score of the lines that are not misquoted
    evidence: float  # how many rare lines agree
    unquoted: list[int]  # file lines between the pairs that are in no pair


def aligned(lines: tuple[Line, ...], index: Index) -> list[Match]:
    """Return the best match and all nearly as good ones, or none if one of them is unacceptable."""
    old = [line for line in lines if line.mark != "+"]
    if len(old) < 2:
        return []
    found = alignments([folded(line.text) for line in old], index)
    best = max((one.score for one in found), default=0.0)
    near = [_matched(lines, one, index) for one in found if best - one.score < _LEAST_MARGIN]
    return [one for one in near if one] if all(near) else []


def alignments(keys: Sequence[str], index: Index) -> list[Alignment]:
    found, size = dict[tuple[int, ...], Alignment](), len(index.source.lines)
    if len(keys) > _MOST_LINES:
        return []
    for start in _peaks(keys, index.places()):
        one = align(keys, window_at(start, len(keys), size), index)
        if tuple(one.pairs) in found:  # the best pairing may hide another place close by
            one = align(keys, window_at(start, len(keys), size, _CLOSE.stop - 1), index)
        found[tuple(one.pairs)] = one
    return [*found.values()]


def align(keys: Sequence[str], window: range, index: Index) -> Alignment:
    file = [folded(index.source.lines[at]) for at in window]
    likeness = _likenesses(keys, file)
    pairs = _best_way(keys, file, likeness)
    alike = [
        0.0 if at == ABSENT else likeness.get((key, file[at]), 1.0)
        for key, at in zip(keys, pairs, strict=True)
    ]
    places = index.places()
    weights = [len(places.get(key, "1")) ** -0.5 if key else 0.0 for key in keys]
    evidence = sum(weight * one for weight, one in zip(weights, alike, strict=True))
    exact = sum(weight for weight, one in zip(weights, alike, strict=True) if one == 1)
    total = sum(weights) or 1.0
    real = [at if at == ABSENT else window[at] for at in pairs]
    found = {at for at in real if at != ABSENT}
    between = range(min(found), max(found)) if found else range(0)
    unquoted = [at for at in between if at not in found]
    return Alignment(real, alike, evidence / total, exact / total, evidence, unquoted)


def _peaks(keys: Sequence[str], places: dict[str, list[int]]) -> list[int]:
    """Return the file lines at which the hunk most likely begins, according to the votes."""
    votes = dict[int, float]()
    for number, key in enumerate(keys):
        found = places.get(key, ())
        if len(key) >= _TELLING and len(found) <= _COMMON:
            for at in found:
                votes[at - number] = votes.get(at - number, 0) + 1 / len(found)
    near = {shift: sum(votes.get(shift + by, 0) for by in _CLOSE) for shift in votes}
    peaks = list[int]()
    for shift in sorted(near, key=lambda one: (-near[one], -votes[one], one)):
        if all(abs(shift - other) not in _CLOSE for other in peaks):
            peaks.append(shift)
        if len(peaks) == _PEAKS or near[shift] < near[peaks[0]] * _FAINT:
            break
    return peaks


def window_at(start: int, count: int, size: int, slack: int = _SLACK) -> range:
    return range(max(start - slack, 0), min(start + count + slack, size))


def _likenesses(keys: Sequence[str], file: Sequence[str]) -> dict[tuple[str, str], float]:
    """Return the similarity of each line that the window lacks to each line of the window."""
    mine = sorted({key for key in keys if key}.difference(file))
    theirs = sorted({line for line in file if line})
    if len(mine) * len(theirs) > _MOST_COMPARED:
        return {}
    found = {(one, other): _ratio(other, one, _ALIKE) for one in mine for other in theirs}
    return {pair: min(alike, 0.999) for pair, alike in found.items() if alike}


def _best_way(keys: Sequence[str], file: Sequence[str], likeness: _Likeness) -> list[int]:
    """Return the pairing with the most agreement. Other file lines at its ends cost nothing."""
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
    pairs, at = list[int](), 0
    for way in reversed(ways):
        while at < width and way[at] == _SKIP:
            at += 1
        is_pair = at < width and way[at] == _PAIR
        pairs.append(at if is_pair else ABSENT)
        at += is_pair
    return pairs


def _value(key: str, line: str, likeness: _Likeness) -> float:
    if key == line:
        return 1.0 if key else _BLANK
    return likeness.get((key, line), 0.0) if likeness else 0.0


def _matched(lines: tuple[Line, ...], one: Alignment, index: Index) -> Match | None:
    file = index.source.lines
    if not _is_bounded(lines, one, file):
        return None
    rest = iter(one.pairs)
    pairs = tuple(ABSENT if line.mark == "+" else next(rest) for line in lines)
    if not _has_clear_gaps(lines, pairs, file):
        return None
    for rule in _RULES:
        fit = rule(lines, pairs, file)
        new = fit and _with_plain_punctuation(fit.lines, pairs, file)
        if fit and new:
            repairs = (*_repairs(one), *_of_characters(lines, pairs, file), *fit.repairs)
            return Match(new, pairs, repairs, score=one.score)
    return None


def _is_bounded(lines: Sequence[Line], one: Alignment, file: Sequence[str]) -> bool:
    is_like = one.score >= _LEAST_ALIKE and one.exact >= _LEAST_EXACT
    unquoted = [file[at].strip() for at in one.unquoted if file[at].strip()]
    differing = sum(alike < 1 for alike in one.alike) + len(unquoted)
    most = max(2, sum(alike == 1 for alike in one.alike) // 2)
    is_close = differing <= most and len(unquoted) <= _MOST_UNQUOTED
    if not is_like or not is_close or one.evidence < _LEAST_EVIDENCE:
        return False
    new = [line.text.strip() for line in lines if line.mark == "+"]
    if any(len(text) >= _REPEATED and any(text in line for line in new) for text in unquoted):
        return False  # the unquoted line would be in the file twice
    if any(line.mark.strip() and (line.mark + line.text).strip() in unquoted for line in lines):
        return False  # an unchanged line whose first character was taken for a mark
    old = (line for line in lines if line.mark != "+")
    return all(
        alike == 1 or _may_differ(line, at, new, file)
        for line, at, alike in zip(old, one.pairs, one.alike, strict=True)
    )


def _has_clear_gaps(lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]) -> bool:
    """Return False if a gap with added lines has a different number of blank lines in the file."""
    above, blanks, more, is_changed = ABSENT, 0, 0, False
    for line, at in zip(lines, pairs, strict=True):
        is_blank = line.mark != "+" and not line.text.strip()
        more = more + (line.mark == "+") - (line.mark == "-") if line.mark.strip() else 0
        blanks += is_blank
        is_changed |= more > 0 or (is_blank and line.mark == "-")
        if line.mark != "+" and not is_blank and at != ABSENT:
            there = sum(not one.strip() for one in file[above + 1 : at])
            if above != ABSENT and is_changed and there != blanks:
                return False
            above, blanks, is_changed = at, 0, False
    return True


def _may_differ(line: Line, at: int, new: Sequence[str], file: Sequence[str]) -> bool:
    """Return whether the line may differ. Only context lines may be missing from the file."""
    if line.mark == "-":
        return at != ABSENT and _is_slip_of(line.text, file[at], new)
    return line.mark == " " or at != ABSENT


def _is_slip_of(quoted: str, real: str, new: Sequence[str]) -> bool:
    """Return whether the line is only misquoted: in quotes, spaces or commas at its end.

    A word may differ, too, if nearly all of the line is equal and no new line contains the wrong
    word, because that would put it into the file. Numbers and operators may not differ, because
    they are often the intended change.
    """
    if _bare(quoted) == _bare(real):
        return True
    mine, theirs = Counter(_TOKENS.findall(quoted)), Counter(_TOKENS.findall(real))
    slips = mine - theirs
    if not all(word.isidentifier() for word in slips + (theirs - mine)):
        return False
    added = {word for text in new for word in _TOKENS.findall(text)}
    return not added.intersection(slips) and _ratio(quoted.strip(), real.strip(), _SLIP) > 0


def _bare(line: str) -> str:
    return "".join(line.replace("'", '"').split()).rstrip(",;")


def _with_plain_punctuation(
    lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]
) -> tuple[Line, ...] | None:
    """Replace typographic characters in new lines with the plain ones that the file uses.

    Return None if the file's removed lines have typographic characters that the hunk lacks, or if
    the old lines do not show how to replace a character: in these cases the intended character is
    unknown.
    """
    swapped, new = dict[str, str](), "".join(line.text for line in lines if line.mark == "+")
    for line, at in zip(lines, pairs, strict=True):
        if at == ABSENT or (line.text.isascii() and file[at].isascii()):
            continue
        quoted, real = line.text.strip(), file[at].strip()
        if new and line.mark == "-" and typographic(real) - typographic(quoted):
            return None
        if len(quoted) == len(real) and folded(quoted) == folded(real):
            both = zip(quoted, real, strict=True)
            swapped |= {one: other for one, other in both if one != other and not one.isascii()}
        elif typographic(quoted) - typographic(real):
            swapped |= {one: one for one in typographic(quoted)}
    if swapped and typographic(new) - swapped.keys():
        return None
    table = str.maketrans(swapped)
    return tuple(Line("+", one.text.translate(table)) if one.mark == "+" else one for one in lines)


def _of_characters(
    lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]
) -> Iterator[Repair]:
    both = [(line.text, file[at]) for line, at in zip(lines, pairs, strict=True) if at != ABSENT]
    alike = [(one, real) for one, real in both if folded(one) == folded(real)]
    if any(one.strip() != real.strip() for one, real in alike):
        yield Repair(Fix.PUNCTUATION)
    if any(one[len(one.rstrip()) :] != real[len(real.rstrip()) :] for one, real in alike):
        yield Repair(Fix.TRAILING_SPACES)


def _repairs(one: Alignment) -> Iterator[Repair]:
    misquoted = sum(0 < alike < 1 for alike in one.alike)
    for fix, count in (
        (Fix.MISQUOTED, misquoted),
        (Fix.ABSENT, sum(at == ABSENT for at in one.pairs)),
        (Fix.UNQUOTED, len(one.unquoted)),
    ):
        if count:
            yield Repair(fix, (count,))


def nearest(hunk: Hunk, index: Index) -> Nearest:
    """Return the closest match for a hunk that fits nowhere, with the lines that differ there."""
    keys, file = [folded(text) for text in hunk.old], index.source.lines
    found = alignments(keys, index)
    best = max(found, key=lambda one: one.score, default=None)
    if best is None or best.score < _LEAST:
        return Nearest(_region(file, hunk.start or 1, len(keys)))
    places = [at for at in best.pairs if at != ABSENT]
    there = set(file[max(min(places) - 1, 0) : max(places) + 2])
    marked = (line.mark + line.text for line in hunk.lines if line.mark.strip())
    old = [line for line in hunk.lines if line.mark != "+"]
    misquoted = [
        ((line.mark or " ") + line.text, None if at == ABSENT else (at + 1, file[at].strip()))
        for line, at, alike, key in zip(old, best.pairs, best.alike, keys, strict=True)
        if alike < 1 and key
    ]
    return Nearest(
        _region(file, places[0] + 1, places[-1] - places[0] + 1),
        tuple(misquoted[:_MOST_QUOTED]),
        max(len(misquoted) - _MOST_QUOTED, 0),
        tuple(at + 1 for at in best.unquoted[:_MOST_QUOTED]),
        next((text for text in marked if text in there), ""),
        is_found=True,
    )


def _region(file: Sequence[str], first: int, count: int) -> tuple[tuple[int, str], ...]:
    start = max(min(first - 1, len(file) - 1) - _AROUND, 0)
    end = min(start + count + 2 * _AROUND, start + _MOST_SHOWN, len(file))
    return tuple((at + 1, file[at]) for at in range(start, end))


def _ratio(one: str, other: str, least: float) -> float:
    """Return the similarity of two lines, or 0 if it is below `least`."""
    both = SequenceMatcher(None, one, other, autojunk=False)
    if both.real_quick_ratio() < least or both.quick_ratio() < least:
        return 0.0
    found = both.ratio()
    return found if found >= least else 0.0
