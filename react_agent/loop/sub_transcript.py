"""The transcript of a run within a run: made new, or taken up where it was cut off."""

import itertools
from collections.abc import Iterable
from pathlib import Path

from react_agent.errors import TranscriptError
from react_agent.loop import transcript as transcripts
from react_agent.loop.spent import Spent
from react_agent.loop.state import STARTED_FROM, State, fold
from react_agent.loop.transcript import Listener, Transcript
from react_agent.parsers.secrets.redaction import Redaction
from react_agent.parsers.transcript.entries import Event, Objective
from react_agent.tools import disk


def sub_name(step: int) -> str:
    """Where in a run's folder the run within a step has its transcript."""
    return f"sub/{step:03}"


def next_sub(state: State) -> str:
    """That of the next step. Where a person has left out steps, one before it may have its name."""
    taken = {step.seen.facts.get("sub") for step in state.steps}
    names = map(sub_name, itertools.count(len(state.steps) + 1))
    return next(name for name in names if name not in taken)


def opened(
    folder: Path,
    header: Iterable[Event],
    objective: str,
    redact: Redaction,
    listeners: Iterable[Listener] = (),
) -> Transcript:
    """A new one; or, in a run that was cut off in it, the one there is."""
    place, given = folder / transcripts.NAME, tuple(header)
    start = next((event.text for event in given if event.name == STARTED_FROM), "")
    if _is_of(place, start, redact(objective)):
        transcript, _ = transcripts.reopen(place, listeners, redact)
        transcript.append(Event("resumed"))
        return transcript
    _set_aside(folder)
    disk.mkdir(folder, parents=True)
    return transcripts.create(place, (*given, Objective(objective)), listeners, redact)


def _is_of(place: Path, start: str, objective: str) -> bool:
    """The parent's transcript may have been cut, and have gone another way since."""
    try:
        state = fold(transcripts.read(place).entries)
    except TranscriptError:
        return False
    return (state.header.get(STARTED_FROM), state.objective) == (start, objective)


def _set_aside(folder: Path) -> None:
    if folder.exists():
        names = (folder.with_name(f"{folder.name}-{number}") for number in itertools.count(1))
        disk.rename(folder, next(name for name in names if not name.exists()))


def paid(spent: Spent) -> dict[str, str]:
    """As facts of the step that it was."""
    facts = {"in": str(spent.prompt_tokens), "out": str(spent.reply_tokens)}
    facts |= {"cached": str(spent.cached)} if spent.cached else {}
    facts |= {"written": str(spent.written)} if spent.written else {}
    facts |= {"unknown": str(spent.unknown)} if spent.unknown else {}
    return facts if spent.money is None else facts | {"cost": f"{spent.money:.6f}"}
