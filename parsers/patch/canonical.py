"""Write the patch that git reads: counted, in order, with three lines around each change."""

from collections.abc import Sequence

from react_agent.parsers.patch.changes import Named, Placement
from react_agent.parsers.patch.source import Source


def canonical(parts: Sequence[tuple[Named, Source, Placement]]) -> str:
    raise NotImplementedError
