"""Where the hunks of one file stand in it, all of them together."""

from collections.abc import Sequence

from react_agent.parsers.patch.changes import Hunk, Placement, Refusal
from react_agent.parsers.patch.source import Source


def placed(hunks: Sequence[Hunk], source: Source, name: str) -> Placement | Refusal:
    raise NotImplementedError
