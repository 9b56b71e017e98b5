"""A run read back from its transcript: step by step, for people, and in tokens.

`moments` is the one reader: the run's own fold, one entry after the other, and what each changed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from react_agent.loop.spent import Spent, whole_number
from react_agent.loop.state import ASKED, NOT_SEEN, OVERFLOW, VIEW, State
from react_agent.loop.steps import (
    HISTORY,
    RECALL,
    RETRACTED,
    Step,
    stage_of,
)
from react_agent.parsers.plan.plan import write_plan
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import (
    Entry,
    Event,
    Facts,
    Objective,
    Reading,
    Said,
    Seen,
)
from react_agent.parsers.transcript.facts import read_facts
from react_agent.parsers.transcript.labels import DEFAULT, Label
from react_agent.parsers.turn.turn import Kind as TurnKind
from react_agent.parsers.turn.turn import Turn
from react_agent.prompt.plan_block import is_used
from react_agent.prompt.room import budget_told, instructions_told, limit_told
from react_agent.prompt.view import MANY, tail
from react_agent.tools.observation import Status
from react_agent.tools.registry import How

_ENDS_IN = estimate_tokens(DEFAULT.write(Label.THOUGHT))  # as every prompt does
_ACTION = f"\n{DEFAULT.write(Label.ACTION)}"
_OBSERVATION = f"\n{DEFAULT.write(Label.OBSERVATION)}"
_HIDDEN = tuple(how for how in How if how is not How.VISIBLE)
_HOW = {
    "alias": "a hidden name of {tool}",
    "redirect": "a hidden tool answered",
    "protocol": "a hidden tool answered",
    "demoted": "this very call rests",
    "wish": "no such tool: a wish",
    "gate": "the Conclusion was not accepted yet",
}


@dataclass(frozen=True, slots=True)
class Moment:
    entry: Entry
    state: State  # after it; the same object all along
    prompted: State | None  # of a model's reply: as it was when its prompt was made
    ended: Step | None  # the step that ended with it
    changed: tuple[int, ...]  # indexes of the steps that are new, or shown otherwise


def moments(entries: Iterable[Entry]) -> Iterator[Moment]:
    """With an empty Observation behind a call that has none, in a file that was edited."""
    state, shown = State(), list[Step]()
    for entry in _with_observations(entries, state):
        is_model = isinstance(entry, Said) and "by" not in entry.facts
        prompted = replace(state, recalled=[*state.recalled]) if is_model else None
        state.take(entry)
        steps = state.steps
        ended = steps[-1] if len(steps) > len(shown) else None
        first = 0 if isinstance(entry, Event) else len(shown)
        indexes = range(first, len(steps))
        changed = [at for at in indexes if at >= len(shown) or steps[at] is not shown[at]]
        for at in changed:
            shown[at : at + 1] = [steps[at]]
        yield Moment(entry, state, prompted, ended, tuple(changed))


def _with_observations(entries: Iterable[Entry], state: State) -> Iterator[Entry]:
    for entry in entries:
        pending = state.pending.turn if isinstance(entry, Said) and state.pending else None
        if pending and pending.kind is not TurnKind.CONCLUSION:
            yield Seen(NOT_SEEN)
        yield entry


class Kind(StrEnum):
    """What there is of a step to look for."""

    THOUGHTS = "thoughts"
    ACTIONS = "actions"
    ERRORS = "errors"  # what failed, and what could not be read
    HIDDEN = "hidden"  # answers of tools that are not offered, wishes among them
    REPAIRS = "repairs"  # of a reply, or of an edit


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
class Scene:
    step: Step  # as it is shown at the end of what there is
    before: tuple[Event, ...] = ()  # since the scene before it
    call: Call | None = None  # what its prompt was made of, and cost; none: no model said it
    plan: str = ""  # after it, where there is one

    @property
    def kinds(self) -> frozenset[Kind]:
        facts = self.step.seen.facts
        found = {
            Kind.ERRORS: self.step.status is Status.FAILED,
            Kind.HIDDEN: facts.get("how") in _HIDDEN,
            Kind.REPAIRS: whole_number(facts.get("mended")) > 0,
        }
        return kinds_of(self.step.said.turn) | {kind for kind, is_so in found.items() if is_so}


@dataclass(frozen=True, slots=True)
class Story:
    header: Mapping[str, str]
    objective: str
    scenes: tuple[Scene, ...]
    end: tuple[Event, ...]  # behind all of it
    pending: Said | None  # said, and nothing has come of it: a Conclusion, or where it was cut off
    state: State
    is_torn: bool
    began: str = ""  # as it was written down: date and time
    before: tuple[Event, ...] = ()  # between the last scene and what is pending
    call: Call | None = None  # of what is pending


def kinds_of(turn: Turn) -> frozenset[Kind]:
    """What a reply alone may be looked for by."""
    found = {
        Kind.THOUGHTS: bool(turn.thought),
        Kind.ACTIONS: bool(turn.action),
        Kind.ERRORS: bool(turn.problem),
        Kind.REPAIRS: bool(turn.repairs),
    }
    return frozenset(kind for kind, is_so in found.items() if is_so)


def story(reading: Reading) -> Story:
    meter, calls, events = Meter(), dict[int, Call](), list[Event]()
    between, state, said, began = list[tuple[tuple[Event, ...], str]](), State(), 0, ""
    for moment in moments(reading.entries):
        entry, state = moment.entry, moment.state
        calls.update((row.step, row) for row in meter.rows(moment) if isinstance(row, Call))
        if moment.ended:
            plan = state.plan  # one that nobody has made is the objective alone
            between.append((tuple(events), write_plan(plan) if plan and is_used(plan) else ""))
            events.clear()
        if isinstance(entry, Said):
            said = len(events)
        elif isinstance(entry, Objective):
            began = entry.facts.get("at", "")
        elif isinstance(entry, Event) and state.objective is not None:
            events.append(entry)
    said = said if state.pending else 0
    scenes = (
        Scene(step, before, calls.get(step.number), plan)
        for step, (before, plan) in zip(state.steps, between, strict=True)
    )
    return Story(
        header=state.header,
        objective=state.objective or "",
        scenes=tuple(scenes),
        end=tuple(events[said:]),
        pending=state.pending,
        state=state,
        is_torn=bool(reading.torn),
        began=began,
        before=tuple(events[:said]),
        call=calls.get(len(state.steps) + 1) if state.pending else None,
    )


def how_answered(facts: Facts) -> str:
    """Of an Observation; empty: by a tool that is offered, called by its name."""
    return _HOW.get(facts.get("how", ""), "").format(tool=facts.get("tool") or "the tool")


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
    """What every prompt of a run was made of, in tokens."""
    found = Meter()
    for moment in moments(entries):
        yield from found.rows(moment)
    yield from found.taken.values()


@dataclass(slots=True)
class Meter:
    """The parts of the steps as the prompt shows them."""

    steps: dict[int, Parts] = field(default_factory=dict)
    sum: Counter[Part] = field(default_factory=Counter)
    tokens: int = 0  # of objective and steps, before this moment
    derived: int = 0  # tokens of instructions that the transcript does not tell
    taken: dict[str, Taken] = field(default_factory=dict)

    def rows(self, moment: Moment) -> Iterator[Row]:
        parts = self._parts(moment) if moment.prompted else {}
        for at in moment.changed:
            self.sum.subtract(self.steps.get(at, {}))
            self.steps[at] = _parts_of(moment.state.steps[at])
            self.sum.update(self.steps[at])
        before, self.tokens = self.tokens, moment.state.prompt_tokens
        entry = moment.entry
        if isinstance(entry, Event) and entry.name in (*VIEW, RETRACTED):
            stage = stage_of(entry)
            if moment.changed and stage != HISTORY:
                last = self.taken.get(stage, Taken(stage, 0, 0))
                gone = last.tokens + before - self.tokens
                self.taken[stage] = Taken(stage, last.steps + len(moment.changed), gone)
            return
        yield from self.taken.values()
        self.taken.clear()
        yield from _row(moment, parts)

    def _parts(self, moment: Moment) -> Parts:
        """Of the prompt of a reply."""
        state, entry = moment.prompted, moment.entry
        assert state is not None
        assert isinstance(entry, Said)
        budget, parts = budget_told(state), Counter(self.sum)
        parts[Part.OBJECTIVE] += state.prompt_tokens - sum(self.sum.values())
        left = (budget.steps if budget else MANY) - len(state.steps)
        volatile = estimate_tokens(tail(state, left)) - _ENDS_IN
        hints = estimate_tokens(tail(replace(state, recalled=[]), left)) - _ENDS_IN
        parts.update({Part.THOUGHTS: _ENDS_IN, Part.RECALLED: volatile - hints, Part.HINTS: hints})
        told = instructions_told(state)
        if not told and not self.derived:
            self.derived = max(whole_number(entry.facts.get("in")) - sum(parts.values()), 0)
        parts[Part.INSTRUCTIONS] = told or self.derived
        return {part: parts[part] for part in Part}


def _row(moment: Moment, parts: Parts) -> Iterator[Row]:
    match moment.entry:
        case Said(_, _, facts) if moment.prompted:
            number, limit = len(moment.state.steps) + 1, limit_told(moment.state)
            yield Call(number, parts, _spent(facts), _is_counted(facts), limit)
        case Seen(_, facts) if "in" in facts:
            whose = facts.get("for") or facts.get("sub", "sub-agent")
            yield Asked(whose, _spent(facts), _is_counted(facts))
        case Event(name, text) if name == ASKED:
            facts = read_facts(text)
            yield Asked(facts.get("for", ASKED), _spent(facts), _is_counted(facts))
        case Event(name, text) if name == OVERFLOW:
            yield TooLong(moment.state.too_long, "estimated" not in read_facts(text))


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


def _spent(facts: Mapping[str, str]) -> Spent:
    spent = Spent()
    spent.add(facts)
    return spent


def _is_counted(facts: Mapping[str, str]) -> bool:
    return whole_number(facts.get("in")) > 0 and "estimated" not in facts
