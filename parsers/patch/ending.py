"""Whether the new file ends in a newline."""

from collections.abc import Mapping, Sequence

from react_agent.parsers.patch.changes import Hunk, Splice
from react_agent.parsers.patch.match import Match
from react_agent.parsers.patch.source import Source

_STAYS = "the file has no newline at its end, and stays so"
_HAS = "the file has a newline at its end, though the patch says that it has none"
_HAS_NOT = "the file has no newline at its end, though the patch says that it has one"
_ELSEWHERE = "a note on a missing newline was left out, as it stands above the file's end"


def ending(
    hunks: Sequence[Hunk],
    places: Mapping[int, Match],
    source: Source,
    splices: Sequence[Splice],
) -> tuple[bool, tuple[str, ...]]:
    """As the patch says where it says something of the file's end; else as it was."""
    size, elsewhere = len(source.raw), False
    for number, match in places.items():
        if any(hunks[number].no_newline):
            if max(match.last + 1, match.change[1]) == size:
                return _as_said(*hunks[number].no_newline, source.final_newline)
            elsewhere = True
    if source.final_newline or not splices or splices[-1].end < size:
        return source.final_newline, (_ELSEWHERE,) if elsewhere else ()
    return False, (_STAYS,)


def _as_said(old: bool, new: bool, has_one: bool) -> tuple[bool, tuple[str, ...]]:
    """Its claim on the old file may be wrong; what is to change is meant all the same."""
    wrong = (_HAS,) if old and has_one else (_HAS_NOT,) if not old and not has_one else ()
    return (has_one if old == new else not new), wrong
