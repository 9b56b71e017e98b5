"""What was done to one hunk of a patch was done to all of it.

Where one hunk had to be read without `&lt;`, second marks or a blank too many, and another one
stands in the file as it is written, nothing tells whether its new lines have them of their own.
"""

from collections.abc import Callable, Sequence

from react_agent.parsers.patch.changes import Hunk, Line, Placement
from react_agent.parsers.patch.meanings import MEANINGS
from react_agent.parsers.patch.punctuation import SAID as PUNCTUATION
from react_agent.parsers.patch.sought import is_odd

_Lines = tuple[Line, ...]
_ONE_BLANK = ("by 1 blank less", "one blank too many in front")
_LISTINGS = "the line numbers of a listing"


def disagreeing(parts: Sequence[tuple[Sequence[Hunk], Placement]]) -> tuple[int, int] | None:
    """The part and the number of a hunk, from 0, whose new lines may not be as they are written."""
    said = [one for _, found in parts for one in found.repairs]
    for words, changed in _carried(said):
        for part, (hunks, found) in enumerate(parts):
            for number, hunk in enumerate(hunks):
                mine = [one for one in found.repairs if one.startswith(f"hunk {number + 1}: ")]
                if not any(word in one for one in mine for word in words) and changed(hunk):
                    return part, number
    return None


def _carried(said: Sequence[str]) -> list[tuple[tuple[str, ...], Callable[[Hunk], bool]]]:
    rows: list[tuple[tuple[str, ...], Callable[[Hunk], bool]]] = [
        ((words,), _changes(change))
        for words, change in MEANINGS
        if not words.startswith(_LISTINGS)
    ]
    rows += [((PUNCTUATION,), _has_odd_letters), (_ONE_BLANK, _has_blanks_in_front)]
    return [row for row in rows if any(word in one for one in said for word in row[0])]


def _changes(change: Callable[[_Lines], _Lines]) -> Callable[[Hunk], bool]:
    def changed(hunk: Hunk) -> bool:
        new = _new(hunk)
        return change(new) != new

    return changed


def _has_odd_letters(hunk: Hunk) -> bool:
    return any(is_odd(letter) for line in _new(hunk) for letter in line.text)


def _has_blanks_in_front(hunk: Hunk) -> bool:
    new = [line.text for line in _new(hunk) if line.text.strip()]
    return bool(new) and all(len(text) - len(text.lstrip(" ")) for text in new)


def _new(hunk: Hunk) -> _Lines:
    return tuple(line for line in hunk.lines if line.mark == "+")
