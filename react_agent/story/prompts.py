"""What the model saw: every prompt of a run, of pieces that many of them share.

The transcript holds the steps; the instructions are made again, and so is what a prompt ends with.
Whether both are to the letter what the model was shown, the fingerprint of each prompt says.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from react_agent.errors import ReactAgentError
from react_agent.loop.state import NOT_SEEN, State
from react_agent.loop.steps import Step
from react_agent.models.contract import View, fingerprint
from react_agent.parsers.transcript.entries import Entry, Reading, Said, Seen
from react_agent.parsers.transcript.writer import objective_text
from react_agent.parsers.turn.turn import Kind
from react_agent.profiles.settings import Settings
from react_agent.prompt.view import tail
from react_agent.story.instructions import Instructions, most_steps


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
    making = _Making(Instructions(folder, settings or Settings()))
    for entry in reading.entries:
        making.take(entry)
    return making.made()


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
    """The run's own fold, looked at before every call."""

    instructions: Instructions
    state: State = field(default_factory=State)
    last: str = ""  # instructions
    system: _Slot = field(default_factory=_Slot)
    objective: _Slot = field(default_factory=_Slot)
    told: _Slot = field(default_factory=_Slot)
    slots: list[_Slot] = field(default_factory=list)
    shown: list[Step] = field(default_factory=list)  # in the last prompt
    tails: dict[int, str] = field(default_factory=dict)
    recorded: dict[int, str] = field(default_factory=dict)
    problem: str = ""

    def take(self, entry: Entry) -> None:
        if isinstance(entry, Said):
            if self.state.pending and self.state.pending.turn.kind is not Kind.CONCLUSION:
                self.state.take(Seen(NOT_SEEN))  # as the fold does in a file that was edited
            if "by" not in entry.facts:  # else no model wrote it
                self._prompt(entry)
        self.state.take(entry)

    def _prompt(self, said: Said) -> None:
        state, number = self.state, len(self.state.steps) + 1
        self.tails[number] = tail(state, most_steps(state) - len(state.steps))
        self.recorded[number] = said.facts.get("prompt", "")
        self.system.show(number, self._instructions(number))
        self.objective.show(number, objective_text(state.objective or ""))
        self.told.show(number, state.told + state.before)
        for index, step in enumerate(state.steps):
            if index == len(self.shown):
                self.slots.append(_Slot(step.number))
                self.shown.append(step)
            elif step is self.shown[index]:
                continue
            self.shown[index] = step
            self.slots[index].show(number, step.text)

    def _instructions(self, number: int) -> str:
        """Those that the fingerprint is of; else those before, or the likeliest."""
        try:
            texts = self.instructions.at(self.state)
        except ReactAgentError as error:
            self.problem = str(error)
            return ""
        texts = [text for text in (self.last,) if text in texts] + [*texts]
        views = (View(text, "", (), self.tails[number]) for text in texts)
        known = (view.system for view in views if fingerprint(view) == self.recorded[number])
        self.last = next(known, texts[0])
        return self.last

    def made(self) -> Prompts:
        end = max(self.tails, default=0) + 1
        return Prompts(
            systems=tuple(self.system.pieces(end)),
            tasks=(*self.objective.pieces(end), *self.told.pieces(end)),
            pieces=tuple(chain.from_iterable(slot.pieces(end) for slot in self.slots)),
            tails=self.tails,
            recorded={number: known for number, known in self.recorded.items() if known},
            problem=self.problem,
        )
