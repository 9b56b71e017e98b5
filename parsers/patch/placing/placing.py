"""Find places for all hunks of one file together.

strict ways -> the result is already in the file -> lax ways -> one place, or none

A way defines how the old lines may differ from the file. The first way that finds a place decides.
If it finds two places, the way is too lax or the hunk is too short. Each way tries a hunk as
written, then with `CORRECTIONS` applied. Hunks must match the file in the order in which they are
written. If several places are left, the names and numbers in the headers may decide. If they don't,
the hunk is refused.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from react_agent.parsers.patch.changes import Fix, Hunk, Line, Problem, Repair, Why
from react_agent.parsers.patch.placing import indentation
from react_agent.parsers.patch.placing.indentation import Fit, indent, readings, without_blank_ends
from react_agent.parsers.patch.source import (
    ABSENT,
    Index,
    Look,
    Match,
    Source,
    Splice,
    folded,
    in_a_row,
    joined,
    spliced,
)

_TELLING = 4  # characters of an added line that identifies a place
_CONTEXT = 3  # unchanged lines that a diff quotes around a change
_MOST_LEFT_OUT = 200  # lines that one `...` may stand for
Find = Callable[[tuple[Line, ...], Index], list[Match]]
_Found = Mapping[int, Sequence[Match]]  # by the number of a hunk, from 0


class Placement(NamedTuple):
    """The places of all hunks of one file."""

    splices: tuple[Splice, ...]  # in order, without overlap
    final_newline: bool  # whether the new file ends in a newline
    repairs: tuple[Repair, ...] = ()
    places: tuple[tuple[int, Match], ...] = ()  # of each hunk that was found, by its number from 0


def placed(hunks: Sequence[Hunk], source: Source) -> Placement | Problem:
    for number, hunk in enumerate(hunks):
        if hunk.cut_off:
            return Problem(Why.CUT_OFF, number)
        if text := _placeholder(hunk, source):
            return Problem(Why.PLACEHOLDER, number, text=text)
    if not source.raw:
        return _created(hunks)
    for number, hunk in enumerate(hunks):
        if not any(line.strip() for line in hunk.old):
            return Problem(Why.QUOTES_NOTHING, number)
    if any(line.text.endswith("\r") for hunk in hunks for line in hunk.lines):
        literal = source._replace(lines=source.raw, is_literal=True)
        index = Index(literal)
        found = all(matches(hunk, index, STRICT[:1]) for hunk in hunks) and _located(hunks, literal)
        if isinstance(found, Placement):
            return found
        hunks = [_without_returns(hunk) for hunk in hunks]
    return _located(hunks, source)


def _placeholder(hunk: Hunk, source: Source) -> str:
    """Return a new line like `# ... existing code ...` that is not in the file, or ""."""
    new = (line.text for line in hunk.lines if line.mark == "+")
    dotted = [text.strip() for text in new if "..." in text or "…" in text]
    if not dotted:
        return ""
    from react_agent.parsers.patch.reading.whole_file import is_elision

    there = {line.strip() for line in source.lines}
    comments = (text for text in dotted if text not in there and text[0] not in "[(<{.…")
    return next(filter(is_elision, comments), "")


def _created(hunks: Sequence[Hunk]) -> Placement | Problem:
    """Create a file from all hunk lines. If some have a `+`, the others are new, too."""
    lines = [line for hunk in hunks for line in hunk.lines]
    for number, hunk in enumerate(hunks):
        for line in hunk.lines:
            if line.mark == "-":
                return Problem(Why.NOT_EMPTY, number, text=line.text.strip())
    repairs = [
        repair
        for number, hunk in enumerate(hunks)
        for repair in _counts(hunk, number, [Line("+", line.text) for line in hunk.lines])
    ]
    plain = sum(line.mark != "+" and bool(line.text) for line in lines)
    repairs += [Repair(Fix.WITHOUT_PLUS, (plain,))] if plain else []
    new = (Splice(0, 0, tuple(line.text for line in lines)),)
    return Placement(new, not any(hunk.no_newline[1] for hunk in hunks), tuple(repairs))


def _without_returns(hunk: Hunk) -> Hunk:
    """Remove the CRs at line ends. If only some lines have a CR, keep it in new lines."""
    is_mixed = any(line.text and not line.text.endswith("\r") for line in hunk.lines)
    lines = (
        line if is_mixed and line.mark == "+" else Line(line.mark, line.text.removesuffix("\r"))
        for line in hunk.lines
    )
    return hunk._replace(lines=tuple(lines))


def _located(hunks: Sequence[Hunk], source: Source) -> Placement | Problem:
    index = Index(source)
    found, there = dict[int, Sequence[Match]](), dict[int, int]()
    for number, hunk in enumerate(hunks):
        places = matches(hunk, index, STRICT)
        at = _applied_already(hunk, places, index)
        if at is not None:
            there[number] = at
        elif places := places or _loosely(hunk, index):
            found[number] = places
        else:
            from react_agent.parsers.patch.placing.alignment import nearest

            return Problem(Why.MISSING, number, nearest=nearest(hunk, index))
    single = [number for number in found if not hunks[number].everywhere]
    left = chosen([hunks[n] for n in single], [found[n] for n in single], source.lines)
    for number, some in zip(single, left, strict=True):
        found[number] = some
        if problem := _problem(number, hunks[number], some, index):
            return problem
    splices = joined([splice for some in found.values() for one in some for splice in one.splices])
    if splices is None:
        return _overlap(found)
    repairs = [*_all_repairs(hunks, found, there)]
    final_newline, fix = _ending(hunks, found, source, splices)
    repairs += [Repair(fix)] if fix else []
    placed_ = tuple((number, one) for number, some in found.items() for one in some)
    return Placement(splices, final_newline, tuple(repairs), placed_)


def _problem(number: int, hunk: Hunk, places: Sequence[Match], index: Index) -> Problem | None:
    """Return why the hunk has no certain place: it has several, or its only place is doubtful."""
    if len(places) > 1:
        return Problem(Why.AMBIGUOUS, number, tuple(_lines_of(places)))
    if (at := _applied_nearer(hunk, places[0], index)) is not None:
        return Problem(Why.ALREADY_APPLIED, number, (at + 1,))
    if _ends_early(hunk, places[0], index.source.lines):
        return Problem(Why.NEAR_END, number, (places[0].first + 1,))
    return None


def _applied_already(hunk: Hunk, places: Sequence[Match], index: Index) -> int | None:
    """Return the line, counted from 0, of the only place that already has the hunk's result.

    If the hunk also fits, it must only add lines, next to the lines that it would repeat.
    """
    marks, at_number = {line.mark for line in hunk.lines}, (hunk.start or 0) - 1
    if places and (
        "-" in marks or any(not one.repairs and one.first == at_number for one in places)
    ):
        return None
    found = _results(hunk, index)
    if len(found) != 1:
        return None
    near = range(found[0], found[0] + len(hunk.new) + 1)
    return found[0] if not places or any(one.change[0] in near for one in places) else None


def _applied_nearer(hunk: Hunk, match: Match, index: Index) -> int | None:
    """Find the hunk's result closer to the header's line number than the match, or return None."""
    if hunk.start is None:
        return None
    expected = hunk.start - 1
    near = (at for at in _results(hunk, index) if abs(at - expected) < abs(match.first - expected))
    return next(near, None)


def _results(hunk: Hunk, index: Index) -> list[int]:
    """Return the lines at which the file has the hunk's result, or none if it is too unspecific."""
    added = (line.text.strip() for line in hunk.lines if line.mark == "+")
    old, new = hunk.no_newline
    is_other_end = old != new == index.source.final_newline
    if is_other_end or not any(len(text) >= _TELLING for text in added):
        return []
    shorter = hunk._replace(lines=without_blank_ends(hunk.lines))
    return index.starts(shorter.new, str.rstrip)


