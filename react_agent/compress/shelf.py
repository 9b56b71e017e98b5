"""The oldest steps go from the prompt: memory has them, and a line says so."""

from collections.abc import Iterator

from react_agent.compress.work import Work
from react_agent.loop.steps import GONE, SHELVED

_KEPT = 4  # the newest: a train of thought


def memory(work: Work) -> None:
    _shelve(work, _KEPT, work.low)
    _shelve(work, 1, work.limit)


def _shelve(work: Work, kept: int, goal: int) -> None:
    """Again where the line turns out to be longer than what was gained."""
    while work.tokens > goal and work.take(SHELVED, _oldest(work, kept, goal), stage="memory"):
        pass


def _oldest(work: Work, kept: int, goal: int) -> Iterator[int]:
    saved = 0
    for step in work.steps[:-kept]:
        if work.without(saved) <= goal:
            return
        if step.shown not in GONE:
            yield step.number
            saved += step.tokens
