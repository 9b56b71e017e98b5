"""What may have been copied into a hunk, or done to its text on the way: taken out again."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from react_agent.parsers.patch.changes import Line
from react_agent.parsers.quoting import unquote_world

Lines = tuple[Line, ...]

_NUMBERED = re.compile(r"\s{0,7}(?P<at>\d{1,7})(?:\| ?|: ?|→|\t)(?P<text>.*)", re.DOTALL)
_PLAIN = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'", "nbsp": " "}
_PLAIN |= {"#39": "'", "#x27": "'", "#34": '"'}
_HTML = re.compile(rf"&({'|'.join(_PLAIN)});")
_ESCAPED = re.compile(r"\\([\\\"'`$])")
_TOGETHER = 2  # of them at once


def _without_numbers(lines: Lines) -> Lines:
    """Of a listing: each old line that says something has one, and they grow."""
    old = [line for line in lines if line.mark != "+" and line.text.strip()]
    found = [_NUMBERED.fullmatch(line.text) for line in old]
    numbers = [int(one["at"]) for one in found if one]
    if not numbers or len(numbers) < len(found) or numbers != sorted(set(numbers)):
        return lines
    return _changed(lines, lambda text: one["text"] if (one := _NUMBERED.fullmatch(text)) else text)


def _without_marks(lines: Lines) -> Lines:
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


def _is_blank_context(line: Line) -> bool:
    return line.mark in ("", " ") and not line.text.strip()


def _changed(lines: Lines, change: Callable[[str], str]) -> Lines:
    return tuple(Line(line.mark, change(line.text)) for line in lines)


MEANINGS: tuple[tuple[str, Callable[[Lines], Lines]], ...] = (
    ("the line numbers of a listing were left out", _without_numbers),
    ("marks that only a transcript has were left out", _without_marks),
    ("HTML's `&lt;` and the like were undone", _html_undone),
    ("backslashes before quotes were undone", _backslashes_undone),
    ("blank lines at its ends were left out", _without_blank_ends),
)


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
            if meant not in seen and any(line.text.strip() for line in meant):
                seen.add(meant)
                yield tuple(said for said, _ in some), meant
