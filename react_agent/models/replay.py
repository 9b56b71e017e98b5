"""The model whose words are in a transcript already."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile, zip_longest

from react_agent.errors import ModelError
from react_agent.loop.state import State
from react_agent.models.contract import Completion, Model, Show, Usage, View, Why, fingerprint
from react_agent.models.recorded import (
    answered_again,
    is_answer,
    overflown_again,
    usage_again,
    window_again,
)
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Entry, Event, Said
from react_agent.parsers.transcript.labels import strict
from react_agent.parsers.transcript.writer import objective_text, turn_text

Difference = Callable[[str], None]

_DURATION = re.compile(r"\b\d+(\.\d+)? ?(s|ms|seconds)\b")  # the clock is no difference
_SHOWN = 60
_BEFORE = 15


@dataclass(slots=True)
class Replay:
    """Feeds the recorded turns back and says where a prompt is not the recorded one."""

    entries: tuple[Entry, ...]
    tell: Difference
    recorded: State = field(default_factory=State)  # up to the turn that was said last
    at: int = 0  # entries that are behind it
    asked: int = 0  # times since, for something else than a step
    told: set[int] = field(default_factory=set)  # steps that were found to differ

    def complete(
        self,
        view: View,
        *,
        stop: tuple[str, ...],
        max_output: int,
        deadline: float | None,
        show: Show,
    ) -> Completion:
        if not stop:  # it is no step
            self.asked += 1
            return answered_again(self.entries[self.at :], self.asked, view)
        self.asked = 0
        entry = self._next(view)
        if isinstance(entry, Event):
            return overflown_again(entry)
        for difference in self._differences(view, entry):
            self.tell(difference)
        text = turn_text(entry.turn) if entry.raw is None else entry.raw
        show(text)
        usage = usage_again(entry.facts) or _estimated(view, text)
        return Completion(text, Why.STOP, usage=usage, window=window_again(entry.facts))

    def _next(self, view: View) -> Said | Event:
        """What was recorded next; of a run that is taken up, where it was broken off."""
        at = self.at or _place(self.entries, view)
        for entry in self.entries[self.at :]:
            self.at += 1
            self.recorded.take(entry)
            if self.at > at and is_answer(entry):
                return entry
        turns = sum(isinstance(entry, Said) for entry in self.entries)
        raise ModelError(f"the recorded transcript ends after {turns} turns")

    def _differences(self, view: View, said: Said) -> Iterator[str]:
        number = len(self.recorded.steps) + 1
        recorded = said.facts.get("prompt")
        if recorded and recorded != fingerprint(view):
            yield f"step {number}: the instructions or the hint in the prompt differ"
        if not view.turns and self.recorded.objective is not None:
            task = objective_text(self.recorded.objective) + self.recorded.told
            yield from _difference("", task, view.task)
        steps = (step for step in self.recorded.steps if step.text)
        for step, now in zip(steps, view.turns, strict=False):
            if step.number not in self.told and step.text != now:
                for difference in _difference(f"step {step.number}: ", step.text, now):
                    self.told.add(step.number)
                    yield difference


def _place(entries: Sequence[Entry], view: View) -> int:
    """The entries before the turn that was said to such a prompt."""
    if not view.turns:
        return 0
    state, by_number, said = State(), 0, 0
    for at, entry in enumerate(entries):
        if is_answer(entry):
            turns = [step.text for step in state.steps if step.text]
            if len(turns) == len(view.turns) and _timeless(turns[-1]) == _timeless(view.turns[-1]):
                return at
        if isinstance(entry, Said):
            by_number = at if said == len(view.turns) else by_number
            said += 1
        state.take(entry)
    return by_number or len(entries)


def _estimated(view: View, text: str) -> Usage:
    return Usage(estimate_tokens(view.text), estimate_tokens(text))


def _difference(where: str, recorded: str, now: str) -> Iterator[str]:
    """The first line that differs, from a little before the place."""
    if _timeless(recorded) == _timeless(now):
        return
    before, after = _timeless(recorded).split("\n"), _timeless(now).split("\n")
    pairs = enumerate(zip_longest(before, after))  # None: one of them has no such line
    number, old, new = next((at, old or "", new or "") for at, (old, new) in pairs if old != new)
    labels = (strict(line) for line in reversed(before[: number + 1]))
    label = next(labelled.label for labelled in labels if labelled)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    start = max(0, same - _BEFORE)
    yield f"{where}{label} was {_shown(old, start)} and is {_shown(new, start)}"


def _shown(line: str, start: int) -> str:
    """Escaped already, as a line of a transcript is."""
    cut = ("..." if start else "") + line[start : start + _SHOWN]
    return f'"{cut}..."' if len(line) > start + _SHOWN else f'"{cut}"'


def _timeless(text: str) -> str:
    return _DURATION.sub("(time)", text)


def asked_before(model: Model, times: int) -> Model:
    """A replay of a run that was broken off answers what is asked next."""
    if isinstance(model, Replay):
        model.asked = times
    return model
