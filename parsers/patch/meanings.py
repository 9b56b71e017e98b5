"""What may have been copied into a hunk, or done to its text on the way: taken out again."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from react_agent.parsers.late_pattern import LatePattern
from react_agent.parsers.patch.changes import Line
from react_agent.parsers.patch.elided import is_elision
from react_agent.parsers.patch.listings import SIGNS, without_numbers
from react_agent.parsers.patch.match import ABSENT, Match

Lines = tuple[Line, ...]

_PLAIN = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'", "nbsp": " "}
_PLAIN |= {"#39": "'", "#x27": "'", "#34": '"'}
_HTML = LatePattern(rf"&({'|'.join(_PLAIN)});")
_ESCAPED = LatePattern(r"\\([\\\"'`$])")
NEW_BLANK = "an empty line between new ones was taken as new"
_TOGETHER = 2  # of them at once


def _without_marks(lines: Lines) -> Lines:
    if not any("\\" in line.text or "<U+" in line.text for line in lines):
        return lines
    from react_agent.parsers.quoting import unquote_world  # it takes its time

    return _changed(lines, lambda text: unquote_world(f"\n{text}")[1:])


def _html_undone(lines: Lines) -> Lines:
    return _changed(lines, lambda text: _HTML.sub(lambda found: _PLAIN[found[1]], text))


def _backslashes_undone(lines: Lines) -> Lines:
    return _changed(lines, lambda text: _ESCAPED.sub(r"\1", text) if "\\" in text else text)


def _without_blank_ends(lines: Lines) -> Lines:
    first, last = 0, len(lines)
    while first < last and _is_blank_context(lines[first]):
        first += 1
    while last > first and _is_blank_context(lines[last - 1]):
        last -= 1
    return lines[first:last]


def _without_second_marks(lines: Lines) -> Lines:
    """`--x` and `++y`, with a blank more before each other line."""
    marked = all(not line.text.strip() or line.text[:1] == (line.mark or " ") for line in lines)
    if not marked or not any(line.mark in ("+", "-") and line.text.strip() for line in lines):
        return lines
    return tuple(Line(line.mark, line.text[1:]) for line in lines)


def _without_dots(lines: Lines) -> Lines:
    """Above and below a hunk they stand for what is not quoted anyway."""
    first, last = 0, len(lines)
    while first < last and _is_dots(lines[first]):
        first += 1
    while last > first and _is_dots(lines[last - 1]):
        last -= 1
    return lines[first:last]


def _is_dots(line: Line) -> bool:
    return line.mark in ("", " ") and is_elision(line.text)


def _with_new_blanks(lines: Lines) -> Lines:
    """An empty line between two new ones is new: its `+` was forgotten."""
    marks = [line.mark for line in lines]
    return tuple(
        Line("+", "") if _is_blank_context(line) and _is_among_new(marks, at) else line
        for at, line in enumerate(lines)
    )


def _is_among_new(marks: Sequence[str], at: int) -> bool:
    return marks[max(at - 1, 0)] == "+" and marks[min(at + 1, len(marks) - 1)] == "+"


def _is_blank_context(line: Line) -> bool:
    return line.mark in ("", " ") and not line.text.strip()


def _changed(lines: Lines, change: Callable[[str], str]) -> Lines:
    return tuple(Line(line.mark, change(line.text)) for line in lines)


MEANINGS: tuple[tuple[str, Callable[[Lines], Lines]], ...] = (
    *(("the line numbers of a listing were left out", without_numbers(sign)) for sign in SIGNS),
    ("marks that only a transcript has were left out", _without_marks),
    ("HTML's `&lt;` and the like were undone", _html_undone),
    ("backslashes before quotes were undone", _backslashes_undone),
    ("a second mark before each line was left out", _without_second_marks),
    (NEW_BLANK, _with_new_blanks),
    ("dots at its ends were left out", _without_dots),
    ("blank lines at its ends were left out", _without_blank_ends),
)


def undoes_too_much(match: Match, file: Sequence[str]) -> bool:
    """The file has itself what was undone in a line that it was found to misquote."""
    undone = [change for said, change in MEANINGS if said in match.said]
    for line, at in zip(match.lines, match.pairs, strict=True):
        if undone and at != ABSENT and line.text.strip() != file[at].strip():
            real = (Line(line.mark, file[at].strip()),)
            meant = (Line(line.mark, line.text.strip()),)
            if any(change(real) != real and change(real) == change(meant) for change in undone):
                return True
    return False


def _quotes(lines: Lines) -> bool:
    """What was written must not become blank lines: those stand anywhere."""
    return any(line.mark != "+" and line.text.strip() for line in lines)


def meanings(lines: Sequence[Line]) -> Iterator[tuple[tuple[str, ...], Lines]]:
    """As written first; then each change that makes a difference, then two of them at once."""
    written = tuple(lines)
    yield (), written
    seen = {written}
    useful = [(said, change) for said, change in MEANINGS if change(written) != written]
    for count in range(1, _TOGETHER + 1):
        for some in combinations(useful, count):
            meant = written
            for _, change in some:
                meant = change(meant)
            if meant not in seen and _quotes(meant):
                seen.add(meant)
                yield tuple(said for said, _ in some), meant
