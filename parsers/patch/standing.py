"""A hunk whose new lines stand in the file already."""

from react_agent.parsers.patch.changes import Hunk
from react_agent.parsers.patch.sought import Sought

_TELLING = 4  # letters of a line that is added


def standing(hunk: Hunk, sought: Sought) -> int | None:
    """Its line, from 0, where all it leaves stands in one place, with a line that it adds."""
    old, new = hunk.no_newline
    if old != new:
        return None  # the end of the file may be what it changes
    added = [line.text.strip() for line in hunk.lines if line.mark == "+"]
    if not any(len(text) >= _TELLING for text in added):
        return None
    found = sought.starts(hunk.new, str.rstrip)
    return found[0] if len(found) == 1 else None
