"""What was mended in a hunk, in words."""

from collections.abc import Iterator

from react_agent.parsers.patch.changes import Hunk
from react_agent.parsers.patch.indentation import READ_AS_CONTEXT
from react_agent.parsers.patch.match import Match


def mended_words(hunk: Hunk, match: Match) -> tuple[str, ...]:
    return tuple(_words(hunk, match))


def counts_mended(hunk: Hunk) -> Iterator[str]:
    there = len(hunk.old), len(hunk.new)
    if hunk.counts is not None and hunk.counts != there:
        yield (
            f"its header counted {hunk.counts[0]} and {hunk.counts[1]} lines, "
            f"there are {there[0]} and {there[1]}"
        )


def _words(hunk: Hunk, match: Match) -> Iterator[str]:
    found = match.first + 1
    if hunk.start is not None and hunk.start != found:
        yield f"its header said line {hunk.start}, found at {found}"
    yield from counts_mended(hunk)
    unmarked = sum(not line.mark for line in match.lines)
    if unmarked and not any(said.endswith(READ_AS_CONTEXT) for said in match.said):
        its = "its mark" if unmarked == 1 else "their marks"
        yield f"{unmarked} line{'s' * (unmarked != 1)} without {its} {READ_AS_CONTEXT}"
    yield from match.said
