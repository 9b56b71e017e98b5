"""Marks and indentation: what stands in the first columns."""

from collections.abc import Sequence
from random import Random

from draft import Draft, Hunk, Line
from row import Damage, Defect, Kind, Told, yes

_READ_OTHERWISE = ("+", "-", "\\", "@@", "diff ", "```", "*", "<", ">", "=", "~", "#", "...")


def _blank_without_mark(draft: Draft, rng: Random) -> Told:
    blank = [line for hunk in draft.hunks for line in hunk.context if not line.text.strip()]
    for line in blank:
        line.mark = line.text = ""
    return Told.YES if blank else Told.UNFIT


def _without_mark(most: int) -> Damage:
    def damage(draft: Draft, rng: Random) -> Told:
        lines = [
            line
            for _, hunk in draft.plain_hunks()
            for line in hunk.context
            if not line.text.startswith(_READ_OTHERWISE) and line.text.strip()
        ]
        for line in rng.sample(lines, min(most, len(lines))):
            line.mark = ""
        return Told.YES if lines else Told.UNFIT

    return damage


def _doubled_marks(draft: Draft, rng: Random) -> Told:
    for hunk in draft.hunks:
        for line in hunk.lines:
            line.text = line.mark + line.text if line.mark != "\\" else line.text
        hunk.is_literal = False
    return yes(_tell_a_shift(draft.hunks))


def _space_behind_marks(draft: Draft, rng: Random) -> Told:
    for hunk in draft.hunks:
        _shift(hunk.lines, 1)
        hunk.is_literal = False
    return yes(_tell_a_column(draft.hunks))


def _shifted(draft: Draft, rng: Random) -> Told:
    """All lines of a hunk, by as much."""
    hunks = [hunk for _, hunk in draft.plain_hunks()]
    by = rng.choice((-8, -4, -4, -2, -1, 1, 2, 4, 4, 8))
    fit = [hunk for hunk in hunks if _can_shift(hunk.lines, by)]
    for hunk in fit:
        _shift(hunk.lines, by)
        hunk.is_literal = False
    tells = _tell_a_column if abs(by) == 1 else _tell_a_shift
    return yes(tells(fit)) if fit else Told.UNFIT


def _outdented_changes(draft: Draft, rng: Random) -> Told:
    """Added and removed lines have lost what their marks stand on."""
    by = rng.choice((-1, -1, -4))
    hunks = [hunk for _, hunk in draft.plain_hunks() if any(one.text for one in hunk.removed)]
    fit = [hunk for hunk in hunks if _can_shift(hunk.removed + hunk.added, by)]
    for hunk in fit:
        _shift(hunk.removed + hunk.added, by)
        hunk.is_literal = False
    if not fit:
        return Told.UNFIT
    return yes(_tell_a_column(fit))


def _outdented_added(draft: Draft, rng: Random) -> Told:
    """Nobody knows how far."""
    fit = [hunk for _, hunk in draft.plain_hunks() if hunk.added and _can_shift(hunk.added, -1)]
    for hunk in fit:
        _shift(hunk.added, -1)
        hunk.is_literal = False
    return Told.NO if fit else Told.UNFIT


def _can_shift(lines: Sequence[Line], by: int) -> bool:
    full = [line.text for line in lines if line.text.strip() and line.mark != "\\"]
    return bool(full) and all(text[:1] != "\t" and text.startswith(" " * -by) for text in full)


def _shift(lines: Sequence[Line], by: int) -> None:
    for line in lines:
        if line.text.strip() and line.mark != "\\":
            line.text = " " * by + line.text if by > 0 else line.text[-by:]


def _tell_a_shift(hunks: Sequence[Hunk]) -> bool:
    """Only lines of the file that are not blank show how far it went."""
    return all(any(line.text.strip() for line in hunk.old) for hunk in hunks)


def _tell_a_column(hunks: Sequence[Hunk]) -> bool:
    """A column of context may be its mark; of a removed line it is not."""
    removed = (hunk.removed for hunk in hunks)
    return all(any(line.text.strip() and line.is_true for line in lines) for lines in removed)


def _retabbed(draft: Draft, rng: Random) -> Told:
    width = rng.choice((4, 4, 8))
    changed, told = False, True
    for _, hunk in draft.plain_hunks():
        lines = [line for line in hunk.lines if line.mark != "\\"]
        before = {_indent(line.text) for line in hunk.old if line.text.strip()}
        told = told and all(_indent(line.text) in before for line in hunk.added if line.text)
        for line in lines:
            new = _other_blanks(line.text, width)
            changed = changed or new != line.text
            hunk.is_literal = hunk.is_literal and new == line.text
            line.text = new
    return yes(told) if changed else Told.UNFIT


def _indent(text: str) -> str:
    return text[: len(text) - len(text.lstrip())]


def _other_blanks(text: str, width: int) -> str:
    indent = _indent(text)
    if "\t" in indent:
        return indent.replace("\t", " " * width) + text[len(indent) :]
    return indent.replace(" " * width, "\t") + text[len(indent) :]


def _listed(what: str, form: str, *, added: bool = False) -> Defect:
    """Copied from a listing, with its numbers."""

    def damage(draft: Draft, rng: Random) -> Told:
        hunks = draft.plain_hunks()
        for _, hunk in hunks:
            _number(hunk, form, added)
        told = all(any(line.text for line in hunk.old) for _, hunk in hunks)
        return yes(told) if hunks else Told.UNFIT

    return Defect(what, damage, kind=Kind.DEPENDS, group="listing", moves_columns=True)


def _number(hunk: Hunk, form: str, added: bool) -> None:
    number = hunk.start
    for line in hunk.lines:
        if line.is_old:
            number = (line.at or 0) + 1
            line.text = form.format(number, line.text)
        elif line.mark == "+" and added:
            number += 1
            line.text = form.format(number, line.text)
    hunk.is_literal = False


COLUMNS = (
    Defect("blank context line without its mark", _blank_without_mark, 277),
    Defect("a context line without its mark", _without_mark(1), 28, moves_columns=True),
    Defect("context lines without their marks", _without_mark(99), 27, moves_columns=True),
    Defect("marks doubled", _doubled_marks, kind=Kind.DEPENDS, moves_columns=True),
    Defect("space behind the marks", _space_behind_marks, kind=Kind.DEPENDS, moves_columns=True),
    Defect("indentation shifted", _shifted, 40, Kind.DEPENDS, moves_columns=True),
    Defect("changed lines outdented", _outdented_changes, 41, Kind.DEPENDS, moves_columns=True),
    Defect("added lines outdented", _outdented_added, kind=Kind.LOSING, moves_columns=True),
    Defect("tabs for spaces, or spaces for tabs", _retabbed, kind=Kind.DEPENDS, moves_columns=True),
    _listed("`12| ` before all lines", "{:4}| {}", added=True),
    _listed("`12: ` before old lines", "{}: {}"),
    _listed("`12` and a tab before old lines", "{:6}\t{}"),
)
