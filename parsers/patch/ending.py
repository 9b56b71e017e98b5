"""Whether the new file ends in a newline."""

from collections.abc import Mapping, Sequence

from react_agent.parsers.patch.changes import Hunk, Splice
from react_agent.parsers.patch.match import Match
from react_agent.parsers.patch.source import Source

_STAYS = "the file has no newline at its end, and stays so"


def ending(
    hunks: Sequence[Hunk],
    places: Mapping[int, Match],
    source: Source,
    splices: Sequence[Splice],
) -> tuple[bool, tuple[str, ...]]:
    """As the patch says where it says something of the file's end; else as it was."""
    size = len(source.raw)
    for number, match in places.items():
        old, new = hunks[number].no_newline
        if old != new and max(match.last + 1, match.change[1]) == size:
            return not new, ()
    if source.final_newline or not splices or splices[-1].end < size:
        return source.final_newline, ()
    said = any(any(hunk.no_newline) for hunk in hunks)
    return False, () if said else (_STAYS,)
