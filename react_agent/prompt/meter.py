"""What every prompt of a run was made of, in tokens: a fold over its transcript."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from react_agent.loop.events import ASKED, OVERFLOW, VIEW
from react_agent.loop.spent import Spent, whole_number
from react_agent.loop.state import State
from react_agent.loop.steps import HISTORY, MAINTAINER, RECALL, RETRACTED, Step, stage_of
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Entry, Event, Said, Seen
from react_agent.parsers.transcript.facts import read_facts
from react_agent.parsers.transcript.labels import DEFAULT, Label
from react_agent.prompt.room import budget_told, instructions_told, limit_told
from react_agent.prompt.tail import MANY
from react_agent.prompt.view import tail

_ENDS_IN = estimate_tokens(DEFAULT.write(Label.THOUGHT))  # as every prompt does
_ACTION = f"\n{DEFAULT.write(Label.ACTION)}"
_OBSERVATION = f"\n{DEFAULT.write(Label.OBSERVATION)}"


class Part(StrEnum):
    """Of a prompt, in the order of a bar."""

    INSTRUCTIONS = "instructions"
    OBJECTIVE = "objective"  # with the line about steps that are not shown
    THOUGHTS = "thoughts"
    INPUTS = "inputs"
    OBSERVATIONS = "observations"
    RECALLED = "recalled"  # by the model, or without being asked for
    HINTS = "hints"  # and what else changes from one prompt to the next


Parts = Mapping[Part, int]


@dataclass(frozen=True, slots=True)
class Call:
    """A prompt of a step, as it stood then."""

    step: int
    parts: Parts  # as estimated
    spent: Spent
    is_counted: bool  # by the endpoint
    limit: int | None  # None: the transcript does not say

    @property
    def tokens(self) -> int:
        return self.spent.prompt_tokens if self.is_counted else sum(self.parts.values())


@dataclass(frozen=True, slots=True)
class Asked:
    """A model, for something else than a step; or a sub-agent, with all of its calls."""

    purpose: str
    spent: Spent
    is_counted: bool


@dataclass(frozen=True, slots=True)
class Taken:
    """Out of the prompt, before the next call."""

    stage: str
    steps: int
    tokens: int


@dataclass(frozen=True, slots=True)
class TooLong:
    """A prompt that the endpoint refused."""

    tokens: int
    is_counted: bool


Row = Call | Asked | Taken | TooLong


def meter(entries: Iterable[Entry]) -> Iterator[Row]:
    fold = _Fold()
    for entry in entries:
        yield from fold.take(entry)
    yield from fold.taken.values()


@dataclass(slots=True)
class _Fold:
    """The run's own fold, and beside it the parts of the steps as it shows them."""

    state: State = field(default_factory=State)
    steps: list[tuple[Step, Parts]] = field(default_factory=list)  # that are in the sum
    sum: Counter[Part] = field(default_factory=Counter)
    derived: int = 0  # tokens of instructions that the transcript does not tell
    taken: dict[str, Taken] = field(default_factory=dict)

    def take(self, entry: Entry) -> Iterator[Row]:
        if isinstance(entry, Event) and entry.name in (*VIEW, RETRACTED):
            self._reshow(entry)
            return
        yield from self.taken.values()
        self.taken.clear()
        parts = self._parts(entry.facts) if isinstance(entry, Said) else {}
        self.state.take(entry)
        if self.steps and isinstance(entry, Event) and entry.name == MAINTAINER:
            self.steps[-1] = self.state.steps[-1], self.steps[-1][1]
        for step in self.state.steps[len(self.steps) :]:
            self.steps.append((step, _parts_of(step)))
            self.sum.update(self.steps[-1][1])
        yield from self._row(entry, parts)

    def _row(self, entry: Entry, parts: Parts) -> Iterator[Row]:
        match entry:
            case Said(_, _, facts) if "by" not in facts:  # else no model wrote it
                number, limit = len(self.state.steps) + 1, limit_told(self.state)
                yield Call(number, parts, _spent(facts), _is_counted(facts), limit)
            case Seen(_, facts) if "in" in facts:
                whose = facts.get("for") or facts.get("sub", "sub-agent")
                yield Asked(whose, _spent(facts), _is_counted(facts))
            case Event(name, text) if name == ASKED:
                facts = read_facts(text)
                yield Asked(facts.get("for", ASKED), _spent(facts), _is_counted(facts))
            case Event(name, text) if name == OVERFLOW:
                facts = read_facts(text)
                yield TooLong(self.state.too_long, "estimated" not in facts)

    def _reshow(self, event: Event) -> None:
        tokens = self.state.prompt_tokens
        self.state.take(event)
        changed = 0
        for index, step in enumerate(self.state.steps):
            if step is not self.steps[index][0]:
                self.sum.subtract(self.steps[index][1])
                self.steps[index] = step, _parts_of(step)
                self.sum.update(self.steps[index][1])
                changed += 1
        stage = stage_of(event)
        if changed and stage != HISTORY:
            before = self.taken.get(stage, Taken(stage, 0, 0))
            gone = before.tokens + tokens - self.state.prompt_tokens
            self.taken[stage] = Taken(stage, before.steps + changed, gone)

    def _parts(self, facts: Mapping[str, str]) -> Parts:
        """Of the prompt that this state makes."""
        steps = sum(self.sum.values())
        parts = Counter({Part.OBJECTIVE: self.state.prompt_tokens - steps})
        parts.update(self.sum)
        parts.update(_tail(self.state))
        told = instructions_told(self.state)
        if not told and not self.derived:
            self.derived = max(whole_number(facts.get("in")) - sum(parts.values()), 0)
        parts[Part.INSTRUCTIONS] = told or self.derived
        return {part: parts[part] for part in Part}


def _parts_of(step: Step) -> Parts:
    """All that is not a thought or an input is of the Observation, so that the sum is the step's.

    Foreign text is quoted: the first label at the start of a line is ours.
    """
    text = step.text.removesuffix(step.told)  # what a person said counts with the objective
    seen = text.find(_OBSERVATION) + 1 or len(text)
    acts = text.find(_ACTION, 0, seen) + 1 or seen
    thoughts = estimate_tokens(text[:acts])
    inputs = estimate_tokens(text[acts:seen])
    shown = Part.RECALLED if step.tool == RECALL else Part.OBSERVATIONS
    own = step.tokens - estimate_tokens(step.told)
    return {Part.THOUGHTS: thoughts, Part.INPUTS: inputs, shown: own - thoughts - inputs}


def _tail(state: State) -> Parts:
    """What stands behind the steps."""
    budget = budget_told(state)
    left = (budget.steps if budget else MANY) - len(state.steps)
    volatile = estimate_tokens(tail(state, left)) - _ENDS_IN
    without = estimate_tokens(tail(replace(state, recalled=[]), left)) - _ENDS_IN
    return {
        Part.THOUGHTS: _ENDS_IN,
        Part.RECALLED: volatile - without,
        Part.HINTS: without,
    }


def _spent(facts: Mapping[str, str]) -> Spent:
    spent = Spent()
    spent.add(facts)
    return spent


def _is_counted(facts: Mapping[str, str]) -> bool:
    return whole_number(facts.get("in")) > 0 and "estimated" not in facts
