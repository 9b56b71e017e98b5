"""Find the steps that made progress: they saw, made or tested something new."""

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from react_agent.parsers.testing.commands import runner_of, runs_tests
from react_agent.parsers.testing.log import read_log
from react_agent.parsers.testing.report import failing
from react_agent.parsers.text.printed import without_noise
from react_agent.parsers.transcript.facts import read_list
from react_agent.state.steps import Step
from react_agent.tools.observation import Status
from react_agent.tools.registry import Kind

_LOOKS = (Kind.READ, Kind.SEARCH)
_COMMAND = 500  # characters of a command that are searched for a test runner
PASSED, UNREAD = "passed", "unread"


def moved(steps: Sequence[Step], since: int) -> Iterator[int]:
    """Yield the numbers of the steps after `since` that made progress."""
    known = _Known()
    for step in steps:
        if step.number > since and _is_news(step, known):
            yield step.number
        known.add(step)


@dataclass(slots=True)
class _Known:
    lines: set[str] = field(default_factory=set)
    printed: list[str] = field(default_factory=list)  # output of commands
    trees: set[str] = field(default_factory=set)
    ways: set[str] = field(default_factory=set)  # results of `way_of`

    def add(self, step: Step) -> None:
        self.lines |= _lines(step.seen.text)
        self.printed += [step.seen.text] if step.kind == Kind.RUN else []
        self.trees |= {step.tree} if step.tree else set()
        self.ways |= {way_of(step)}


def _is_news(step: Step, known: _Known) -> bool:
    """Return whether a step made progress. The first checkpoint counts only after an edit."""
    shows = step.kind in _LOOKS or step.kind == Kind.RUN
    if shows and step.status is Status.OK and not _lines(step.seen.text) <= known.lines:
        printed = [_lines(without_noise(text)) for text in known.printed]
        if step.kind != Kind.RUN or not _lines(without_noise(step.seen.text)) <= set().union(
            *printed
        ):
            return True
    makes = step.has_written or (step.kind == Kind.RUN and step.status is not Status.FAILED)
    if makes and step.tree and step.tree not in known.trees:
        return bool(known.trees) or step.has_written
    return way_of(step) not in {"", *known.ways}


@functools.lru_cache(2048)
def _lines(text: str) -> frozenset[str]:
    return frozenset(text.split("\n"))


def way_of(step: Step) -> str:
    """Return a word for how the tests went, equal for equal failures; empty without tests."""
    step = step.ran
    if step.kind == Kind.RUN:
        return _way_in(step.said.turn.input[:_COMMAND], step.seen.text)[0]
    if step.kind != Kind.TEST:
        return ""
    return step.seen.facts.get("way") or (PASSED if step.status is Status.OK else UNREAD)


def failing_ids(step: Step) -> tuple[str, ...]:
    step = step.ran
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
