"""What the patterns look at: the steps so far, and how two of them are compared."""

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from react_agent.loop.steps import Step
from react_agent.parsers.testing.commands import runner_of, runs_tests
from react_agent.parsers.testing.log import read_log
from react_agent.parsers.testing.report import failing
from react_agent.parsers.text.volatile_text import without_noise
from react_agent.parsers.transcript.facts import read_list
from react_agent.parsers.turn.turn import Kind as Said
from react_agent.tools.observation import Status
from react_agent.tools.registry import How, Kind

_COMMAND = 500  # characters of one, in which a runner of tests is looked for


@dataclass(frozen=True, slots=True)
class Trail:
    steps: Sequence[Step]  # that were not taken back
    times: int  # so often is too often
    unreadable: int = 0  # replies in a row that end the run


@dataclass(frozen=True, slots=True)
class Found:
    steps: tuple[int, ...]
    times: int  # it has happened
    without: tuple[str, ...] = ()  # answers that would make no sense


def is_call(step: Step) -> bool:
    """Something was asked of the world."""
    return step.said.turn.kind is Said.ACTION and step.kind != Kind.THINK


def calls_back(steps: Sequence[Step]) -> Iterator[Step]:
    """The last first; a thought between two calls makes neither another one."""
    return (step for step in reversed(steps) if is_call(step))


def call_of(step: Step) -> tuple[str, str]:
    turn = step.said.turn
    return step.tool or turn.action, _tidy(turn.input)


@functools.lru_cache(1024)
def _tidy(given: str) -> str:
    return "\n".join(line.rstrip() for line in given.strip().split("\n"))


def rests(step: Step) -> bool:
    """It was not made, as it had been made too often."""
    return step.seen.facts.get("how") == How.DEMOTED


def is_alike(one: Step, other: Step) -> bool:
    """What they showed differs in noise at most. While something runs, any change is a change."""
    if rests(one) or rests(other) or one.seen.text == other.seen.text:
        return True
    if "running" in one.seen.facts or "running" in other.seen.facts:
        return False
    return without_noise(one.seen.text) == without_noise(other.seen.text)


PASSED, UNREAD = "passed", "unread"


def way_of(step: Step) -> str:
    """In which way tests went: one word for those that fail so; nothing where none were run."""
    if step.kind == Kind.RUN:
        return _way_in(step.said.turn.input[:_COMMAND], step.seen.text)[0]
    if step.kind != Kind.TEST:
        return ""
    return step.seen.facts.get("way") or (PASSED if step.status is Status.OK else UNREAD)


def failing_ids(step: Step) -> tuple[str, ...]:
    if step.kind == Kind.RUN:
        return _way_in(step.said.turn.input[:_COMMAND], step.seen.text)[1]
    return read_list(step.seen.facts.get("failing", ""))


@functools.lru_cache(1024)
def _way_in(command: str, output: str) -> tuple[str, tuple[str, ...]]:
    report = read_log(output, runner_of(command)) if runs_tests(command) else None
    if report is None:
        return "", ()
    found = failing(report)
    return (found.way, found.ids) if found else (PASSED, ())
