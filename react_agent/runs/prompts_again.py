"""What the model saw: every prompt of a run, of pieces that many of them share.

The transcript holds the steps. The instructions are made again of what it holds and of a person's
settings, which it does not hold: there is a text for each that may have been, the likeliest
first. Whether a prompt is to the letter what the model was shown, its fingerprint says.
"""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

from react_agent.errors import ConfigError, ReactAgentError
from react_agent.loop import transcript as transcripts
from react_agent.loop.state import State, fold
from react_agent.models.contract import View, fingerprint
from react_agent.parsers.settings.procedure import Phase, Procedure, Role
from react_agent.parsers.transcript.entries import Reading, Said
from react_agent.parsers.transcript.facts import read_facts
from react_agent.parsers.transcript.writer import objective_text
from react_agent.procedure.roles import of_header, role_profile
from react_agent.profiles.profile import with_limits
from react_agent.profiles.profile_file import (
    Wanted,
    profile_of,
    shipped,
    shipped_written,
    written_for,
)
from react_agent.profiles.run_tools import UPDATE_FILE
from react_agent.profiles.settings import Settings
from react_agent.profiles.toolbox import registry_for, with_settings
from react_agent.prompt.room import budget_told
from react_agent.prompt.view import MANY, instructions, tail
from react_agent.runs.history import Moment, moments
from react_agent.runs.run_folder import RunFolder

_USUAL = Settings()
_WITH_WEB = Settings(web=("*",))  # whichever hosts: `browse` is offered
_SUB = "sub/"  # what the name of a run within a run begins with
_NOWHERE = Path("/nonexistent")


@dataclass(frozen=True, slots=True)
class Piece:
    """A text that stands in the prompts of these steps."""

    step: int  # that it is of; 0: of none
    text: str
    since: int
    until: int  # the first that it is not in any more

    def is_in(self, prompt: int) -> bool:
        return self.since <= prompt < self.until


@dataclass(frozen=True, slots=True)
class Prompts:
    """By the numbers of the steps that were said to them; those in one tuple in their order."""

    systems: tuple[Piece, ...]
    tasks: tuple[Piece, ...]
    pieces: tuple[Piece, ...]  # the steps
    tails: Mapping[int, str]
    recorded: Mapping[int, str]  # fingerprints
    problem: str = ""  # why the instructions can't be made again

    @property
    def numbers(self) -> Sequence[int]:
        """Of the prompts there are: what a guard or a person wrote was said to none."""
        return tuple(self.tails)

    def view(self, number: int) -> View:
        system, task, turns = (
            tuple(piece.text for piece in pieces if piece.is_in(number))
            for pieces in (self.systems, self.tasks, self.pieces)
        )
        return View("".join(system), "".join(task), turns, self.tails[number])

    def text(self, number: int) -> str:
        return self.view(number).text

    def is_exact(self, number: int) -> bool | None:
        """None: the transcript does not say what it was."""
        recorded = self.recorded.get(number)
        return fingerprint(self.view(number)) == recorded if recorded else None


def prompts(folder: Path, reading: Reading, settings: Settings | None = None) -> Prompts:
    """Of a run in this folder; the settings are those it may have been made with."""
    making, changed = _Making(folder, settings or _USUAL), set[int]()
    for moment in moments(reading.entries):
        if moment.prompted:
            making.add(moment, moment.prompted, changed)
            changed.clear()
        changed.update(moment.changed)
    end = max(making.tails, default=0) + 1
    slots = (making.slots[at] for at in sorted(making.slots))
    return Prompts(
        systems=tuple(making.system.pieces(end)),
        tasks=(*making.objective.pieces(end), *making.told.pieces(end)),
        pieces=tuple(chain.from_iterable(slot.pieces(end) for slot in slots)),
        tails=making.tails,
        recorded={number: known for number, known in making.recorded.items() if known},
        problem=making.problem,
    )


@dataclass(slots=True)
class _Slot:
    """A place in the prompts: the texts that it held, each with the first prompt that shows it."""

    step: int = 0
    texts: list[tuple[int, str]] = field(default_factory=list)

    def show(self, prompt: int, text: str) -> None:
        if self.texts and self.texts[-1][0] == prompt:
            self.texts.pop()
        if not self.texts or self.texts[-1][1] != text:
            self.texts.append((prompt, text))

    def pieces(self, end: int) -> Iterator[Piece]:
        ends = [*(since for since, _ in self.texts), end][1:]
        for (since, text), until in zip(self.texts, ends, strict=True):
            if text:
                yield Piece(self.step, text, since, until)


