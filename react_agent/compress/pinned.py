"""Observations that the last thoughts, an open guess or the task at hand speak of: they go last."""

import re
from collections.abc import Iterator, Sequence

from react_agent.loop.steps import READABLE, Step
from react_agent.parsers.text.names import names_in

_LAST = 2  # thoughts
_NAMES = 4  # of each of them
_GUESS = re.compile(
    r"\b(?:perhaps|maybe|might|probably|presumably|likely|suspect|guess|assume|hypothes[ie]s"
    r"|should check|need to check|let me check|to verify|if so)\b",
    re.IGNORECASE,
)


def pinned(steps: Sequence[Step], goal: str = "") -> frozenset[int]:
    """For each name, the newest step that shows it; `goal` is that of the task at hand."""
    standing = [step for step in steps if step.stands]
    names = (*_named(standing), *names_in(goal)[:_NAMES])
    found = (_shows(name, standing) for name in names)
    return frozenset(number for number in found if number)


def _named(steps: Sequence[Step]) -> Iterator[str]:
    for thought in dict.fromkeys((*_thoughts(steps[-_LAST:]), *_guess(steps))):
        yield from names_in(thought)[:_NAMES]


def _thoughts(steps: Sequence[Step]) -> list[str]:
    return [step.said.turn.thought for step in steps]


def _guess(steps: Sequence[Step]) -> list[str]:
    """The last one that was made."""
    thoughts = (step.said.turn.thought for step in reversed(steps))
    return [found for found in [next(filter(_GUESS.search, thoughts), "")] if found]


def _shows(name: str, steps: Sequence[Step]) -> int:
    """Of those that the prompt holds, but the newest, which is never taken."""
    for step in reversed(steps[:-1]):
        if step.shown in READABLE and (name in step.paths or name in step.seen.text):
            return step.number
    return 0
