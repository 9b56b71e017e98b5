"""Which of their places the hunks of a file have, all of them together.

Hunks are in the file in the order in which they are written. If that leaves more than one way,
the names and the numbers in their headers may tell; if these don't, nothing is guessed.
"""

from collections.abc import Sequence
from typing import TypeAlias

from react_agent.parsers.patch.changes import Hunk
from react_agent.parsers.patch.placing.indentation import indent
from react_agent.parsers.patch.placing.match import Match
from react_agent.parsers.text.late_pattern import LatePattern

Places: TypeAlias = Sequence[Match]

_NEAR = 3  # lines; by so many a number is often off
_HEAD = LatePattern(r"[A-Za-z_$]|\s+(?:class|def|async\s+def)\s")
_SHORT = 3  # characters; fewer name nothing


def chosen(hunks: Sequence[Hunk], places: Sequence[Places], file: Sequence[str]) -> list[Places]:
    """For each hunk the places that are left; one, if it is plain."""
    left = list(places)
    for rule in (_at_its_end, _at_a_good_number, _below_its_name, _at_its_number):
        if all(len(one) == 1 for one in left):
            break
        pairs = zip(hunks, left, strict=True)
        left = [rule(hunk, some, file) if len(some) > 1 else some for hunk, some in pairs]
        left = left if rule is _at_its_end else _in_order(left)
    return left


def _at_its_end(hunk: Hunk, places: Places, file: Sequence[str]) -> Places:
    size = next((at for at in range(len(file), 0, -1) if file[at - 1].strip()), 0)
    last = [one for one in places if one.last + 1 >= size]
    return last if hunk.at_end and last else places


def _at_a_good_number(hunk: Hunk, places: Places, file: Sequence[str]) -> Places:
    """Of a header that is right about the lines below it."""
    there = _at(hunk, places)
    is_counted = hunk.counts == (len(hunk.old), len(hunk.new))
    return there if there and is_counted and _agree(hunk, places, file) else places


def _below_its_name(hunk: Hunk, places: Places, file: Sequence[str]) -> Places:
    """Unless the number gives one that is not below it."""
    below = _below(hunk, places, file)
    return below if below and all(one in below for one in _at(hunk, places)) else places


def _at_its_number(hunk: Hunk, places: Places, file: Sequence[str]) -> Places:
    """If no other is close by."""
    there = _at(hunk, places)
    if len(there) != 1 or not _agree(hunk, places, file):
        return places
    others = (one for one in places if one is not there[0])
    return there if all(abs(one.first - there[0].first) > _NEAR for one in others) else places


def _at(hunk: Hunk, places: Places) -> Places:
    """Those at the line that the header gives."""
    return [one for one in places if one.first + 1 == hunk.start]


def _below(hunk: Hunk, places: Places, file: Sequence[str]) -> Places:
    return [one for one in places if hunk.sections and _is_below(hunk.sections, one, file)]


def _agree(hunk: Hunk, places: Places, file: Sequence[str]) -> bool:
    """The name in the header does not give another place than its number."""
    below = _below(hunk, places, file)
    return not below or any(one in below for one in _at(hunk, places))


def _is_below(sections: Sequence[str], match: Match, file: Sequence[str]) -> bool:
    """Each section is named in the block around the lines, or by one of them.

    git names the nearest line above that begins with a letter, or that defines something.
    """
    above = _around(match.first, match.last, file)
    if all(any(_names(line, section) for line in above) for section in sections):
        return True
    heads = (file[at] for at in range(min(match.first, len(file)) - 1, -1, -1))
    nearest = next((line for line in heads if _HEAD.match(line)), "")
    return len(sections) == 1 and _names(nearest, sections[0])


def _around(first: int, last: int, file: Sequence[str]) -> list[str]:
    """The lines themselves, and above them each that is indented less than all below it."""
    found = [file[at] for at in range(first, min(last + 1, len(file)))]
    # the line a section is named by may have no indentation, as the lines themselves
    depth = min((len(indent(line)) for line in found if line.strip()), default=0) or 1
    for at in range(first - 1, -1, -1):
        line = file[at]
        if line.strip() and len(indent(line)) < depth:
            found.append(line)
            depth = len(indent(line))
            if not depth:
                break
    return found


def _names(line: str, section: str) -> bool:
    line, section = " ".join(line.split()), " ".join(section.split())
    at = line.find(section)
    if at < 0 or len(section) < _SHORT or not any(map(str.isalnum, section)):
        return False
    after = line[at + len(section) :][:1]
    return not (after.isalnum() and section[-1].isalnum())


def _in_order(places: list[Places]) -> list[Places]:
    """Those from which all hunks can follow each other; all, if there is no such way."""
    down: list[list[Match]] = []
    above: Match | None = None
    for some in (sorted(one, key=lambda one: one.first) for one in places):
        possible = [one for one in some if above is None or _follows(one, above)]
        if not possible:
            return places
        above = possible[0]
        down.append(possible)
    up: list[Places] = []
    below: Match | None = None
    for some in reversed(down):
        possible = [one for one in some if below is None or _follows(below, one)]
        below = possible[-1]
        up.append(possible)
    return up[::-1]


def _follows(one: Match, above: Match) -> bool:
    return one.first > above.first and one.change[0] >= above.change[1]
