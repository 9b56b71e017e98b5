"""The column of marks, missing or doubled before unchanged lines: so these are a blank off.

Removed lines have their mark, and so stand as they are quoted.
"""

from collections.abc import Sequence

from react_agent.parsers.counted import counted
from react_agent.parsers.patch.changes import Line
from react_agent.parsers.patch.indentation import (
    Fit,
    Pair,
    Shift,
    indent,
    moved_by,
    paired,
    with_own_blanks,
)

READ_AS_CONTEXT = "read as context"


def column_lost(lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]) -> Fit | None:
    """The blank that marks a context line was left out, so its first own blank was taken for it."""
    every = list(paired(lines, pairs, file))
    lost = [one for one in every if one.quoted != one.real]
    if not lost or any(one.mark == "-" or " " + one.quoted != one.real for one in lost):
        return None
    its = "its" if len(lost) == 1 else "their"
    said = f"{counted(len(lost), 'context line')} without {its} mark {READ_AS_CONTEXT}"
    return _fit(lines, every, len(lost), Shift(" ", True), said)


def column_doubled(lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]) -> Fit | None:
    every = list(paired(lines, pairs, file))
    extra = [one for one in every if one.quoted != one.real]
    if not extra or any(one.mark == "-" or one.quoted != " " + one.real for one in extra):
        return None
    said = f"{counted(len(extra), 'context line')} had one blank too many in front"
    fit = _fit(lines, every, len(extra), Shift(" ", False), said)
    return fit and fit._replace(lines=with_own_blanks(fit.lines, lines, pairs, file))


def _fit(
    lines: Sequence[Line], every: Sequence[Pair], off: int, shift: Shift, said: str
) -> Fit | None:
    """If all old lines are off, so may the new ones be."""
    new = _evened(lines, every, shift) if off == len(every) else tuple(lines)
    if not new:
        return None
    return Fit(new, said if new == tuple(lines) else f"{said}, and its new lines too")


def _evened(lines: Sequence[Line], every: Sequence[Pair], shift: Shift) -> tuple[Line, ...] | None:
    """Whether the new ones are a blank off as all others are, of which none is removed.

    One that is as deep as a line is, or as one was quoted, tells; then whether only one of the two
    is a multiple of what the depths of lines are. Nothing tells where they differ, or where they
    begin with another `+`.
    """
    added = [line.text for line in lines if line.mark == "+" and line.text.strip()]
    real, quoted = {one.real for one in every}, {one.quoted for one in every}
    by = 1 if shift.deeper else -1
    off = {
        indent(text) in quoted
        for text in added
        if (indent(text) in real) != (indent(text) in quoted)
    }
    if not off and (unit := _unit(real)):
        off = {is_off for text in added for is_off in _ways(len(indent(text)), unit, by)}
    if len(off) != bool(added) or any(text[0] == "+" for text in added):
        return None
    return moved_by(lines, shift) if True in off else tuple(lines)


def _unit(depths: set[str]) -> int:
    """How many blanks a level has; 0: that can't be told."""
    widths = {len(depth) for depth in depths}
    units = (size for size in (4, 2) if all(width % size == 0 for width in widths))
    return next(units, 0) if any(widths) else 2


def _ways(width: int, unit: int, by: int) -> set[bool]:
    """Whether a line so deep is a blank off, or both where it is not that alone."""
    fit = {is_off for is_off in (False, True) if (width + by * is_off) % unit == 0}
    return fit or {False, True}
