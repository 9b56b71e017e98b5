"""The problems that guards report, as values and as events: stuck runs and open points.

%% stuck: pattern=cycle steps=4-9 answer=hint
%% open: not_run no test was run since the last change, step 7
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from react_agent.parsers.text.counted import counted
from react_agent.parsers.transcript.entries import Event, Seen
from react_agent.parsers.transcript.facts import (
    read_facts,
    read_numbers,
    write_facts,
    write_numbers,
)
from react_agent.tools.clip import clip_line

STUCK, OPEN = "stuck", "open"  # the events
HINT, DEMOTE, BACK, STOP = ANSWERS = ("hint", "demote", "back", "stop")
GATE = "gate"  # the `how` of the observation that refuses a conclusion
_STEPS = 10**6  # of a run
_MOST = 8  # lines
_LINE = 240  # characters
_BULLET = "- "
_MEND = "Fix these points, or repeat the Conclusion and say why the change is right as it stands."


@dataclass(frozen=True, slots=True)
class Trouble:
    pattern: str
    steps: tuple[int, ...]
    answer: str
    at: int  # number of steps then


def trouble_event(pattern: str, steps: Iterable[int], answer: str) -> Event:
    facts = {"pattern": pattern, "steps": write_numbers(steps), "answer": answer}
    return Event(STUCK, write_facts(facts))


def read_trouble(text: str, at: int) -> Trouble:
    """Parse a `stuck` event leniently, since the user may have edited it."""
    facts = read_facts(text)
    numbers = read_numbers(facts.get("steps", ""), at or _STEPS)
    return Trouble(facts.get("pattern", ""), numbers, facts.get("answer", ""), at)


class Point(NamedTuple):
    """An open point: a problem with the result of the run, reported by a check."""

    check: str
    text: str
    mend: str = ""  # what the model should do; not in the event


def open_event(point: Point) -> Event:
    return Event(OPEN, f"{point.check} {point.text}")


def read_point(text: str) -> Point:
    check, _, said = text.partition(" ")
    return Point(check, said)


def refusal(points: Sequence[Point]) -> str:
    """Return the observation that lists the problems that the model has to fix."""
    shown = points if len(points) <= _MOST else points[: _MOST - 1]
    said = (f"{point.text}: {point.mend}" if point.mend else point.text for point in shown)
    lines = [f"{_BULLET}{clip_line(one, _LINE)}" for one in said]
    if more := len(points) - len(shown):
        lines.append(f"{_BULLET}and {counted(more, 'more point')} like these")
    return "\n".join(("Not accepted yet:", *lines, _MEND))


def refused_for(seen: Seen) -> list[str]:
    """Return the open points listed in a refusal, one line per point."""
    lines = seen.text.split("\n")
    return [line.removeprefix(_BULLET) for line in lines if line.startswith(_BULLET)]
