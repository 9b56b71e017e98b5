"""The line numbers of a listing, copied into a hunk with its lines.

line = blank{0,7} number [sign text]       one sign for all; a blank or tab at its end may be lost

So the number of an empty line may stand alone, as a text of the file may. It is one of a listing
where at least two lines with a sign, old or new as it is itself, rise by one a line with it.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from react_agent.parsers.late_pattern import LatePattern
from react_agent.parsers.patch.changes import Line

SIGNS = ("| ", "|", ": ", ":", "\t", "→")  # the longer ones first
_TELLING = 2  # lines with a sign

_Lines = tuple[Line, ...]


def without_numbers(sign: str) -> Callable[[_Lines], _Lines]:
    """Each old line that says something has one, and they grow; else nothing is changed."""
    numbered = LatePattern(
        rf"\s{{0,7}}(?P<at>\d{{1,7}})(?:{re.escape(sign)}(?P<text>.*)|{re.escape(sign.strip())})",
        re.DOTALL,
    )

    def without(lines: _Lines) -> _Lines:
        old = [line for line in lines if line.mark != "+" and line.text.strip()]
        found = [numbered.fullmatch(line.text) for line in old]
        numbers = [int(one["at"]) for one in found if one]
        if not numbers or len(numbers) < len(found) or numbers != sorted(set(numbers)):
            return lines
        near = range(numbers[0] - len(lines), numbers[-1] + len(lines))
        if not all(_are_told(side, numbered, near) for side in _sides(lines)):
            return lines
        return tuple(Line(line.mark, _behind(numbered, near, line.text)) for line in lines)

    return without


def _behind(numbered: LatePattern, near: range, text: str) -> str:
    """Another number is the line's own."""
    found = numbered.fullmatch(text)
    return found["text"] or "" if found and int(found["at"]) in near else text


def _sides(lines: _Lines) -> tuple[list[str], list[str]]:
    old = [line.text for line in lines if line.mark != "+"]
    return old, [line.text for line in lines if line.mark == "+"]


def _are_told(side: Sequence[str], numbered: LatePattern, near: range) -> bool:
    """Each number alone is the one that two lines with a sign give to its place."""
    found = [(at, one) for at, text in enumerate(side) if (one := numbered.fullmatch(text))]
    firsts = [(int(one["at"]) - at, one[0]) for at, one in found if int(one["at"]) in near]
    told = Counter(first for first, text in firsts if not _is_alone(text))
    return all(told[first] >= _TELLING for first, text in firsts if _is_alone(text))


def _is_alone(text: str) -> bool:
    return text.lstrip().isdecimal()
