"""What was mended in a hunk, in words."""

from collections.abc import Iterator, Sequence

from react_agent.parsers.counted import counted
from react_agent.parsers.patch.changes import Hunk, Line
from react_agent.parsers.patch.columns import READ_AS_CONTEXT
from react_agent.parsers.patch.match import Match


def mended_words(hunk: Hunk, match: Match) -> tuple[str, ...]:
    return tuple(_words(hunk, match))


def counts_mended(hunk: Hunk, lines: Sequence[Line]) -> Iterator[str]:
    """Right as the lines were written, or as they were meant, is right."""
    written = len(hunk.old), len(hunk.new)
    there = sum(line.mark != "+" for line in lines), sum(line.mark != "-" for line in lines)
    if hunk.counts is not None and hunk.counts not in (written, there):
        yield (
            f"its header counted {hunk.counts[0]} and {hunk.counts[1]} lines, "
            f"there are {there[0]} and {there[1]}"
        )


def _words(hunk: Hunk, match: Match) -> Iterator[str]:
    found = match.first + 1
    if hunk.start is not None and hunk.start != found:
        yield f"its header said line {hunk.start}, found at {found}"
    yield from counts_mended(hunk, match.lines)
    unmarked = sum(not line.mark for line in match.lines)
    if unmarked and not any(said.endswith(READ_AS_CONTEXT) for said in match.said):
        its = "its mark" if unmarked == 1 else "their marks"
        yield f"{counted(unmarked, 'line')} without {its} {READ_AS_CONTEXT}"
    yield from match.said
