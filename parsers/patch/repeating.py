"""Where some hunks of a patch were applied already, others may have been, too."""

from collections.abc import Sequence

from react_agent.parsers.patch.changes import Hunk, Named, Placement, Refusal, Splice
from react_agent.parsers.patch.placing import ALREADY
from react_agent.parsers.patch.refusing import Refusing
from react_agent.parsers.patch.source import Source


def repeating(parts: Sequence[tuple[Named, Source, Placement]]) -> Refusal | None:
    """A hunk whose lines stand there, beside the place where they would stand once more."""
    for one, source, found in parts:
        hunks = one.change.hunks
        for number, hunk in enumerate(hunks):
            is_asked = not _was_left_out(number, found)
            at = _beside(hunk, found.splices, source.lines) if is_asked else None
            if at is not None:
                name = one.new or one.old or ""
                return Refusing(hunks, source, name).there_already(number, at)
    return None


def _was_left_out(number: int, found: Placement) -> bool:
    return any(said.endswith(ALREADY) for said in found.said_of(number))


def _beside(hunk: Hunk, splices: Sequence[Splice], file: Sequence[str]) -> int | None:
    """A line, from 0, from which on all that it leaves stands, around such a place."""
    new = [text.rstrip() for text in hunk.new]
    if not any(line.mark == "+" for line in hunk.lines):
        return None
    for splice in splices:
        for at in range(max(splice.start - len(new), 0), splice.start + 1):
            if [text.rstrip() for text in file[at : at + len(new)]] == new:
                return at
    return None