@dataclass(slots=True)
class _Making:
    folder: Path
    settings: Settings
    system: _Slot = field(default_factory=_Slot)
    objective: _Slot = field(default_factory=_Slot)
    told: _Slot = field(default_factory=_Slot)
    slots: dict[int, _Slot] = field(default_factory=dict)  # by the index of the step
    tails: dict[int, str] = field(default_factory=dict)
    recorded: dict[int, str] = field(default_factory=dict)
    problem: str = ""
    last: str = ""  # instructions
    made: dict[tuple[str, ...], Sequence[str]] = field(default_factory=dict)

    def add(self, moment: Moment, state: State, changed: set[int]) -> None:
        assert isinstance(moment.entry, Said)
        number = len(state.steps) + 1
        self.tails[number] = tail(state, _most_steps(state) - len(state.steps))
        self.recorded[number] = moment.entry.facts.get("prompt", "")
        self.system.show(number, self._instructions(state, number))
        self.objective.show(number, objective_text(state.objective or ""))
        self.told.show(number, state.told + state.before)
        for at in changed:
            step = state.steps[at]
            self.slots.setdefault(at, _Slot(step.number)).show(number, step.text)

    def _instructions(self, state: State, number: int) -> str:
        """Those that the fingerprint is of; else those before, or the likeliest."""
        header = state.header
        key = (header.get("amended", ""), header.get("limits", ""), *state.about)
        try:
            if key not in self.made:
                self.made[key] = list(dict.fromkeys(self._texts(state)))
        except ReactAgentError as error:
            self.problem = str(error)
            return ""
        found = self.made[key]
        texts = [text for text in (self.last,) if text in found] + [*found]
        views = (View(text, "", (), self.tails[number]) for text in texts)
        known = (view.system for view in views if fingerprint(view) == self.recorded[number])
        self.last = next(known, texts[0])
        return self.last

    def _texts(self, state: State) -> Iterator[str]:
        """What they may have been then."""
        if _is_of_sub_agent(state):  # which is always told the same
            profile = shipped(UPDATE_FILE.name)
            yield instructions(profile, registry_for(profile), profile.limits)
            return
        procedure = of_header(state.procedure)
        only = procedure.only_phase if procedure else None
        at = (only, only.roles[0]) if only else None
        if "role" in state.header:  # the run that it belongs to says the most of it
            whole = RunFolder(self.folder.parent.parent).transcript
            outer = fold(transcripts.read(whole).entries)
            procedure = of_header(outer.procedure)
            phase = procedure.phase(state.header.get("state", "")) if procedure else None
            role = phase.role(state.header["role"]) if phase else None
            if phase is None or role is None:
                raise ConfigError(f"{whole} has no role {state.header['role']!r}")
            state, at = outer, (phase, role)
        with contextlib.suppress(ConfigError):  # they may name a tool that is gone since
            yield _text(state, procedure, at, self.settings)
        yield _text(state, procedure, at, _USUAL)
        yield _text(state, procedure, at, _WITH_WEB)


def _text(
    state: State, procedure: Procedure | None, at: tuple[Phase, Role] | None, settings: Settings
) -> str:
    """No file is read for the profile: its text is in the transcript, or it is shipped."""
    name = state.header.get("profile", "")
    wanted = Wanted(name, state.header.get("amended", ""), tuple(state.profile))
    written = written_for(wanted, _NOWHERE) if wanted.kept else shipped_written(name)
    profile = with_settings(profile_of(written, wanted.model), settings)
    limits = read_facts(state.header.get("limits", ""))
    profile = replace(profile, budget=with_limits(profile.budget, limits))
    if procedure and at:
        profile = role_profile(profile, procedure, at, settings.withhold)
    return instructions(profile, registry_for(profile), profile.limits, state.about)


def _most_steps(state: State) -> int:
    if budget := budget_told(state):
        return budget.steps
    return shipped(UPDATE_FILE.name).budget.steps if _is_of_sub_agent(state) else MANY


def _is_of_sub_agent(state: State) -> bool:
    return state.header.get("run", "").startswith(_SUB) and "role" not in state.header
