"""How the indentation of a hunk differs from the file's, and what that means for its new lines.

Each rule looks at pairs of a quoted and a real line that are alike but for their blanks.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from react_agent.parsers.counted import counted
from react_agent.parsers.patch.changes import Line
from react_agent.parsers.patch.match import ABSENT

_TABS = (4, 8, 2)  # columns of a tab, the most usual first


class Pair(NamedTuple):
    mark: str
    quoted: str  # its blanks
    real: str


class Shift(NamedTuple):
    blanks: str
    deeper: bool  # the file is


class Fit(NamedTuple):
    lines: tuple[Line, ...]
    said: str


Rule = Callable[[Sequence[Line], Sequence[int], Sequence[str]], Fit | None]


def same(lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]) -> Fit | None:
    alike = all(one.quoted == one.real for one in paired(lines, pairs, file))
    return Fit(tuple(lines), "") if alike else None


def shifted(lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]) -> Fit | None:
    """All lines by the same blanks, and so the new ones."""
    every = list(paired(lines, pairs, file))
    shift = _shift(every)
    moved = moved_by(lines, shift) if shift else None
    if not shift or not moved or (shift.blanks == " " and not _tells_columns(every)):
        return None
    new = with_own_blanks(moved, lines, pairs, file)
    return Fit(new, f"re-indented {_by(shift)}, its new lines too")


def with_own_blanks(
    moved: tuple[Line, ...], lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]
) -> tuple[Line, ...]:
    """New lines of nothing but blanks stay, where such a line stands as it is quoted."""
    if not _has_blanks_of_its_own(lines, pairs, file):
        return moved
    return tuple(
        line if line.mark == "+" and not line.text.strip() else other
        for line, other in zip(lines, moved, strict=True)
    )


def _has_blanks_of_its_own(
    lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]
) -> bool:
    both = ((line.text, file[at]) for line, at in zip(lines, pairs, strict=True) if at != ABSENT)
    return any(text == real != "" and not text.strip() for text, real in both)


def _tells_columns(every: Sequence[Pair]) -> bool:
    """By one blank may also be a mark too few or too many, which removed lines have anyway."""
    return any(one.mark == "-" for one in every)


def shifted_changes(lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]) -> Fit | None:
    """The context by some blanks or none, the changed lines by others."""
    every = list(paired(lines, pairs, file))
    gone = _shift([one for one in every if one.mark == "-"])
    rest = [one for one in every if one.mark != "-"]
    kept = _shift(rest) if rest else None
    if not gone or not (kept or not rest) or _has_pure_additions(lines):
        return None
    moved = _moved_with_removed(lines, pairs, file, gone)
    which = "removed" if moved == tuple(lines) else "changed"
    return Fit(moved, f"its {which} lines re-indented {_by(gone)}") if moved else None


def _moved_with_removed(
    lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str], shift: Shift
) -> tuple[Line, ...] | None:
    """If the new lines begin where the removed ones were quoted; not if where these stand."""
    removed = next(pair for pair in paired(lines, pairs, file) if pair.mark == "-")
    new = [indent(line.text) for line in lines if line.mark == "+" and line.text.strip()]
    shallowest = min(new, key=len, default=removed.quoted)
    if shallowest == removed.real:
        return tuple(lines)
    return moved_by(lines, shift) if shallowest == removed.quoted else None


def tabs(lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]) -> Fit | None:
    """Blanks for tabs, or tabs for blanks; not a blank before a tab, which leaves its width."""
    every = list(paired(lines, pairs, file))
    if any(one.quoted != one.real and " \t" in one.quoted for one in every):
        return None
    for size in _TABS:
        if all(_width(one.quoted, size) == _width(one.real, size) for one in every):
            with_tabs = any("\t" in one.real for one in every)
            if with_tabs and any(one.real[:1] == " " for one in every):
                return _as_others(lines, every)
            new = (_tabbed(line, size, with_tabs) if line.mark == "+" else line for line in lines)
            kind = "tabs" if with_tabs else "blanks"
            return Fit(tuple(new), f"indented with {kind}, as the file is")
    return None


def _as_others(lines: Sequence[Line], every: Sequence[Pair]) -> Fit | None:
    """The file mixes the two: a new line gets what each line has that was quoted as deep."""
    depths = defaultdict[str, set[str]](set)
    for one in every:
        depths[one.quoted].add(one.real)
    mended = list[Line]()
    for line in lines:
        if line.mark == "+" and line.text.strip():
            found = depths[indent(line.text)]
            if len(found) != 1:
                return None
            (blanks,) = found
            mended.append(Line("+", blanks + line.text.lstrip()))
        else:
            mended.append(line)
    return Fit(tuple(mended), "indented as the file is, with tabs and blanks")


def paired(lines: Sequence[Line], pairs: Sequence[int], file: Sequence[str]) -> Iterator[Pair]:
    for line, at in zip(lines, pairs, strict=True):
        if at != ABSENT and line.text.strip():
            yield Pair(line.mark, indent(line.text), indent(file[at]))


def _shift(every: Sequence[Pair]) -> Shift | None:
    if not every:
        return None
    quoted, real = every[0].quoted, every[0].real
    deeper = len(real) > len(quoted)
    longer, shorter = (real, quoted) if deeper else (quoted, real)
    if not longer.endswith(shorter):
        return None
    blanks = longer[: len(longer) - len(shorter)]
    for one in every:
        moved = (blanks + one.quoted, one.real) if deeper else (blanks + one.real, one.quoted)
        if moved[0] != moved[1]:
            return None
    return Shift(blanks, deeper)


def moved_by(lines: Sequence[Line], shift: Shift) -> tuple[Line, ...] | None:
    moved = list[Line]()
    for line in lines:
        if line.mark == "+" and not line.text.strip():
            moved.append(line if shift.deeper else Line("+", line.text.removeprefix(shift.blanks)))
        elif line.mark == "+":
            if not shift.deeper and not line.text.startswith(shift.blanks):
                return None
            text = shift.blanks + line.text if shift.deeper else line.text[len(shift.blanks) :]
            moved.append(Line("+", text))
        else:
            moved.append(line)
    return tuple(moved)


def _has_pure_additions(lines: Sequence[Line]) -> bool:
    """Some stand in a run without removed lines: nothing tells by what they are shifted."""
    run = ""
    for line in (*lines, Line(" ", "")):
        if line.mark in ("+", "-"):
            run += line.mark
        elif run:
            if "-" not in run:
                return True
            run = ""
    return False


def _width(blanks: str, size: int) -> int:
    return len(blanks.expandtabs(size))


def _tabbed(line: Line, size: int, with_tabs: bool) -> Line:
    blanks = indent(line.text).partition("\f")[0]  # which is no blank, and stays
    width = _width(blanks, size)
    mended = "\t" * (width // size) + " " * (width % size) if with_tabs else " " * width
    return Line("+", mended + line.text[len(blanks) :])


def indent(line: str) -> str:
    text = line.removesuffix("\r")
    return text[: len(text) - len(text.lstrip())]


def _by(shift: Shift) -> str:
    kind = "tab" if set(shift.blanks) == {"\t"} else "blank"
    count = counted(len(shift.blanks), kind)
    return f"by {count} {'more' if shift.deeper else 'less'}"
