"""A model that repeats the replies in a transcript."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile, zip_longest
from pathlib import Path
from typing import TypeGuard

from react_agent.errors import ModelError, UsageError
from react_agent.models.contract import Completion, Model, Show, Usage, View, Why, fingerprint
from react_agent.models.endpoint import REPLAY, is_replay
from react_agent.parsers.answers.labelled import write_condensed
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Entry, Event, Said, Seen
from react_agent.parsers.transcript.facts import read_facts
from react_agent.parsers.transcript.labels import strict
from react_agent.parsers.transcript.writer import objective_text, turn_text
from react_agent.state.findings import GATE
from react_agent.state.state import ANSWER, ASKED, OVERFLOW, REDRAWN, State
from react_agent.state.steps import CONDENSED, MAINTAINER, condensed_in, whole_number
from react_agent.state.transcript import NAME, read, sub_name

Difference = Callable[[str], None]

_DURATION = re.compile(r"\b\d+(\.\d+)? ?(s|ms|seconds)\b")  # different times are no difference
_TOLD = re.compile(rf"(?m:^\({MAINTAINER}: .*(?:\n  .*)*\)\n)+\Z")  # nor is what a person adds
_COUNTS = ("in", "out", "cached", "written")
_SHOWN = 60
_BEFORE = 15


@dataclass(slots=True)
class Replay:
    """A model that returns recorded turns and reports prompts that differ from the recording."""

    entries: tuple[Entry, ...]
    tell: Difference
    recorded: State = field(default_factory=State)  # up to the last turn that was given
    at: int = 0  # the entries up to that turn
    asked: int = 0  # how often since then for something other than a step
    told: set[int] = field(default_factory=set)  # steps that were found to differ

    @property
    def hears_refusals(self) -> bool:
        """Whether the recorded run continued after its Conclusion was refused."""
        how = (entry.facts.get("how") for entry in self.entries if isinstance(entry, Seen))
        return GATE in how

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
            return _answered_again(self.entries[self.at :], self.asked, view)
        self.asked = 0
        entry = self._next(view)
        if isinstance(entry, Event):  # the prompt was too long
            facts = read_facts(entry.text)
            used = Usage(whole_number(facts.get("prompt")), 0, is_estimate="estimated" in facts)
            return Completion("", Why.CONTEXT, usage=used, window=_window_again(facts))
        for difference in self._differences(view, entry):
            self.tell(difference)
        text = turn_text(entry.turn) if entry.raw is None else entry.raw
        show(text)
        usage = _usage_again(entry.facts, view, text)
        why = entry.facts.get("why")  # a person may have edited it
        known = Why(why) if why in tuple(Why) else Why.STOP
        return Completion(text, known, usage=usage, window=_window_again(entry.facts))

    def _next(self, view: View) -> Said | Event:
        """Return the next recorded answer. A resumed run continues where it was interrupted."""
        at = self.at or _place(self.entries, view)
        for entry in self.entries[self.at :]:
            self.at += 1
            self.recorded.take(entry)
            if self.at > at and _is_answer(entry):
                return entry
        turns = sum(isinstance(entry, Said) for entry in self.entries)
        raise ModelError(f"the recorded transcript ends after {counted(turns, 'turn')}")

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


def open_replay(spec: str, tell: Callable[[str], None]) -> Replay:
    """Open a replay. `tell` is called with each message for the user. Raises UsageError."""
    if not spec.removeprefix(REPLAY):
        raise UsageError(f"no model {spec!r}; write replay/FILE")
    path = Path(spec.removeprefix(REPLAY))
    entries = read(path / NAME if path.is_dir() else path).entries
    if not any(isinstance(entry, Said) for entry in entries):
        raise UsageError(f"{path} has no model reply to replay")
    return Replay(entries, tell)


def _is_answer(entry: Entry) -> TypeGuard[Said | Event]:
    """Return whether an entry is the model's answer to a step's prompt, not a guard's text."""
    if isinstance(entry, Said):
        return "by" not in entry.facts
    return isinstance(entry, Event) and entry.name == OVERFLOW


