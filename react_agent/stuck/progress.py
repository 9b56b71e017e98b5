"""What gets a run ahead, and which answer comes next while nothing does.

Each answer once in a stretch of trouble, in the order of the profile. A stretch ends with something
seen, made or tested that had not been seen before, with steps that are taken back, and where a
person takes the run up again.
"""

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from react_agent.loop.steps import Step
from react_agent.loop.troubles import STOP, Trouble
from react_agent.parsers.text.volatile_text import without_noise
from react_agent.stuck.trail import Found, way_of
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


RESTS_FOR = 3  # steps for which a call is not made


def answers_so_far(
    troubles: Sequence[Trouble], steps: Sequence[Step], own: Sequence[Trouble] = ()
) -> list[Trouble]:
    """Since the run got ahead; and what is about the very same steps, whatever was new."""
    if not troubles:
        return []
    news = max(moved(steps, troubles[0].at), default=0)
    return [one for one in troubles if one.at >= news or one in own]


def about_the_same(pattern: str, found: Found, troubles: Sequence[Trouble]) -> list[Trouble]:
    return [one for one in troubles if one.pattern == pattern and {*one.steps} & {*found.steps}]


def next_answer(had: Sequence[Trouble], ladder: Sequence[str], without: Sequence[str]) -> str:
    places = [ladder.index(one.answer) for one in had if one.answer in ladder]
    higher = ladder[max(places, default=-1) + 1 :]
    return next((answer for answer in higher if answer not in without), "")


def begins_anew(had: Sequence[Trouble], ladder: Sequence[str], steps: int) -> bool:
    """A ladder without an end goes round, once its last answer is over."""
    return STOP not in ladder and bool(had) and steps - had[-1].at >= RESTS_FOR