def _loosely(hunk: Hunk, index: Index) -> list[Match]:
    """Return the lax matches. Without header counts, drop those where a `+` may have been lost."""
    found = matches(hunk, index, LAX)
    if _is_counted(hunk):
        return found
    return [one for one in found if not _may_be_new(one)]


def _may_be_new(match: Match) -> bool:
    marks = ["", *(line.mark for line in match.lines), ""]
    return any(
        line.mark != "+" and at == ABSENT and line.text.strip() and "+" in (above, below)
        for line, at, above, below in zip(match.lines, match.pairs, marks, marks[2:], strict=False)
    )


def _ends_early(hunk: Hunk, match: Match, file: Sequence[str]) -> bool:
    """Return whether the hunk ends in a change, but is placed a little above the file's end."""
    if hunk.start is None or not _is_counted(hunk):
        return False
    marks = "".join(line.mark or " " for line in hunk.lines)
    last = marks.rpartition(" ")[2]
    below = file[max(match.last + 1, match.change[1]) :]
    is_uneven = "+" in last and last.count("+") != last.count("-")
    is_near = (is_uneven and len(below) <= _CONTEXT) or not any(text.strip() for text in below)
    fits_end = tuple(file[len(file) - len(hunk.old) :]) == hunk.old
    return marks[0] == " " and bool(last) and bool(below) and (is_near or fits_end)


