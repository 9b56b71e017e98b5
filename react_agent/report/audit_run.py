"""A run and the runs within it, as their transcripts tell them: what an audit looks at.

Nothing else is looked at: no workspace, no repository, no network. A transcript that was copied
somewhere is enough; where the runs within it were not copied, that is said.
"""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from react_agent.errors import TranscriptError
from react_agent.loop import noted
from react_agent.loop import transcript as transcripts
from react_agent.loop.state import State, fold
from react_agent.loop.steps import Step
from react_agent.loop.sub_transcript import next_sub
from react_agent.models.spec import REPLAY
from react_agent.parsers.transcript.entries import Entry, Event, Objective, Reading, Said
from react_agent.parsers.transcript.facts import read_facts
from react_agent.tools.observation import Status

_DEEPEST = 3  # runs within runs
_RESUMED = "resumed"


@dataclass(frozen=True, slots=True)
class Done:
    """A step, of the run or of one within it."""

    at: str  # `3`; `3.2` is the second of the run within the third
    step: Step
    stands: bool
    reach: Mapping[str, str]  # what could be reached then; empty: not recorded
    has_parts: bool = False  # steps of its own that stand behind it


@dataclass(frozen=True, slots=True)
class Noted:
    at: str  # the last step before it; `0` before the first
    event: Event


@dataclass(slots=True)
class Audited:
    name: str
    state: State
    entries: Sequence[Entry]
    done: list[Done] = field(default_factory=list)
    noted: list[Noted] = field(default_factory=list)  # every event
    said: list[Said] = field(default_factory=list)  # every reply
    in_flight: list[str] = field(default_factory=list)  # where it was broken off
    gone: list[str] = field(default_factory=list)  # what can't be told, and why
    reach: Mapping[str, str] = field(default_factory=dict)  # what could be reached at the end

    @property
    def last(self) -> Mapping[str, str]:
        """Of what was made of the run, in its last end."""
        found = dict[str, str]()
        for entry in self.entries:
            if isinstance(entry, Objective):  # what stands above was meant, not made
                found.clear()
            if isinstance(entry, Event):
                found = {} if entry.name == _RESUMED else {**found, entry.name: entry.text}
        return found


@dataclass(frozen=True, slots=True)
class _Place:
    folder: Path
    at: str = ""  # the step that it is within, and a dot
    stands: bool = True
    reach: Mapping[str, str] = field(default_factory=dict)
    depth: int = 0


def audited(path: Path) -> Audited:
    """Raises TranscriptError."""
    reading = transcripts.read(path)
    if not reading.entries:
        raise TranscriptError(f"{path} holds no whole entry: there is nothing to audit")
    state = fold(reading.entries)
    found = Audited(state.header.get("run", path.parent.name), state, reading.entries)
    _take(found, reading, _Place(path.parent))
    return found


def _take(found: Audited, reading: Reading, place: _Place) -> None:
    steps, state = fold(reading.entries).steps, State()
    reach = dict(place.reach)
    for entry in reading.entries:
        before = len(state.steps)
        if isinstance(entry, Event):
            reach = _reached(entry, reach)
            _take_event(found, entry, state, place)
        state.take(entry)
        found.said += [entry] if isinstance(entry, Said) else []
        for step in steps[before : len(state.steps)]:
            _take_step(found, step, place, reach)
    found.reach = reach
    if reading.torn:
        found.gone.append(f"the last entry{_within(place)} is torn: what it says is not told here")
    _take_open(found, state, place, reach)


def _within(place: _Place) -> str:
    return f" of the run within step {place.at.rstrip('.')}" if place.at else ""


def _reached(event: Event, before: dict[str, str]) -> dict[str, str]:
    """A run within another one has its sandbox, and may have a model of its own."""
    match event.name:
        case "sandbox":
            return {**before, "sandbox": event.text}
        case noted.REACH:
            kept = [name for name in before if name in ("model", "sandbox")]
            return read_facts(event.text) | {name: before[name] for name in kept}
        case "model":
            return _of_model(event.text, before)
        case _:
            return before


def _of_model(spec: str, before: dict[str, str]) -> dict[str, str]:
    if before.get("model", spec) == spec:
        return {**before, "model": spec}
    others = {name: value for name, value in before.items() if name != noted.ENDPOINT}
    unknown = {} if spec.startswith(REPLAY) else {noted.ENDPOINT: ""}
    return {**others, **unknown, "model": spec}


def _take_event(found: Audited, event: Event, state: State, place: _Place) -> None:
    at = f"{place.at}{len(state.steps)}"
    if event.name == _RESUMED:
        found.in_flight += _in_flight(state, place)
    found.noted.append(Noted(at, event))


def _in_flight(state: State, place: _Place) -> Iterator[str]:
    number = len(state.steps)
    if state.pending and state.pending.turn.action and not state.stop:
        yield f"step {place.at}{number + 1} was broken off: its call was made once more"
    elif state.stop is None:
        yield (
            f"broken off after step {place.at}{number}: a reply of the model may have been on its "
            "way, and what it cost is not known"
        )


def _take_step(found: Audited, step: Step, place: _Place, reach: Mapping[str, str]) -> None:
    at, stands = f"{place.at}{step.number}", place.stands and step.stands
    inner = _inner(found, step, at, place) if "sub" in step.seen.facts else None
    found.done.append(Done(at, step, stands, reach, has_parts=inner is not None))
    if inner:
        kept = stands and step.status is not Status.FAILED
        below = _Place(place.folder / step.sub, f"{at}.", kept, reach, place.depth + 1)
        _take(found, inner, below)


def _take_open(found: Audited, state: State, place: _Place, reach: Mapping[str, str]) -> None:
    """What a run that was cut off within a step has done there."""
    if state.pending is None or state.conclusion or place.depth >= _DEEPEST:
        return
    folder, at = place.folder / next_sub(state), f"{place.at}{len(state.steps) + 1}"
    with contextlib.suppress(TranscriptError):  # most steps are not made of others
        inner = transcripts.read(folder / transcripts.NAME)
        _take(found, inner, _Place(folder, f"{at}.", place.stands, reach, place.depth + 1))


def _inner(found: Audited, step: Step, at: str, place: _Place) -> Reading | None:
    name = step.seen.facts["sub"]
    if not step.sub or place.depth >= _DEEPEST:
        found.gone.append(f"step {at}: {name} is no place of a run within this one")
        return None
    try:
        return transcripts.read(place.folder / name / transcripts.NAME)
    except TranscriptError:
        found.gone.append(f"step {at}: the transcript {name} of its own steps can't be read here")
        return None
