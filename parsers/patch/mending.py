"""What was mended in a hunk, in words."""

from collections.abc import Iterator

from react_agent.parsers.patch.changes import Hunk
from react_agent.parsers.patch.match import Match


def mended_words(hunk: Hunk, match: Match, shift: int = 0) -> tuple[str, ...]:
    return tuple(_words(hunk, match, shift))


def _words(hunk: Hunk, match: Match, shift: int) -> Iterator[str]:
    found = match.first + 1 - shift
    if hunk.start is not None and hunk.start != found:
        yield f"its header said line {hunk.start}, found at {found}"
    there = len(hunk.old), len(hunk.new)
    if hunk.counts is not None and hunk.counts != there:
        yield (
            f"its header counted {hunk.counts[0]} and {hunk.counts[1]} lines, "
            f"there are {there[0]} and {there[1]}"
        )
    yield from match.said
