"""A hunk whose new lines stand in the file already."""

from collections.abc import Sequence

from react_agent.parsers.patch.changes import Hunk
from react_agent.parsers.patch.choosing import is_counted
from react_agent.parsers.patch.match import Match
from react_agent.parsers.patch.sought import Sought, folded

_TELLING = 4  # letters of a line that is added
_ENOUGH = 3  # lines around some that are gone


def standing(hunk: Hunk, sought: Sought) -> int | None:
    """Its line, from 0, where all it leaves stands in one place, and says enough."""
    found = _starts(hunk, sought)
    return found[0] if len(found) == 1 else None


def standing_nearer(hunk: Hunk, found: Match, sought: Sought) -> int | None:
    """A line, from 0, where all it leaves stands, nearer to its number than it was found."""
    if hunk.start is None or found.first + 1 == hunk.start:
        return None
    off = abs(found.first + 1 - hunk.start)
    near = (at for at in _starts(hunk, sought) if abs(at + 1 - hunk.start) < off)
    return next(near, None)


def _starts(hunk: Hunk, sought: Sought) -> list[int]:
    old, new = hunk.no_newline
    if old != new:
        return []  # the end of the file may be what it changes
    added = [line.text.strip() for line in hunk.lines if line.mark == "+"]
    if not any(len(text) >= _TELLING for text in added) and (added or not _is_around(hunk)):
        return []
    return sought.starts(hunk.new, str.rstrip)


def _is_around(hunk: Hunk) -> bool:
    """Enough of it stays, above and below the lines that go."""
    marks = [line.mark for line in hunk.lines if line.text.strip()]
    return marks[:1] != ["-"] != marks[-1:] and len(marks) - marks.count("-") >= _ENOUGH


def may_repeat(hunk: Hunk, found: Sequence[Match]) -> bool:
    """Unless it only removes, or stands where its header says."""
    marks = {line.mark for line in hunk.lines}
    said = [one for one in found if one.first + 1 == hunk.start]
    return "+" in marks and not any("-" in marks or not one.said for one in said)


def would_repeat(hunk: Hunk, found: Sequence[Match], at: int) -> bool:
    """Placed where it fits, it would write its lines once more beside those that stand there."""
    near = range(at, at + len(hunk.new) + 1)
    return any(one.change[0] in near for one in found)


def stands_at_its_number(hunk: Hunk, found: Match, file: Sequence[str]) -> bool:
    """It was found elsewhere, and stands at the line that its header says, too, more or less."""
    old = [text for text in hunk.old if text.strip()]
    if hunk.start is None or found.first + 1 == hunk.start or not old:
        return False
    numbers = range(max(hunk.start - 1, 0), min(hunk.start + len(hunk.old) + _ENOUGH, len(file)))
    there = [at for at in numbers if file[at].strip()][: len(old)]
    if not there or found.first <= there[0] <= found.last:
        return False
    above = next(at for at, text in enumerate(hunk.old) if text.strip())
    is_exact = is_counted(hunk) and there[0] + 1 == hunk.start + above
    if len(old) < _ENOUGH and not is_exact:
        return False
    return [folded(text) for text in old] == [folded(file[at]) for at in there]