def _is_counted(hunk: Hunk) -> bool:
    return hunk.counts == (len(hunk.old), len(hunk.new))


def _lines_of(places: Sequence[Match]) -> list[int]:
    """Return line numbers, from 1, that tell places apart: the first, changed or last lines."""
    firsts, changes = {one.first for one in places}, {one.change[0] for one in places}
    several = (found for found in (firsts, changes) if len(found) > 1)
    return sorted(at + 1 for at in next(several, {one.last for one in places}))


def _overlap(found: _Found) -> Problem:
    spans = sorted((one.change, number) for number, some in found.items() for one in some)
    both = next(
        (first, second)
        for (above, first), (below, second) in pairwise(spans)
        if below[0] < above[1] or below[0] == above[0]
    )
    return Problem(Why.OVERLAP, max(both), (min(both) + 1,))


def _all_repairs(
    hunks: Sequence[Hunk], found: _Found, there: Mapping[int, int]
) -> Iterator[Repair]:
    for number, hunk in enumerate(hunks):
        if number in there:
            yield Repair(Fix.ALREADY_APPLIED, (there[number] + 1,), number)
        else:
            yield from _repairs(hunk, number, found[number][0])
    firsts = [found[number][0].first for number in sorted(found)]
    if firsts != sorted(firsts):
        yield Repair(Fix.ORDER)


def _repairs(hunk: Hunk, number: int, match: Match) -> Iterator[Repair]:
    if hunk.start is not None and hunk.start != match.first + 1:
        yield Repair(Fix.START, (hunk.start, match.first + 1), number)
    yield from _counts(hunk, number, match.lines)
    unmarked = sum(not line.mark for line in match.lines)
    if unmarked and all(one.fix is not Fix.UNMARKED for one in match.repairs):
        yield Repair(Fix.UNMARKED, (unmarked,), number)
    yield from (one._replace(hunk=number) for one in match.repairs)


def _counts(hunk: Hunk, number: int, lines: Sequence[Line]) -> Iterator[Repair]:
    """Yield a repair if the counts match neither the written lines nor the corrected ones."""
    written = len(hunk.old), len(hunk.new)
    there = sum(line.mark != "+" for line in lines), sum(line.mark != "-" for line in lines)
    if hunk.counts is not None and hunk.counts not in (written, there):
        yield Repair(Fix.COUNTS, (*hunk.counts, *there), number)


