"""The progress of a procedure, computed from the entries of the run's transcript.

The procedure writes each turn as a step of that transcript. The Action is the role that speaks, and
the Observation is its message. Between turns there are events: `entered`, `judged`, `picked` and
`summary`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from react_agent.errors import TranscriptError
from react_agent.parsers.transcript.entries import Entry, Event, Said, Seen
from react_agent.parsers.transcript.facts import read_facts, write_facts
from react_agent.parsers.turn.turn import Kind
from react_agent.runs.run_folder import RunFolder
from react_agent.state import transcript as transcripts
from react_agent.state.events import ENTERED, JUDGED
from react_agent.state.state import ANSWER, ASKED, State, fold
from react_agent.state.steps import MAINTAINER, whole_number
from react_agent.state.transcript import next_sub

BY = "procedure"  # who wrote a step
PICKED, SUMMARY = "picked", "summary"  # events
_TEXT = " | "  # stands before one, in an event
SHARED = ""  # whose summary is everybody's


@dataclass(frozen=True, slots=True)
class Memory:
    """A message that a role wrote in one turn."""

    phase: str
    role: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Summary:
    at: int  # entries of memory that there were when it was asked for
    text: str
    made: int = 0  # that there were when it came


@dataclass(slots=True)
class Course:
    phase: str = ""  # none: it has not begun
    entered_at: int = 0  # entries of memory there were
    turns: int = 0  # since then
    speaker: str = ""  # of the last of them
    to_judge: bool = False  # what the last one came to
    picked: str = ""  # who is next
    begun: set[str] = field(default_factory=set)  # states whose begin query was said
    memory: list[Memory] = field(default_factory=list)  # shared, the oldest first
    summaries: dict[str, Summary] = field(default_factory=dict)  # by whose
    answers: dict[str, str] = field(default_factory=dict)  # of a model, not yet used
    asked: int = 0  # times
    steps: int = 0  # of all turns
    ended: str = ""  # how the last turn did
    is_told: bool = False  # the user sent a message that no turn has shown yet
    pending: str = ""  # the role that speaks

    def take(self, entry: Entry) -> None:
        match entry:
            case Event():
                self._take_event(entry)
            case Said(turn, _, facts) if facts.get("by") == BY and turn.kind is Kind.ACTION:
                self.pending, self.is_told = turn.action, False
            case Seen(text, facts) if self.pending:
                role = self.pending
                self.memory.append(Memory(self.phase, role, facts.get("name", role), text))
                self.pending, self.picked, self.speaker = "", "", role
                if "sub" in facts:
                    self.turns += 1
                    self.to_judge = True
                    self.steps += whole_number(facts.get("steps"))
                    self.ended = facts.get("ended", "")
                else:  # the begin query is no turn
                    self.begun.add(self.phase)

    def _take_event(self, event: Event) -> None:
        written, _, said = event.text.partition(_TEXT)
        facts = read_facts(written if event.name == SUMMARY else event.text)
        if event.name == ENTERED:
            self.phase = facts.get("state", "")
            self.entered_at, self.turns, self.speaker = len(self.memory), 0, ""
            self.to_judge, self.picked = False, ""
        elif event.name == MAINTAINER:
            self.is_told = True
        elif event.name == ASKED:
            self.asked += 1
            self.answers[facts.get("for", "")] = facts.get(ANSWER, "")
        elif event.name in (JUDGED, PICKED, SUMMARY):
            self.answers.clear()  # they are used up
            if event.name == JUDGED:
                self.to_judge = False
            elif event.name == PICKED:
                self.picked = facts.get("role", "")
            else:
                whose, at = facts.get("of", SHARED), whole_number(facts.get("at"))
                before = self.summaries.get(whose, Summary(0, ""))
                self.summaries[whose] = Summary(at, said, at) if said else replace(before, at=at)

    def is_summed_up(self, whose: str) -> bool:
        found = self.summaries.get(whose)
        return found is not None and found.at == len(self.memory)

    def last_of(self, name: str) -> int:
        """Return the index in `memory` after the last message of this role, or 0."""
        spoken = (at for at, one in enumerate(self.memory, 1) if one.name == name)
        return max(spoken, default=0)


def event(name: str, facts: Mapping[str, str], text: str = "") -> Event:
    written = write_facts(facts)
    return Event(name, f"{written}{_TEXT}{' '.join(text.split())}" if text else written)


def as_one_run(folder: RunFolder, state: State) -> State:
    """Return the state with each turn replaced by its steps, including the cost of an open turn."""
    if "seed" not in state.header:
        return state
    subs = (step.seen.facts.get("sub") for step in state.steps)
    turns = [_turn(folder.path / sub) for sub in subs if sub]
    is_open = state.pending is not None and not state.conclusion
    now = _turn(folder.path / next_sub(state)) if is_open else State()
    steps = [step for turn in (*turns, now) for step in turn.steps]
    return replace(
        state,
        steps=[replace(step, number=number) for number, step in enumerate(steps, 1)],
        spent=state.spent + now.spent if is_open else state.spent,  # which still grows
        wrote=state.wrote | now.wrote,
        compressed={*range(sum(len(turn.compressed) for turn in (*turns, now)))},
        taken=sum(turn.taken for turn in (*turns, now)),
    )


def _turn(folder: Path) -> State:
    try:
        return fold(transcripts.read(folder / transcripts.NAME).entries)
    except TranscriptError:
        return State()
