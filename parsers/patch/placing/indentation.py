"""Undo accidental changes to a hunk's text: different indentation, copied marks and escapes.

Each rule compares the old lines that are not blank with the matching lines in the file. It returns
the corrected lines, or None if the rule does not apply.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import dropwhile
from typing import NamedTuple

from react_agent.parsers.patch.changes import Fix, Line, Repair
from react_agent.parsers.patch.source import ABSENT, typographic
from react_agent.parsers.text.late_pattern import LatePattern

_TABS = (4, 8, 2)  # columns of a tab, the most usual first


class _Pair(NamedTuple):
    mark: str
    quoted: str  # its indentation, as quoted
    real: str


class _Shift(NamedTuple):
    spaces: str
    deeper: bool  # whether the file is indented more

    @property
    def numbers(self) -> tuple[int, int]:
        count = len(self.spaces)
        return (count if self.deeper else -count), int(set(self.spaces) == {"\t"})


class Fit(NamedTuple):
    lines: tuple[Line, ...]
    repairs: tuple[Repair, ...] = ()


Rule = Callable[[Sequence[Line], Sequence[int], Sequence[str]], Fit | None]


def same(lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]) -> Fit | None:
    alike = all(one.quoted == one.real for one in _paired(lines, pairs, file))
    return Fit(tuple(lines)) if alike else None


def lost_mark(lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]) -> Fit | None:
    """Match context lines that lost their leading mark, so that an indent space took its place.

    If all old lines lost their mark, the new lines may have lost theirs, too: then it is unclear
    how far they are indented.
    """
    every = list(_paired(lines, pairs, file))
    off = [one for one in every if one.quoted != one.real]
    if not off or any(one.mark == "-" or " " + one.quoted != one.real for one in off):
        return None
    strange = {one.quoted for one in every} - {one.real for one in every}
    added = [line.text for line in lines if line.mark == "+" and line.text.strip()]
    if len(off) == len(every) and any(indent(text) in strange or text[0] == "+" for text in added):
        return None
    return Fit(tuple(lines), (Repair(Fix.UNMARKED, (len(off),)),))


def shifted(lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]) -> Fit | None:
    """Match a hunk in which all lines, including new ones, are shifted by the same indentation."""
    every = list(_paired(lines, pairs, file))
    shift = _shift(every)
    if shift and shift.spaces == " " and all(one.mark != "-" for one in every):
        return None  # a mark may be missing or doubled; on removed lines it can't be
    moved = _moved_by(lines, shift) if shift else None
    return Fit(moved, (Repair(Fix.SHIFTED, shift.numbers),)) if shift and moved else None


def shifted_changes(lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]) -> Fit | None:
    """Match a hunk whose changed lines are shifted by a different indentation than its context.

    The new lines must begin at the same column as the removed lines.
    """
    every = list(_paired(lines, pairs, file))
    gone = [one for one in every if one.mark == "-"]
    rest = [one for one in every if one.mark != "-"]
    shift = _shift(gone)
    if not shift or (rest and not _shift(rest)):
        return None
    new = [indent(line.text) for line in lines if line.mark == "+" and line.text.strip()]
    if min(new, key=len, default=gone[0].quoted) != gone[0].quoted:
        return None
    moved = _moved_by(lines, shift)
    repair = Repair(Fix.CHANGES_SHIFTED, shift.numbers)
    if not shift.spaces:  # the changed lines are right
        repair = Repair(Fix.CONTEXT_SHIFTED, (sum(one.quoted != one.real for one in rest),))
    return Fit(moved, (repair,)) if moved else None


def shifted_context(lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]) -> Fit | None:
    """Match context lines that are shifted individually, but not lines next to a change."""
    off, marks = 0, [" ", *(line.mark for line in lines), " "]
    for at, (line, real) in enumerate(zip(lines, pairs, strict=True)):
        if real == ABSENT or not line.text.strip() or indent(line.text) == indent(file[real]):
            continue
        if {"+", "-"}.intersection(marks[at : at + 3]):
            return None
        off += 1
    is_some = 0 < off < sum(1 for _ in _paired(lines, pairs, file))
    return Fit(tuple(lines), (Repair(Fix.CONTEXT_SHIFTED, (off,)),)) if is_some else None


def tabs(lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]) -> Fit | None:
    """Match spaces in place of tabs, or tabs in place of spaces. Refuse a space before a tab."""
    every = list(_paired(lines, pairs, file))
    if any(one.quoted != one.real and " \t" in one.quoted for one in every):
        return None
    with_tabs = any("\t" in one.real for one in every)
    if with_tabs and any(one.real[:1] == " " for one in every):
        return None  # the file mixes the two
    for size in _TABS:
        if all(_width(one.quoted, size) == _width(one.real, size) for one in every):
            new = (_tabbed(line, size, with_tabs) if line.mark == "+" else line for line in lines)
            return Fit(tuple(new), (Repair(Fix.TABS if with_tabs else Fix.SPACES),))
    return None


def indent(line: str) -> str:
    text = line.removesuffix("\r")
    return text[: len(text) - len(text.lstrip())]


def _paired(lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]) -> Iterator[_Pair]:
    for line, at in zip(lines, pairs, strict=True):
        if at != ABSENT and line.text.strip():
            yield _Pair(line.mark, indent(line.text), indent(file[at]))


def _shift(every: Sequence[_Pair]) -> _Shift | None:
    if not every:
        return None
    quoted, real = every[0].quoted, every[0].real
    deeper = len(real) > len(quoted)
    longer, shorter = (real, quoted) if deeper else (quoted, real)
    spaces = longer[: len(longer) - len(shorter)]
    sides = ((one.quoted, one.real) if deeper else (one.real, one.quoted) for one in every)
    return _Shift(spaces, deeper) if all(spaces + less == more for less, more in sides) else None


def _moved_by(lines: Sequence[Line], shift: _Shift) -> tuple[Line, ...] | None:
    moved = list[Line]()
    for line in lines:
        text = line.text
        if line.mark != "+":
            moved.append(line)
        elif shift.deeper:
            moved.append(Line("+", shift.spaces + text) if text.strip() else line)
        elif text.startswith(shift.spaces) or not text.strip():
            moved.append(Line("+", text.removeprefix(shift.spaces)))
        else:
            return None
    return tuple(moved)


def _width(spaces: str, size: int) -> int:
    return len(spaces.expandtabs(size))


def _tabbed(line: Line, size: int, with_tabs: bool) -> Line:
    spaces = indent(line.text).partition("\f")[0]  # a form feed is kept
    width = _width(spaces, size)
    mended = "\t" * (width // size) + " " * (width % size) if with_tabs else " " * width
    return Line("+", mended + line.text[len(spaces) :])


Lines = tuple[Line, ...]

_ESCAPED = LatePattern(r"\\([\\\"'`$])")
_ENTITY = LatePattern(r"&([lg]t|amp|quot|apos|#39);")
_ENTITIES = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'", "#39": "'"}
_NUMBERED = LatePattern(r"\s{0,7}(?P<at>\d{1,7})\|(?: (?P<text>.*))?", flags=16)  # re.DOTALL


def _without_numbers(lines: Lines) -> Lines:
    """Remove line numbers, as in `  12| x`, if all old lines have one and the numbers rise."""
    old = [_NUMBERED.fullmatch(one.text) for one in lines if one.mark != "+" and one.text.strip()]
    numbers = [int(one["at"]) for one in old if one]
    if not numbers or len(numbers) < len(old) or numbers != sorted(set(numbers)):
        return lines
    near = range(numbers[0] - len(lines), numbers[-1] + len(lines))
    return _changed(lines, lambda text: _after_number(text, near))


def _after_number(text: str, near: range) -> str:
    """Return the text after a line number. A number outside `near` belongs to the text."""
    found = _NUMBERED.fullmatch(text)
    return found["text"] or "" if found and int(found["at"]) in near else text


def _without_marks(lines: Lines) -> Lines:
    r"""Undo the quoting of observations, such as `\Action:` and `<U+000C>`."""
    if not any("\\" in line.text or "<U+" in line.text for line in lines):
        return lines
    from react_agent.parsers.transcript.quoting import unquote_world  # a slow import

    return _changed(lines, lambda text: unquote_world(f"\n{text}")[1:])


def without_blank_ends(lines: Lines) -> Lines:
    below = tuple(dropwhile(_is_blank_context, lines))
    return tuple(dropwhile(_is_blank_context, below[::-1]))[::-1]


def _is_blank_context(line: Line) -> bool:
    return line.mark in ("", " ") and not line.text.strip()


def _changed(lines: Lines, change: Callable[[str], str]) -> Lines:
    return tuple(Line(line.mark, change(line.text)) for line in lines)


CORRECTIONS: dict[Fix, Callable[[Lines], Lines]] = {
    Fix.LISTING: _without_numbers,
    Fix.TRANSCRIPT_MARKS: _without_marks,
    Fix.BACKSLASHES: lambda lines: _changed(lines, lambda text: _ESCAPED.sub(r"\1", text)),
    Fix.ENTITIES: lambda lines: _changed(
        lines, lambda text: _ENTITY.sub(lambda one: _ENTITIES[one[1]], text)
    ),
    Fix.BLANK_ENDS: without_blank_ends,
}


def readings(lines: Lines) -> Iterator[tuple[tuple[Fix, ...], Lines]]:
    """Yield the lines as written, then with each correction, with and without line numbers."""
    yield (), lines
    for fix, correct in CORRECTIONS.items():
        meant = correct(lines)
        if meant != lines and any(one.mark != "+" and one.text.strip() for one in meant):
            yield (fix,), meant
            if fix is Fix.LISTING:
                yield from (((fix, *more), one) for more, one in readings(meant) if more)


def is_uneven(repair: Repair, lines: Sequence[Line]) -> bool:
    """Return whether new lines contain a mistake that was corrected in another hunk."""
    new = tuple(line for line in lines if line.mark == "+" and line.text.strip())
    if repair.fix in (Fix.BACKSLASHES, Fix.ENTITIES):
        return CORRECTIONS[repair.fix](new) != new
    if repair.fix is Fix.PUNCTUATION:
        return any(typographic(line.text) for line in new)
    is_space_less = repair[:2] == (Fix.SHIFTED, (-1, 0))
    return is_space_less and bool(new) and all(line.text[0] == " " for line in new)
