"""What is open at a Conclusion, as a value, as an event, and as the model is told of it.

%% open: not_run no test was run since the last change, step 7
"""

from collections.abc import Sequence
from typing import NamedTuple

from react_agent.parsers.text.counted import counted
from react_agent.parsers.transcript.entries import Event, Seen
from react_agent.tools.clip import clip_line

OPEN = "open"  # the event
GATE = "gate"  # how a Conclusion is answered that is not accepted
CHECKS = (
    *("empty", "threads", "tasks", "left_out", "only_tests", "syntax", "tests_gone"),
    *("failing", "not_run", "no_test", "scratch"),
)  # the gravest first
_MOST = 8  # lines
_LINE = 240  # characters
_BULLET = "- "
_MEND = "Mend this, or write the Conclusion again and say why it is right as it is."


class Fault(NamedTuple):
    """What a check found."""

    text: str
    mend: str = ""  # what to do about it


class Point(NamedTuple):
    """The same with the name of the check."""

    check: str
    text: str
    mend: str = ""  # for the model: not of an event


def open_event(point: Point) -> Event:
    return Event(OPEN, f"{point.check} {point.text}")


def read_point(text: str) -> Point:
    check, _, said = text.partition(" ")
    return Point(check, said)


def refusal(points: Sequence[Point]) -> str:
    """The model knows from it what to do."""
    shown = points if len(points) <= _MOST else points[: _MOST - 1]
    lines = [f"{_BULLET}{clip_line(_said(point), _LINE)}" for point in shown]
    if more := len(points) - len(shown):
        lines.append(f"{_BULLET}and {counted(more, 'more point')} like these")
    return "\n".join(("Not accepted yet:", *lines, _MEND))


def _said(point: Point) -> str:
    return f"{point.text}: {point.mend}" if point.mend else point.text


def refused_for(seen: Seen) -> list[str]:
    """The lines of a refusal."""
    lines = seen.text.split("\n")
    return [line.removeprefix(_BULLET) for line in lines if line.startswith(_BULLET)]
