"""Reconstruct a run from its transcript: its steps, its prompts and its token counts.

Everything here is built on `moments`, which applies one entry after the other to the state and
yields the changes that each entry made.
"""

import contextlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from react_agent.errors import ConfigError, ReactAgentError
from react_agent.loop.guide import is_guided
from react_agent.models.contract import View, fingerprint
from react_agent.parsers.plan.plan import write_plan
from react_agent.parsers.settings.procedure import Phase, Procedure, Role
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
from react_agent.parsers.transcript.writer import objective_text
from react_agent.parsers.turn.turn import Kind as TurnKind
from react_agent.parsers.turn.turn import Turn
from react_agent.procedure.roles import of_header, role_profile
from react_agent.profiles.profile import with_limits
from react_agent.profiles.profile_file import NO_FOLDER, Wanted, profile_of, shipped, written_for
from react_agent.profiles.run_tools import UPDATE_FILE
from react_agent.profiles.settings import Settings
from react_agent.profiles.toolbox import registry_for, with_settings
from react_agent.prompt.plan_block import is_used
from react_agent.prompt.view import MANY, budget_told, instructions, instructions_told, tail
from react_agent.runs.mcp_tools import with_recorded
from react_agent.runs.run_folder import RunFolder
from react_agent.state import transcript as transcripts
from react_agent.state.findings import GATE
from react_agent.state.state import NOT_SEEN, State, fold
from react_agent.state.steps import RECALL, Shown, Spent, Step, whole_number
from react_agent.tools.observation import Status
from react_agent.tools.registry import How

_ENDS_IN = estimate_tokens(DEFAULT.write(Label.THOUGHT))  # the end of every prompt
_ACTION = f"\n{DEFAULT.write(Label.ACTION)}"
_OBSERVATION = f"\n{DEFAULT.write(Label.OBSERVATION)}"
_HIDDEN = tuple(how for how in How if how is not How.VISIBLE)
_HOW = {
    "alias": "a hidden name of {tool}",
    "redirect": "a hidden tool answered",
    "protocol": "a hidden tool answered",
    "demoted": "this exact call is paused",
    "wish": "no such tool: a wish",
    GATE: "the Conclusion was not accepted yet",
}
LATER = {  # what became of a step in the prompts after it
    Shown.CUT: "cut later",
    Shown.LEFT_OUT: "left out later",
    Shown.CONDENSED: "condensed later",
    Shown.MERGED: "condensed later",
    Shown.SHELVED: "left out later",
    Shown.RETRACTED: "taken back later",
}


@dataclass(frozen=True, slots=True)
class Moment:
    entry: Entry
    state: State  # after it; the same object all along
    prompted: State | None  # of a model's reply: as it was when its prompt was made
    ended: Step | None  # the step that ended with it
    changed: tuple[int, ...]  # indexes of the steps that are new, or shown otherwise


def moments(entries: Iterable[Entry]) -> Iterator[Moment]:
    """Yield a moment for each entry. If an observation is missing, an empty one is inserted."""
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
    """The kinds of content in a step that a search can be limited to."""

    THOUGHTS = "thoughts"
    ACTIONS = "actions"
    ERRORS = "errors"  # what failed, and what could not be read
    HIDDEN = "hidden"  # answers of tools that are not offered, wishes among them
    REPAIRS = "repairs"  # of a reply, or of an edit


class Part(StrEnum):
    """The parts of a prompt, in the order in which a bar chart shows them."""

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
    """The size of the prompt that was sent to the model for a step."""

    step: int
    parts: Parts  # as estimated
    spent: Spent
    is_counted: bool  # by the endpoint

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
    """Return the kinds of searchable content that a model's reply contains."""
    found = {
        Kind.THOUGHTS: bool(turn.thought),
        Kind.ACTIONS: bool(turn.action),
        Kind.ERRORS: bool(turn.problem),
        Kind.REPAIRS: bool(turn.repairs),
    }
    return frozenset(kind for kind, is_so in found.items() if is_so)


def story(reading: Reading) -> Story:
    meter, made, events = _Meter(), dict[int, Call](), list[Event]()
    between, state, said, began = list[tuple[tuple[Event, ...], str]](), State(), 0, ""
    for moment in moments(reading.entries):
        entry, state = moment.entry, moment.state
        if call := meter.call(moment):
            made[call.step] = call
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
        Scene(step, before, made.get(step.number), plan)
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
        call=made.get(len(state.steps) + 1) if state.pending else None,
    )


def how_answered(facts: Facts) -> str:
    """Describe how an unusual tool call was handled. For ordinary calls, the text is empty."""
    return _HOW.get(facts.get("how", ""), "").format(tool=facts.get("tool") or "the tool")


def calls(entries: Iterable[Entry]) -> Iterator[Call]:
    """Yield the token counts of the parts of the prompt for each model reply."""
    meter = _Meter()
    yield from filter(None, map(meter.call, moments(entries)))


