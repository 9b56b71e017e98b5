"""What was done to one hunk of a patch was done to all of it.

Where one hunk had to be read without `&lt;`, second marks or a blank too many, and another one
stands in the file as it is written, nothing tells whether its new lines have them of their own.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from react_agent.parsers.late_pattern import LatePattern
from react_agent.parsers.patch.changes import Hunk, Line, Placement
from react_agent.parsers.patch.columns import READ_AS_CONTEXT
from react_agent.parsers.patch.indentation import indent
from react_agent.parsers.patch.meanings import MEANINGS
from react_agent.parsers.patch.punctuation import SAID as PUNCTUATION
from react_agent.parsers.patch.sought import is_odd

_Lines = tuple[Line, ...]
_TOO_MANY = "one blank too many in front"
_DEEPER = "re-indented by 1 blank more"
_LOST_ALL = f"{READ_AS_CONTEXT}, and its new lines too"
_MOVED = ("by 1 blank less", f"{_TOO_MANY}, and its new lines too")
_LISTINGS = "the line numbers of a listing"
_INDENTED = "re-indented"
_OF_CHANGED = LatePattern(r"its (changed|removed) lines re-indented by (\d+) blanks? (more|less)")


class _Row(NamedTuple):
    shown: tuple[str, ...]  # said of some hunk
    held: tuple[str, ...]  # said of one whose own lines told what became of it
    is_suspect: Callable[[Hunk], bool]  # where they did not
    among: str = ""  # of these hunks only: this was said of them


class _Mended(NamedTuple):
    part: int
    number: int  # from 0
    hunk: Hunk
    said: Sequence[str]


def disagreeing(parts: Sequence[tuple[Sequence[Hunk], Placement]]) -> tuple[int, int] | None:
    """The part and the number of a hunk, from 0, whose new lines may not be as they are written."""
    every = list(_each(parts))
    for row in _rows(every):
        for one in every:
            is_asked = not row.among or _says(one.said, (row.among,))
            if is_asked and not _says(one.said, row.held) and row.is_suspect(one.hunk):
                return one.part, one.number
    return None


def _each(parts: Sequence[tuple[Sequence[Hunk], Placement]]) -> Iterator[_Mended]:
    for part, (hunks, found) in enumerate(parts):
        for number, hunk in enumerate(hunks):
            yield _Mended(part, number, hunk, found.said_of(number))


def _rows(every: Sequence[_Mended]) -> list[_Row]:
    said = [words for one in every for words in one.said]
    rows = [
        _Row((words,), (words,), _changes(change))
        for words, change in MEANINGS
        if not words.startswith(_LISTINGS)
    ]
    rows += [
        _Row((PUNCTUATION,), (PUNCTUATION,), _has_odd_letters),
        _Row((_TOO_MANY,), (*_MOVED, _TOO_MANY), _has_blanks_in_front),
        _Row(_MOVED, _MOVED, _has_blanks_in_front),
        _Row((_DEEPER,), (_LOST_ALL,), _replaces_nothing, READ_AS_CONTEXT),
    ]
    return [*(row for row in rows if _says(said, row.shown)), *_of_changed_lines(every)]


def _of_changed_lines(every: Sequence[_Mended]) -> Iterator[_Row]:
    """Where removed lines were off, and the new ones beside them, if there are any."""
    for one in every:
        for found in _OF_CHANGED.pattern.finditer("".join(one.said)):
            if found[1] == "changed" or not any(line.text.strip() for line in _new(one.hunk)):
                by = int(found[2]) if found[3] == "more" else -int(found[2])
                yield _Row((), (_INDENTED,), _may_be_off(by))


def _says(said: Sequence[str], words: Sequence[str]) -> bool:
    return any(word in one for one in said for word in words)


def _changes(change: Callable[[_Lines], _Lines]) -> Callable[[Hunk], bool]:
    def changed(hunk: Hunk) -> bool:
        new = _new(hunk)
        return change(new) != new

    return changed


def _has_odd_letters(hunk: Hunk) -> bool:
    return any(is_odd(letter) for line in _new(hunk) for letter in line.text)


def _replaces_nothing(hunk: Hunk) -> bool:
    marks = {line.mark for line in hunk.lines if line.text.strip()}
    return "+" in marks and "-" not in marks


def _has_blanks_in_front(hunk: Hunk) -> bool:
    new = [line.text for line in _new(hunk) if line.text.strip()]
    return bool(new) and all(len(text) - len(text.lstrip(" ")) for text in new)


def _may_be_off(by: int) -> Callable[[Hunk], bool]:
    """Whether its new lines may lack so many blanks, and no removed line shows that they don't."""

    def is_suspect(hunk: Hunk) -> bool:
        new = [len(indent(line.text)) for line in _new(hunk) if line.text.strip()]
        removed = [line.text.rstrip("\r") for line in hunk.lines if line.mark == "-"]
        if not new or any(text.strip() for text in removed):
            return False
        around = {len(indent(text)) for text in hunk.old if text.rstrip("\r")} or {0}
        depth = min(new)
        return _fits(depth + by, around, by) and (any(removed) or not _fits(depth, around, by))

    return is_suspect


def _fits(depth: int, around: set[int], by: int) -> bool:
    """As deep as a line around it is, or even where all are and one of the two ways is odd."""
    return depth in around or (by % 2 == 1 and all(one % 2 == 0 for one in (depth, *around)))


def _new(hunk: Hunk) -> _Lines:
    return tuple(line for line in hunk.lines if line.mark == "+")
