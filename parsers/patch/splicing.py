"""A hunk that stands in a file -> what is cut out of the file there, and what comes in."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from react_agent.parsers.patch.changes import Line, Splice
from react_agent.parsers.patch.elided import is_elision
from react_agent.parsers.patch.match import ABSENT, Match
from react_agent.parsers.patch.source import Source

_BOM = "\ufeff"


class _Run(NamedTuple):
    """Changed lines with no context between them."""

    gone: tuple[int, ...]  # lines of the file
    lost: int  # removed lines that the file does not have, blank ones
    new: tuple[str, ...]
    before: int  # of the new ones, written before the first that is removed
    above: int | None  # the line of the file quoted just above; none: nothing is
    below: int | None


def spliced(match: Match, source: Source) -> tuple[Splice, ...] | None:
    """None where its new lines could go to more than one place, or removed ones are not one run."""
    if not _has_clear_gaps(match, source.lines):
        return None
    splices = list[Splice]()
    for run in _runs(match):
        splice = _splice(run, source)
        if splice is None:
            return None
        splices.append(splice)
    if splices and splices[0].start == 0 and source.raw[:1] and source.raw[0][:1] == _BOM:
        return _with_mark(match, splices, source)
    return tuple(splices)


def _with_mark(
    match: Match, splices: Sequence[Splice], source: Source
) -> tuple[Splice, ...] | None:
    """The mark of its encoding stays before the first line, if the hunk does not quote it."""
    first, *others = splices
    quoted = [line.text for line, at in zip(match.lines, match.pairs, strict=True) if at == 0]
    if (quoted and quoted[0][:1] == _BOM) or (first.lines and first.lines[0][:1] == _BOM):
        return tuple(splices)
    if first.lines and first.end:
        return Splice(0, first.end, (_BOM + first.lines[0], *first.lines[1:])), *others
    return None


def _has_clear_gaps(match: Match, file: Sequence[str]) -> bool:
    """Where blank lines are too few or too many between two others, nothing comes in there."""
    above, blanks, changes, more = ABSENT, 0, False, 0
    uneven = _behind_uneven_runs(match.lines)
    for number, (line, at) in enumerate(zip(match.lines, match.pairs, strict=True)):
        is_blank = line.mark != "+" and not line.text.strip()
        blanks += is_blank
        more = _more_new(line, more)
        changes |= more > 0 or number in uneven or (is_blank and line.mark == "-")
        if at == ABSENT and line.mark != "+" and is_elision(line.text):
            above, blanks, changes = ABSENT, 0, False  # any lines may stand there
        if is_blank or at == ABSENT:
            continue
        between = file[above + 1 : at] if above != ABSENT else ()
        if above != ABSENT and changes and sum(not one.strip() for one in between) != blanks:
            return False
        above, blanks, changes = at, 0, False
    return True


def _behind_uneven_runs(lines: Sequence[Line]) -> set[int]:
    """The lines behind new ones that are not as many as the removed ones beside them."""
    found, run = set[int](), ""
    for number, line in enumerate(lines):
        if line.mark in ("+", "-"):
            run += line.mark
        else:
            if "+" in run and run.count("+") != run.count("-"):
                found.add(number)
            run = ""
    return found


def _more_new(line: Line, more: int) -> int:
    """How many more new lines than removed ones a run has so far."""
    return more + 1 if line.mark == "+" else more - 1 if line.mark == "-" else 0


def _runs(match: Match) -> Iterator[_Run]:
    gone, new, lost, above, before = list[int](), list[str](), 0, None, 0
    is_open = False
    for line, at in zip(match.lines, match.pairs, strict=True):
        if line.mark == "+":
            new.append(line.text)
            before += not gone and not lost
            is_open = True
        elif line.mark == "-":
            lost += at == ABSENT
            gone += [at] if at != ABSENT else []
            is_open = True
        else:
            if is_open:
                yield _Run(tuple(gone), lost, tuple(new), before, above, _known(at))
                gone, new, lost, before, is_open = [], [], 0, 0, False
            above = _known(at)
    if is_open:
        yield _Run(tuple(gone), lost, tuple(new), before, above, None)


def _known(at: int) -> int | None:
    return None if at == ABSENT else at


def _splice(run: _Run, source: Source) -> Splice | None:
    if run.lost:
        return None
    if run.gone:
        start, end = run.gone[0], run.gone[-1] + 1
        if end - start != len(run.gone) or _is_loose(run, start, end):
            return None
        return _with_ends(start, end, run.new, source)
    at = _insertion(run, source.lines)
    return None if at is None else _with_ends(at, at, run.new, source)


def _is_loose(run: _Run, start: int, end: int) -> bool:
    """Lines of the file that are not quoted stand where new ones come in beside removed ones."""
    above = run.before and run.above is not None and run.above + 1 < start
    is_even = len(run.new) in (0, len(run.gone))
    below = not is_even and run.below is not None and run.below > end
    return bool(above or below)


def _insertion(run: _Run, file: Sequence[str]) -> int | None:
    if run.above is None or run.below is None:
        return run.below if run.above is None else run.above + 1
    if run.below == run.above + 1:
        return run.below
    return None  # lines of the file stand between the two: on which side, nothing tells


def _with_ends(start: int, end: int, new: Sequence[str], source: Source) -> Splice:
    """New lines end as those around them; a line that only came back stays out of it."""
    file = source.lines
    while start < end and new and new[0] == file[start]:
        start, new = start + 1, new[1:]
    while start < end and new and new[-1] == file[end - 1]:
        end, new = end - 1, new[:-1]
    newline = source.newline_at(start, end)
    if newline and end == len(file) and not source.final_newline and new:
        return _at_open_end(start, end, new, source)
    return Splice(
        start, end, tuple(line if line.endswith("\r") else line + newline for line in new)
    )


def _at_open_end(start: int, end: int, new: Sequence[str], source: Source) -> Splice:
    """The last line has no end: the one that was the last gets one, the new one does not."""
    if start == end:
        start, new = start - 1, (source.lines[-1], *new)
    return Splice(start, end, (*(f"{line}\r" for line in new[:-1]), new[-1]))