@dataclass(slots=True)
class _Meter:
    """A running count of the tokens that each part of each step takes up in the prompt."""

    steps: dict[int, Parts] = field(default_factory=dict)
    sum: Counter[Part] = field(default_factory=Counter)
    derived: int = 0  # tokens of instructions that the transcript does not tell

    def call(self, moment: Moment) -> Call | None:
        """Return the token counts for a model's reply, or None for any other entry."""
        found = self._call(moment.entry, moment.prompted) if moment.prompted else None
        for at in moment.changed:
            self.sum.subtract(self.steps.get(at, {}))
            self.steps[at] = _parts_of(moment.state.steps[at])
            self.sum.update(self.steps[at])
        return found

    def _call(self, entry: Entry, state: State) -> Call:
        """Return the number of tokens in each part of the prompt for this reply."""
        assert isinstance(entry, Said)
        parts, counted, spent = Counter(self.sum), whole_number(entry.facts.get("in")), Spent()
        parts[Part.OBJECTIVE] += state.prompt_tokens - sum(self.sum.values())
        left = _most_steps(state) - len(state.steps)
        volatile = estimate_tokens(tail(state, left)) - _ENDS_IN
        hints = estimate_tokens(tail(replace(state, recalled=[]), left)) - _ENDS_IN
        parts.update({Part.THOUGHTS: _ENDS_IN, Part.RECALLED: volatile - hints, Part.HINTS: hints})
        told = instructions_told(state)
        if not told and not self.derived:
            self.derived = max(counted - sum(parts.values()), 0)
        parts[Part.INSTRUCTIONS] = told or self.derived
        spent.add(entry.facts)
        is_counted = counted > 0 and "estimated" not in entry.facts
        ordered = {part: parts[part] for part in Part}
        return Call(len(state.steps) + 1, ordered, spent, is_counted)


def _parts_of(step: Step) -> Parts:
    """Return a step's tokens by part; all but thoughts and inputs count as observations.

    Text that may imitate a label is quoted, so the first label at the start of a line is real.
    """
    text = step.text.removesuffix(step.told)  # what a person said counts with the objective
    seen = text.find(_OBSERVATION) + 1 or len(text)
    acts = text.find(_ACTION, 0, seen) + 1 or seen
    thoughts = estimate_tokens(text[:acts])
    inputs = estimate_tokens(text[acts:seen])
    shown = Part.RECALLED if step.tool == RECALL else Part.OBSERVATIONS
    own = step.tokens - estimate_tokens(step.told)
    return {Part.THOUGHTS: thoughts, Part.INPUTS: inputs, shown: own - thoughts - inputs}


_USUAL = Settings()
_WITH_WEB = Settings(web=("*",))  # with any host, `browse` is offered
_SYSTEM, _OBJECTIVE, _TOLD = 0, -1, -2  # positions in a prompt that are no steps
_SUB = "sub/"  # what the name of a run within a run begins with


@dataclass(slots=True)
class Piece:
    """A piece of text and the range of prompts that contain it."""

    step: int  # that it is of; 0: of none
    text: str
    since: int
    until: int = MANY  # the first that it is not in any more


@dataclass(frozen=True, slots=True)
class Prompts:
    """The prompts of a run by step number. Each tuple lists its pieces in prompt order."""

    systems: tuple[Piece, ...]
    tasks: tuple[Piece, ...]
    pieces: tuple[Piece, ...]  # the steps
    tails: Mapping[int, str]
    recorded: Mapping[int, str]  # fingerprints; empty: it was not recorded
    problem: str = ""  # why the instructions can't be made again
    guided: Sequence[int] = ()  # of steps whose prompt was a question of the guide instead

    @property
    def numbers(self) -> Sequence[int]:
        """The numbers of the steps that have a prompt. Steps by guards or users have none."""
        return tuple(self.tails)

    def view(self, number: int) -> View:
        system, task, turns = (
            tuple(piece.text for piece in pieces if piece.since <= number < piece.until)
            for pieces in (self.systems, self.tasks, self.pieces)
        )
        return View("".join(system), "".join(task), turns, self.tails[number])

    def is_exact(self, number: int) -> bool | None:
        """Return whether the model saw just this prompt, or None if that is not recorded."""
        if number in self.guided:
            return False
        recorded = self.recorded.get(number)
        return fingerprint(self.view(number)) == recorded if recorded else None


def prompts(folder: Path, reading: Reading, settings: Settings | None = None) -> Prompts:
    """Rebuild the prompts of a run. `settings` are the user settings that it may have used."""
    making, changed = _Making(folder, settings or _USUAL), set[int]()
    for moment in moments(reading.entries):
        if moment.prompted:
            making.add(moment, moment.prompted, changed)
            changed.clear()
        changed.update(moment.changed)
    end = max(making.tails, default=0) + 1
    for texts in making.slots.values():
        texts[-1].until = end
    return Prompts(
        systems=making.pieces(_SYSTEM),
        tasks=making.pieces(_OBJECTIVE, _TOLD),
        pieces=making.pieces(*sorted(slot for slot in making.slots if slot > 0)),
        tails=making.tails,
        recorded=making.recorded,
        problem=making.problem,
        guided=making.guided,
    )


