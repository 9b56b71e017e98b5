"""What gets a run ahead: something seen, made or tested that had not been seen before."""

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from react_agent.loop.steps import Step
from react_agent.parsers.text.volatile_text import without_noise
from react_agent.stuck.trail import way_of
from react_agent.tools.observation import Status
from react_agent.tools.registry import Kind

_LOOKS = (Kind.READ, Kind.SEARCH)
_MAKES = (Kind.WRITE, Kind.RUN)


def moved(steps: Sequence[Step], since: int) -> Iterator[int]:
    """The steps behind one that got the run ahead."""
    known = _Known()
    for step in steps:
        if step.number <= since:
            known.add(step)
        elif known.add_news(step):
            yield step.number


@dataclass(slots=True)
class _Known:
    lines: set[str] = field(default_factory=set)
    printed: list[Step] = field(default_factory=list)  # by commands
    trees: set[str] = field(default_factory=set)
    ways: set[str] = field(default_factory=set)  # in which tests have failed, or not

    def add(self, step: Step) -> None:
        self.lines |= _lines(step.seen.text)
        if step.kind == Kind.RUN:
            self.printed.append(step)
        if tree := step.seen.facts.get("tree", ""):
            self.trees.add(tree)
        if way := way_of(step):
            self.ways.add(way)

    def add_news(self, step: Step) -> bool:
        is_news = self._shows_news(step) or self._makes_news(step) or self._tests_otherwise(step)
        self.add(step)
        return is_news

    def _shows_news(self, step: Step) -> bool:
        """A line that no step before showed."""
        if step.status is not Status.OK:
            return False
        if step.kind in _LOOKS:
            return not _lines(step.seen.text) <= self.lines
        if step.kind == Kind.RUN and not _lines(step.seen.text) <= self.lines:
            known = set[str]().union(*(_lines(without_noise(s.seen.text)) for s in self.printed))
            return not _lines(without_noise(step.seen.text)) <= known
        return False

    def _makes_news(self, step: Step) -> bool:
        """Files as they never were; the first checkpoint is news only of a step that writes."""
        tree = step.seen.facts.get("tree", "")
        if step.kind not in _MAKES or step.status is Status.FAILED or not tree:
            return False
        return tree not in self.trees and (bool(self.trees) or step.has_written)

    def _tests_otherwise(self, step: Step) -> bool:
        way = way_of(step)
        return bool(way) and way not in self.ways


@functools.lru_cache(2048)
def _lines(text: str) -> frozenset[str]:
    return frozenset(text.split("\n"))
