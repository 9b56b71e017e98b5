"""Where the hunks of one file stand in it, all of them together.

strict rungs -> what stands there already -> what other hunks leave -> lax rungs -> one way, or none
"""

from collections.abc import Mapping, Sequence

from react_agent.parsers.patch.changes import Hunk, Line, Placement, Refusal, Splice
from react_agent.parsers.patch.choosing import chosen, is_counted
from react_agent.parsers.patch.composed import after, composed, joined
from react_agent.parsers.patch.created import created
from react_agent.parsers.patch.doubting import Chosen, doubted
from react_agent.parsers.patch.ending import ending
from react_agent.parsers.patch.ladder import LAX, STRICT, matches
from react_agent.parsers.patch.left_out import left_out
from react_agent.parsers.patch.match import ABSENT, Match, may_be_new
from react_agent.parsers.patch.mending import mended_words
from react_agent.parsers.patch.refusing import Refusing
from react_agent.parsers.patch.sought import Sought
from react_agent.parsers.patch.source import Source
from react_agent.parsers.patch.standing import may_repeat, standing, would_repeat

ALREADY = "already"
_Found = dict[int, list[Match]]  # by the number of a hunk, from 0


class _Refused(Exception):
    """Ends the placing; never leaves this module."""


def placed(hunks: Sequence[Hunk], source: Source, name: str) -> Placement | Refusal:
    if not hunks:
        return Placement((), source.final_newline)
    refusing = Refusing(hunks, source, name)
    for number, hunk in enumerate(hunks):
        if hunk.cut_off:
            return refusing.cut_off(number)
        if text := left_out(hunk, source):
            return refusing.stands_for_others(number, text)
    if not source.raw:
        return created(hunks) or refusing.not_empty()
    if any(line.text.endswith("\r") for hunk in hunks for line in hunk.lines):
        return _literally(hunks, source, name) or _located(
            [_without_returns(hunk) for hunk in hunks], source, refusing
        )
    return _located(hunks, source, refusing)


def _located(hunks: Sequence[Hunk], source: Source, refusing: Refusing) -> Placement | Refusal:
    for number, hunk in enumerate(hunks):
        if not any(line.strip() for line in hunk.old):
            return refusing.quotes_nothing(number)
    try:
        return _placed(hunks, source, refusing)
    except _Refused as refused:
        return Refusal(str(refused))


def _literally(hunks: Sequence[Hunk], source: Source, name: str) -> Placement | None:
    """With the ends of lines that they have, where all of it stands in the file so."""
    literal = source.literally
    sought = Sought(literal)
    if not all(hunk.old and matches(hunk, sought, STRICT[:1]) for hunk in hunks):
        return None
    try:
        return _placed(hunks, literal, Refusing(hunks, literal, name))
    except _Refused:
        return None


def _without_returns(hunk: Hunk) -> Hunk:
    """Of its old lines only, where some of its lines end in CR and some do not."""
    is_mixed = any(line.text and not line.text.endswith("\r") for line in hunk.lines)
    lines = (
        line if is_mixed and line.mark == "+" else Line(line.mark, line.text.removesuffix("\r"))
        for line in hunk.lines
    )
    return hunk._replace(lines=tuple(lines))


def _placed(hunks: Sequence[Hunk], source: Source, refusing: Refusing) -> Placement:
    sought = Sought(source)
    found = {number: matches(hunk, sought, STRICT) for number, hunk in enumerate(hunks)}
    later, there = _otherwise(hunks, found, sought, refusing)
    all_places = dict(found)
    places = _one_each(hunks, found, source, refusing)
    gone = _gone(places)
    for number, (match, *_) in places.items():
        if not hunks[number].everywhere:
            moved = _moved(number, hunks, there)
            one = Chosen(number, hunks[number], match, all_places[number], moved, gone)
            if doubt := doubted(one, sought, refusing):
                raise _Refused(doubt.reason)
    splices = _together(places, refusing)
    said = {number: mended_words(hunks[number], match[0]) for number, match in places.items()}
    said |= {
        number: (f"left out, as what it leaves stands at line {at + 1} {ALREADY}",)
        for number, at in there.items()
    }
    for number in later:
        splices = _on_top(hunks[number], number, (source, splices), refusing)
        said[number] = ("quotes what a hunk before it adds",)
    single = {number: match[-1] for number, match in places.items()}
    said.setdefault(0, ())
    firsts = [single[number].first for number in sorted(single)]
    if firsts != sorted(firsts):
        said[0] = (*said[0], "the hunks were out of order")
    newline, of_end = ending(hunks, single, source, splices)
    words = (
        f"hunk {number + 1}: {'; '.join(said[number])}" for number in sorted(said) if said[number]
    )
    return Placement(splices, newline, (*words, *of_end))