@dataclass(slots=True)
class _Making:
    folder: Path
    settings: Settings
    slots: dict[int, list[Piece]] = field(default_factory=dict)  # by the number of the step
    tails: dict[int, str] = field(default_factory=dict)
    recorded: dict[int, str] = field(default_factory=dict)
    guided: list[int] = field(default_factory=list)
    problem: str = ""
    made: dict[tuple[str, ...], Sequence[str]] = field(default_factory=dict)

    def add(self, moment: Moment, state: State, changed: set[int]) -> None:
        assert isinstance(moment.entry, Said)
        number = len(state.steps) + 1
        self.tails[number] = tail(state, _most_steps(state) - len(state.steps))
        self.recorded[number] = moment.entry.facts.get("prompt", "")
        self.guided += [number] if is_guided(state) else []
        self.show(_SYSTEM, number, self._instructions(state, number))
        self.show(_OBJECTIVE, number, objective_text(state.objective or ""))
        self.show(_TOLD, number, state.told + state.before)
        for step in map(state.steps.__getitem__, changed):
            self.show(step.number, number, step.text)

    def show(self, slot: int, prompt: int, text: str) -> None:
        texts = self.slots.setdefault(slot, [])
        if not texts or texts[-1].text != text:
            for before in texts[-1:]:
                before.until = prompt
            texts.append(Piece(max(slot, 0), text, prompt))

    def pieces(self, *slots: int) -> tuple[Piece, ...]:
        """Return the texts of these positions in a prompt, each with its successive versions."""
        return tuple(piece for at in slots for piece in self.slots.get(at, ()) if piece.text)

    def _instructions(self, state: State, number: int) -> str:
        """Return the instructions that match the fingerprint, or else the most likely ones."""
        header = state.header
        key = (header.get("amended", ""), header.get("limits", ""), *state.about)
        try:
            if key not in self.made:
                self.made[key] = list(dict.fromkeys(self._texts(state)))
        except ReactAgentError as error:
            self.problem = str(error)
            return ""
        found = self.made[key]
        views = (View(text, "", (), self.tails[number]) for text in found)
        known = (view.system for view in views if fingerprint(view) == self.recorded[number])
        return next(known, found[0])

    def _texts(self, state: State) -> Iterator[str]:
        """Yield all candidate instructions that the prompt may have contained."""
        if _is_of_sub_agent(state):  # its instructions never change
            profile = shipped(UPDATE_FILE.name)
            yield instructions(profile, registry_for(profile), profile.limits)
            return
        procedure = of_header(state.procedure)
        only = procedure.only_phase if procedure else None
        at = (only, only.roles[0]) if only else None
        if "role" in state.header:  # the outer run tells most of it
            whole = RunFolder(self.folder.parent.parent).transcript
            outer = fold(transcripts.read(whole).entries)
            procedure = of_header(outer.procedure)
            phase = procedure.phase(state.header.get("state", "")) if procedure else None
            role = phase.role(state.header["role"]) if phase else None
            if phase is None or role is None:
                raise ConfigError(f"{whole} has no role {state.header['role']!r}")
            if "amended" in state.header:  # the role has a model of its own
                outer.header |= {name: state.header[name] for name in ("amended", "limits")}
            state, at = outer, (phase, role)
        with contextlib.suppress(ConfigError):  # they may name a tool that is gone since
            yield _text(state, procedure, at, self.settings)
        yield _text(state, procedure, at, _USUAL)
        yield _text(state, procedure, at, _WITH_WEB)


def _text(
    state: State, procedure: Procedure | None, at: tuple[Phase, Role] | None, settings: Settings
) -> str:
    """Return the instructions, using a recorded or shipped profile but no profile file."""
    name = state.header.get("profile", "")
    wanted = Wanted(name, state.header.get("amended", ""), tuple(state.profile))
    written = written_for(wanted, NO_FOLDER)
    profile = with_settings(profile_of(written, wanted.model), settings)
    limits = read_facts(state.header.get("limits", ""))
    profile = replace(profile, budget=with_limits(profile.budget, limits))
    if procedure and at:
        profile = role_profile(profile, procedure, at, settings.withhold)
    registry = with_recorded(registry_for(profile), state.mcp)
    return instructions(profile, registry, profile.limits, state.about)


def _most_steps(state: State) -> int:
    if budget := budget_told(state):
        return budget.steps
    return shipped(UPDATE_FILE.name).budget.steps if _is_of_sub_agent(state) else MANY


def _is_of_sub_agent(state: State) -> bool:
    return state.header.get("run", "").startswith(_SUB) and "role" not in state.header