def _ending(
    hunks: Sequence[Hunk], found: _Found, source: Source, splices: Sequence[Splice]
) -> tuple[bool, Fix | None]:
    """Return whether the new file ends in a newline: as in the patch, or else as before."""
    size, has_one, is_elsewhere = len(source.raw), source.final_newline, False
    for number, some in found.items():
        old, new = hunks[number].no_newline
        if (old or new) and max(some[-1].last + 1, some[-1].change[1]) == size:
            # what it says of the old file may be wrong, but its change is meant
            right = Fix.NEWLINE_THERE if has_one else None
            wrong = None if has_one else Fix.NEWLINE_MISSING
            return (has_one if old == new else not new), right if old else wrong
        is_elsewhere |= old or new
    if not has_one and splices and splices[-1].end == size:
        return False, Fix.NO_NEWLINE_KEPT
    return has_one, Fix.NOTE_LEFT_OUT if is_elsewhere else None


def matches(hunk: Hunk, index: Index, ways: Sequence[Find]) -> list[Match]:
    """Return all matches of the strictest way that finds any."""
    read = list(readings(hunk.lines))
    for find in ways:
        best = list[Match]()
        for fixes, lines in read:
            found = [
                one._replace(splices=splices, repairs=(*map(Repair, fixes), *one.repairs))
                for one in find(lines, index)
                if (splices := spliced(one, index.source))
            ]
            if found and (not best or found[0].score > best[0].score):
                best = found
        if best:
            return best
    return []


def _block(look: Look, *rules: indentation.Rule) -> Find:
    """Return a way that finds the old lines as one block. The first matching rule decides."""

    def find(lines: tuple[Line, ...], index: Index) -> list[Match]:
        old = [line.text for line in lines if line.mark != "+"]
        rows = [in_a_row(lines, start) for start in index.starts(old, look)]
        for rule in rules:
            fits = ((rule(lines, pairs, index.source.lines), pairs) for pairs in rows)
            if found := [Match(fit.lines, pairs, fit.repairs) for fit, pairs in fits if fit]:
                return found
        return []

    return find


def _kept(*repairs: Repair) -> indentation.Rule:
    return lambda lines, pairs, file: Fit(tuple(lines), repairs)


def _with_left_out(lines: tuple[Line, ...], index: Index) -> list[Match]:
    """Find one place for each part, below the previous part. `...` stands for unchanged lines."""
    parts = [list[Line]()]
    for line in lines:
        if _is_elision(line):
            parts.append([])
        else:
            parts[-1].append(line)
    olds = [[line.text for line in part if line.mark != "+"] for part in parts]
    if not all(any(map(str.strip, old)) for old in olds):
        return []
    chains: list[tuple[int, ...]] = [()]
    for old in olds:
        starts = index.starts(old, str.rstrip)
        chains = [(*chain, at) for chain in chains for at in starts if not chain or chain[-1] < at]
        if len(chains) > _MOST_LEFT_OUT:
            return []
    found = (_chained(lines, parts, chain, index.source.lines) for chain in chains)
    return [match for match in found if match]


def _is_elision(line: Line) -> bool:
    if line.mark.strip() or ("..." not in line.text and "…" not in line.text):
        return False
    from react_agent.parsers.patch.reading.whole_file import is_elision

    return is_elision(line.text.strip())


def _chained(
    lines: tuple[Line, ...],
    parts: Sequence[Sequence[Line]],
    chain: Sequence[int],
    file: Sequence[str],
) -> Match | None:
    rows = [in_a_row(part, start) for part, start in zip(parts, chain, strict=True)]
    dots = (folded(line.text) for line in lines if _is_elision(line))
    for (above, below), dot in zip(pairwise(rows), dots, strict=True):
        end, start = max(above) + 1, next(at for at in below if at != ABSENT)
        if not 0 <= start - end <= _MOST_LEFT_OUT or dot in map(folded, file[end:start]):
            return None  # too many lines, or the file has these dots
    pairs = rows[0] + tuple(at for row in rows[1:] for at in (ABSENT, *row))
    differs = any(
        line.text != file[at] for line, at in zip(lines, pairs, strict=True) if at != ABSENT
    )
    spaces = (Repair(Fix.TRAILING_SPACES),) if differs else ()
    return Match(lines, pairs, (Repair(Fix.ELIDED), *spaces))


