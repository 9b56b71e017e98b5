"""The content of a file that a patch creates, or of one that was empty."""

from collections.abc import Sequence

from react_agent.parsers.counted import counted
from react_agent.parsers.patch.changes import Hunk, Line, Placement, Splice
from react_agent.parsers.patch.mending import counts_mended


def created(hunks: Sequence[Hunk]) -> Placement | None:
    """All lines of its hunks; none where one is to be removed.

    A line without a `+` among those that have one is a new line, too.
    """
    lines = [line for hunk in hunks for line in hunk.lines]
    if any(line.mark == "-" for line in lines):
        return None
    plain = sum(line.mark != "+" and bool(line.text) for line in lines)
    said = [
        f"hunk {number}: {one}"
        for number, hunk in enumerate(hunks, 1)
        for one in counts_mended(hunk, [Line("+", line.text) for line in hunk.lines])
    ]
    if plain:
        said.append(f"{counted(plain, 'line')} without a + taken as new")
    new = tuple(line.text for line in lines)
    return Placement(
        (Splice(0, 0, new),), not any(hunk.no_newline[1] for hunk in hunks), tuple(said)
    )