def _otherwise(
    hunks: Sequence[Hunk], found: _Found, sought: Sought, refusing: Refusing
) -> tuple[list[int], dict[int, int]]:
    """Hunks that stand in what others leave, and those that are there already."""
    later, there = list[int](), dict[int, int]()
    for number, some in list(found.items()):
        is_asked = not some or may_repeat(hunks[number], some)
        at = standing(hunks[number], sought) if is_asked else None
        if some and (at is None or not would_repeat(hunks[number], some, at)):
            continue
        if some and hunks[number].start not in (None, (at or 0) + 1):
            raise _Refused(refusing.there_already(number, at or 0).reason)
        if at is not None and not some and _may_be_elsewhere(hunks[number], sought):
            raise _Refused(refusing.there_already(number, at).reason)
        if at is not None:
            there[number] = at
        elif _quotes_others(number, hunks):
            later.append(number)
        else:
            found[number] = _loosely(hunks[number], sought)
            if not found[number]:
                raise _Refused(refusing.missing(number).reason)
            continue
        del found[number]
    return later, there


def _may_be_elsewhere(hunk: Hunk, sought: Sought) -> bool:
    """What it leaves when it only removes may stand anywhere."""
    return all(line.mark != "+" for line in hunk.lines) and bool(matches(hunk, sought, LAX))


def _loosely(hunk: Hunk, sought: Sought) -> list[Match]:
    """A line that is not there counts as context only where the header counted it so."""
    found = matches(hunk, sought, LAX)
    return found if is_counted(hunk) else [one for one in found if not may_be_new(one)]


def _quotes_others(number: int, hunks: Sequence[Hunk]) -> bool:
    """It has a line of context or a removed one that a hunk before it adds."""
    added = {
        line.text.strip()
        for hunk in hunks[:number]
        for line in hunk.lines
        if line.mark == "+" and line.text.strip()
    }
    return any(text.strip() in added for text in hunks[number].old)


def _one_each(hunks: Sequence[Hunk], found: _Found, source: Source, refusing: Refusing) -> _Found:
    """One place for each, or all where all are meant."""
    single = [number for number in found if not hunks[number].everywhere]
    left = chosen([hunks[n] for n in single], [found[n] for n in single], source.lines)
    for number, some in zip(single, left, strict=True):
        if len(some) > 1:
            raise _Refused(refusing.ambiguous(number, some).reason)
        found[number] = list(some)
    return found


def _gone(places: _Found) -> set[int]:
    every = (zip(one.lines, one.pairs, strict=True) for some in places.values() for one in some)
    return {at for pairs in every for line, at in pairs if line.mark == "-" and at != ABSENT}


def _moved(number: int, hunks: Sequence[Hunk], there: Mapping[int, int]) -> int:
    """By so many lines hunks above it that were applied already moved it."""
    above = [hunks[other] for other in there if other < number]
    return sum(len(one.new) - len(one.old) for one in above)


def _together(places: _Found, refusing: Refusing) -> tuple[Splice, ...]:
    splices = joined([splice for some in places.values() for one in some for splice in one.splices])
    if splices is None:
        raise _Refused(refusing.overlapping(places).reason)
    return splices


def _on_top(
    hunk: Hunk, number: int, below: tuple[Source, tuple[Splice, ...]], refusing: Refusing
) -> tuple[Splice, ...]:
    source, splices = below
    middle = after(source, splices, source.final_newline)
    found = chosen([hunk], [matches(hunk, Sought(middle), STRICT)], middle.lines)[0]
    if not found:
        raise _Refused(refusing.missing(number).reason)
    if len(found) > 1:
        raise _Refused(refusing.ambiguous(number, found).reason)
    return composed(source, splices, found[0].splices)