def _aligned(lines: tuple[Line, ...], index: Index) -> list[Match]:
    from react_agent.parsers.patch.placing.alignment import aligned  # rarely needed

    return aligned(lines, index)


STRICT: tuple[Find, ...] = (
    _block(str, _kept()),
    _block(str.rstrip, _kept(Repair(Fix.TRAILING_SPACES))),
    _block(
        str.strip,
        indentation.lost_mark,
        indentation.shifted,
        indentation.shifted_changes,
        indentation.tabs,
    ),
)
LAX: tuple[Find, ...] = (_with_left_out, _aligned)


Places: TypeAlias = Sequence[Match]

_NEAR = 3  # lines by which a number is often off


def chosen(hunks: Sequence[Hunk], places: Sequence[Places], file: Sequence[str]) -> list[Places]:
    """Return the remaining places for each hunk. There is only one if the choice is clear."""
    left = list(places)
    for rule in (_at_its_end, _at_a_good_number, _below_its_name, _at_its_number):
        pairs = zip(hunks, left, strict=True)
        left = [rule(hunk, some, file) if len(some) > 1 else some for hunk, some in pairs]
        left = left if rule is _at_its_end else _in_order(left)
    return left


def _at_its_end(hunk: Hunk, places: Places, file: Sequence[str]) -> Places:
    size = next((at for at in range(len(file), 0, -1) if file[at - 1].strip()), 0)
    last = [one for one in places if one.last + 1 >= size]
    return last if hunk.at_end and last else places


def _at_a_good_number(hunk: Hunk, places: Places, file: Sequence[str]) -> Places:
    """Keep the place at the header's number if the header counts the lines correctly."""
    there = _at(hunk, places)
    return there if there and _is_counted(hunk) else places


def _below_its_name(hunk: Hunk, places: Places, file: Sequence[str]) -> Places:
    """Keep the places below the section names, unless the place at the header's number is not."""
    below = _below(hunk, places, file)
    return below if below and all(one in below for one in _at(hunk, places)) else places


def _below(hunk: Hunk, places: Places, file: Sequence[str]) -> Places:
    below = list[Match]()
    for one in places if hunk.sections else ():
        around = _around(one.first, one.last, file)
        if all(any(_names(line, section) for line in around) for section in hunk.sections):
            below.append(one)
    return below


def _at_its_number(hunk: Hunk, places: Places, file: Sequence[str]) -> Places:
    """Keep the place at the header's number if no other is close by, or below the section names."""
    there = _at(hunk, places)
    if len(there) != 1 or there[0] not in (_below(hunk, places, file) or there):
        return places
    others = (one for one in places if one is not there[0])
    return there if all(abs(one.first - there[0].first) > _NEAR for one in others) else places


def _at(hunk: Hunk, places: Places) -> Places:
    """Return the places at the line that the header gives."""
    return [one for one in places if one.first + 1 == hunk.start]


def _around(first: int, last: int, file: Sequence[str]) -> list[str]:
    """Return the lines and, above them, each line that is indented less than all those below it."""
    found = [file[at] for at in range(first, min(last + 1, len(file)))]
    # the line that names a section may have no indentation, nor may the lines themselves
    depth = min((len(indent(line)) for line in found if line.strip()), default=0) or 1
    for at in range(first - 1, -1, -1):
        line = file[at]
        if line.strip() and len(indent(line)) < depth:
            found.append(line)
            depth = len(indent(line))
            if not depth:
                break
    return found


def _names(line: str, section: str) -> bool:
    line, section = " ".join(line.split()), " ".join(section.split())
    at = line.find(section)
    if at < 0 or not any(map(str.isalnum, section)):
        return False
    after = line[at + len(section) :][:1]
    return not (after.isalnum() and section[-1].isalnum())


def _in_order(places: list[Places]) -> list[Places]:
    """Keep the places that let all hunks follow each other. If there are none, keep all places."""
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
