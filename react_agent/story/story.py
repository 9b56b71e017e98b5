"""A run read back, for people: its steps as they are shown in the end, and what came between."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from react_agent.loop.spent import whole_number
from react_agent.loop.state import State
from react_agent.loop.steps import Step
from react_agent.parsers.plan.plan import Plan, write_plan
from react_agent.parsers.transcript.entries import Entry, Event, Objective, Reading, Said
from react_agent.parsers.turn.turn import Turn
from react_agent.prompt.meter import Call, meter
from react_agent.prompt.plan_steps import is_used
from react_agent.tools.observation import Status
from react_agent.tools.registry import How

_HIDDEN = tuple(how for how in How if how is not How.VISIBLE)


class Kind(StrEnum):
    """What there is of a step to look for."""

    THOUGHTS = "thoughts"
    ACTIONS = "actions"
    ERRORS = "errors"  # what failed, and what could not be read
    HIDDEN = "hidden"  # answers of tools that are not offered, wishes among them
    REPAIRS = "repairs"  # of a reply, or of an edit


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
    calls = {row.step: row for row in meter(reading.entries) if isinstance(row, Call)}
    told = _Telling()
    for entry in reading.entries:
        told.take(entry)
    state = told.state
    parts = zip(state.steps, told.before, told.plans, strict=True)
    scenes = (Scene(step, before, calls.get(step.number), plan) for step, before, plan in parts)
    return Story(
        header=state.header,
        objective=state.objective or "",
        scenes=tuple(scenes),
        end=tuple(told.events[told.said :] if state.pending else told.events),
        pending=state.pending,
        state=state,
        is_torn=bool(reading.torn),
        began=told.began,
        before=tuple(told.events[: told.said]) if state.pending else (),
        call=calls.get(len(state.steps) + 1) if state.pending else None,
    )


@dataclass(slots=True)
class _Telling:
    """The run's own fold; beside it what was between its steps, and the plan behind each."""

    state: State = field(default_factory=State)
    before: list[tuple[Event, ...]] = field(default_factory=list)  # by step
    plans: list[str] = field(default_factory=list)  # by step
    events: list[Event] = field(default_factory=list)  # since the last one
    said: int = 0  # of these, before the last reply
    began: str = ""

    def take(self, entry: Entry) -> None:
        self.state.take(entry)
        if len(self.state.steps) > len(self.before):
            self.before.append(tuple(self.events))
            self.plans.append(_written(self.state.plan))
            self.events.clear()
        if isinstance(entry, Said):
            self.said = len(self.events)
        if isinstance(entry, Objective):
            self.began = entry.facts.get("at", "")
        if isinstance(entry, Event) and self.state.objective is not None:
            self.events.append(entry)


def _written(plan: Plan | None) -> str:
    """One that nobody has made is the objective alone."""
    return write_plan(plan) if plan and is_used(plan) else ""
