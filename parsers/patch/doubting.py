"""What speaks against the one place that a hunk was found in: then it is refused."""

from collections.abc import Sequence, Set
from typing import NamedTuple

from react_agent.parsers.patch.changes import Hunk, Refusal
from react_agent.parsers.patch.choosing import Places, is_at, is_closer_elsewhere
from react_agent.parsers.patch.match import Match
from react_agent.parsers.patch.outer_lines import (
    begins_late,
    ends_above,
    ends_early,
    hangs_on_blanks,
    would_double,
)
from react_agent.parsers.patch.refusing import MORE, Refusing
from react_agent.parsers.patch.sliding import would_slide
from react_agent.parsers.patch.sought import Sought
from react_agent.parsers.patch.source import Source
from react_agent.parsers.patch.standing import standing_nearer, stands_at_its_number


class Chosen(NamedTuple):
    number: int  # of the hunk, from 0
    hunk: Hunk
    match: Match
    places: Places  # all that it was found in
    moved: int  # lines by which hunks above it that were applied already moved it
    gone: Set[int]  # lines of the file that hunks remove


def doubted(one: Chosen, sought: Sought, refusing: Refusing) -> Refusal | None:
    file = sought.source.lines
    number, hunk, match = one.number, one.hunk, one.match
    if (at := standing_nearer(hunk, match, sought)) is not None:
        return refusing.there_already(number, at)
    if would_double(hunk, match, file):
        return refusing.there_already(number, match.first)
    if hunk.lacking and hunk.lacking == len(file) - match.last - 1:
        return refusing.cut_off(number)  # above it a change would have lines behind it, too
    if other := _where_it_moved(one, sought):
        return refusing.alike(number, [match.first + 1, other])
    if is_closer_elsewhere(match, one.places, file):
        return refusing.ambiguous(number, one.places)
    what = (
        _contradicted(hunk, match, file)
        or _at_the_end(hunk, match, sought.source)
        or _of_another(one)
        or _between_two_ends(match, sought.source)
    )
    return refusing.said(number, what) if what else None


def _contradicted(hunk: Hunk, match: Match, file: Sequence[str]) -> str:
    """By its number, its first and its last lines."""
    line = match.first + 1
    if stands_at_its_number(hunk, match, file):
        return f"stands at line {line}, and with other blanks at line {hunk.start or 1}: {MORE}"
    if hangs_on_blanks(hunk, match, file):
        return (
            "has a blank line beside its new ones that the file does not have at line "
            f"{match.change[0] + 1}: quote the lines between which they are to stand"
        )
    if would_slide(match, file):
        return (
            f"stands at line {line} but for blanks at their ends, and with all of them where "
            "a line of the file is left out: quote that, too"
        )
    if begins_late(hunk, match):
        return (
            f"begins with new lines at line 1, but was found at line {line}: "
            "quote the unchanged lines above them"
        )
    if ends_early(hunk, match, file):
        return (
            "ends in a change, as at the end of a file, but was found above it, at line "
            f"{line}: quote the unchanged lines below it"
        )
    return ""


def _at_the_end(hunk: Hunk, match: Match, source: Source) -> str:
    if not ends_above(hunk, match, source):
        return ""
    return (
        f"says that the file ends behind it, but was found above that, at line {match.first + 1}: "
        "quote all lines up to the last"
    )


def _of_another(one: Chosen) -> str:
    """A number that is off, and a line that stays and goes: there it is not meant."""
    match = one.match
    kept = (at for line, at in zip(match.lines, match.pairs, strict=True) if line.mark != "-")
    at = next((at for at in kept if at in one.gone), None)
    if at is None or one.hunk.start in (None, match.first + 1):
        return ""
    return f"quotes line {at + 1} of the file, which another hunk removes: {MORE}"


def _between_two_ends(match: Match, source: Source) -> str:
    for splice in match.splices:
        if splice.lines and source.has_two_ends(splice.start, splice.end):
            return (
                f"adds lines at line {splice.start + 1}, where some lines of the file end in CR LF "
                "and some in LF: how the new ones are to end, nothing tells"
            )
    return ""


def _where_it_moved(one: Chosen, sought: Sought) -> int:
    """The line that its number says if it is that of the file before the others; 0: none."""
    start = one.hunk.start
    if start is None or not one.moved or one.match.first + 1 != start:
        return 0
    return start + one.moved if is_at(one.hunk, start + one.moved, sought.source.lines) else 0
