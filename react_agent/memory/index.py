"""An index of the words in a run's steps, built from the steps and stored nowhere else.

A step is divided into passages of 20 lines: of its observation, then of its input if that is long.
A passage is found by its own words and by those of the step's head: its thought and its call.
"""

import re
from array import array
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

from react_agent.memory.words import words
from react_agent.parsers.turn.turn import Kind
from react_agent.state.steps import RECALL, Step

LINES = 20  # of a passage
_STRIDE = 18  # passages overlap, so that neighbours share one of them
_MOST = 4096  # passages of a step
_THOUGHT, _CALL = 2000, 600  # characters of a head
_LINE = 2000  # characters of a line that are looked at
_NUMBERED = re.compile(r"^\s*\d+\| ?", re.MULTILINE)  # how a file's lines are shown


@dataclass(slots=True)
class Memory:
    """An index from words to passages. `steps` returns the current steps of the run."""

    steps: Callable[[], Sequence[Step]]
    holding: dict[str, "array[int]"] = field(default_factory=dict)  # passages, the oldest first
    stored: int = 0  # steps

    def catch_up(self) -> None:
        """Index the steps that were added since the last call."""
        for step in self.steps()[self.stored :]:
            self.stored += 1
            head = words(head_of(step))
            for number, text in passages(step):
                for word in head | words(without_numbers(text)):
                    self.holding.setdefault(word, array("q")).append(number)

    def step(self, number: int) -> Step:
        return self.steps()[number - 1]

    def newest(self, word: str, most: int) -> "array[int]":
        """Return up to `most` of the newest passages that hold the word."""
        return self.holding.get(word, array("q"))[-most:]

    def holds(self, word: str, number: int) -> bool:
        numbers = self.holding[word]
        at = bisect_left(numbers, number)
        return at < len(numbers) and numbers[at] == number

    def newest_passages(self, hidden: Collection[int]) -> Iterator[tuple[int, str]]:
        for step in reversed(self.steps()[: self.stored]):
            if step.number not in hidden:
                yield from passages(step)


def passages(step: Step) -> Iterator[tuple[int, str]]:
    """Yield the passages of a step; none if it is a recall or not a tool call."""
    if step.tool == RECALL or step.said.turn.kind is not Kind.ACTION:
        return
    lines = lines_of(step)
    last = max(len(lines) - (LINES - _STRIDE), 1)
    for at, first in enumerate(range(0, last, _STRIDE)[:_MOST]):
        text = "\n".join(line[:_LINE] for line in lines[first : first + LINES])
        yield step.number * _MOST + at, text


def place_of(number: int) -> tuple[int, int]:
    """Return the step of a passage, and the index of its first line, from 0."""
    step, at = divmod(number, _MOST)
    return step, at * _STRIDE


def lines_of(step: Step) -> list[str]:
    """Return the lines of the observation, then those of the input if the head cuts it."""
    given = step.said.turn.input
    return step.seen.text.split("\n") + (given.split("\n") if len(given) > _CALL else [])


def head_of(step: Step) -> str:
    turn = step.said.turn
    return f"{turn.thought[:_THOUGHT]}\n{turn.action} {turn.input[:_CALL]}"


def without_numbers(text: str) -> str:
    """Return lines of a file, as they were shown, without their numbers."""
    return _NUMBERED.sub("", text) if "|" in text else text