def _answered_again(behind: Sequence[Entry], number: int, view: View) -> Completion:
    """Return the recorded answer to the n-th extra request after a turn. Raises ModelError."""
    stretch = list(takewhile(lambda entry: not _is_answer(entry), behind))
    asked = [read_facts(text) for text in _events(stretch, ASKED)]
    asked = [facts for facts in asked if facts.get("for") != REDRAWN]  # those are of steps
    if number > len(asked):
        raise ModelError("the recorded run made no such request")
    facts = asked[number - 1]
    why = facts.get("why", Why.STOP)
    if why not in tuple(Why):
        raise ModelError(facts.get("said", ""))
    text = facts.get(ANSWER) or write_condensed(map(condensed_in, _events(stretch, CONDENSED)))
    return Completion(text, Why(why), usage=_usage_again(facts, view, text))


def _usage_again(facts: Mapping[str, str], view: View, text: str) -> Usage:
    """Return the recorded usage without its cost, because a replay costs nothing."""
    if "in" not in facts:
        return Usage(estimate_tokens(view.text), estimate_tokens(text))
    prompt, reply, cached, written = (whole_number(facts.get(name)) for name in _COUNTS)
    return Usage(prompt, reply, cached, written, is_estimate="estimated" in facts)


def _window_again(facts: Mapping[str, str]) -> int | None:
    return whole_number(facts.get("window")) or None


def _events(entries: Sequence[Entry], name: str) -> Iterator[str]:
    return (one.text for one in entries if isinstance(one, Event) and one.name == name)


def _place(entries: Sequence[Entry], view: View) -> int:
    """Return the number of entries before the turn that answered a matching prompt."""
    if not view.turns:
        return 0
    state, by_number, said = State(), 0, 0
    for at, entry in enumerate(entries):
        if _is_answer(entry):
            turns = [step.text for step in state.steps if step.text]
            is_as_long = len(turns) == len(view.turns)
            if is_as_long and _comparable(turns[-1]) == _comparable(view.turns[-1]):
                return at
        if isinstance(entry, Said):
            by_number = at if said == len(view.turns) else by_number
            said += 1
        state.take(entry)
    return by_number or len(entries)


def _difference(where: str, recorded: str, now: str) -> Iterator[str]:
    """Yield a message with the first line that differs, quoted from near the difference."""
    if _comparable(recorded) == _comparable(now):
        return
    before, after = _comparable(recorded).split("\n"), _comparable(now).split("\n")
    pairs = enumerate(zip_longest(before, after))  # None: one of them has no such line
    number, old, new = next((at, old or "", new or "") for at, (old, new) in pairs if old != new)
    labels = (strict(line) for line in reversed(before[: number + 1]))
    label = next(labelled.label for labelled in labels if labelled)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    start = max(0, same - _BEFORE)
    yield f"{where}{label} was {_shown(old, start)} and is {_shown(new, start)}"


def _shown(line: str, start: int) -> str:
    """Return a part of a line in quotes. Lines of a transcript are already escaped."""
    cut = ("..." if start else "") + line[start : start + _SHOWN]
    return f'"{cut}..."' if len(line) > start + _SHOWN else f'"{cut}"'


def _comparable(text: str) -> str:
    return _DURATION.sub("(time)", _TOLD.sub("", text))


def asked_before(model: Model, times: int) -> Model:
    """Set the number of requests that an interrupted replay has answered. Return the model."""
    if isinstance(model, Replay):
        model.asked = times
    return model


def within_step(spec: str, own: str, step: int) -> str:
    """Return the model spec for a nested run. In a replay, it names the recorded nested run."""
    if not is_replay(spec):
        return own or spec
    recorded = Path(spec.removeprefix(REPLAY))
    folder = recorded if recorded.is_dir() else recorded.parent
    return f"{REPLAY}{folder / sub_name(step)}"
