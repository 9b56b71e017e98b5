"""What an attempt left in its folder, as the values that the page's script shows."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from react_agent.errors import TranscriptError
from react_agent.eval.page.shortened import Value, shortened
from react_agent.eval.record import Record
from react_agent.eval.store.files import LOG
from react_agent.loop import transcript
from react_agent.loop.state import State
from react_agent.loop.steps import Shown, Step
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.terminal import plain
from react_agent.parsers.transcript.entries import Entry, Event
from react_agent.tools import disk

_LARGEST = 64_000_000  # bytes of a transcript that is read
_LOG_END = 64_000  # bytes of a log: what failed stands at its end
_ENDS = 150  # steps at either end that are shown
_DEEPEST = 2  # runs within runs
_ABOUT = "about"
_QUIET = ("sandbox", "prompt", "state", "profile")  # bookkeeping that explains nothing
_MARKS = {
    Shown.RETRACTED: "taken back",
    Shown.CUT: "later shown in part",
    Shown.LEFT_OUT: "later left out of the prompt",
    Shown.CONDENSED: "later condensed",
    Shown.MERGED: "later condensed",
    Shown.SHELVED: "later left out of the prompt",
}

Told = dict[str, Value]


def told(record: Record, room: int) -> Value:
    """In about so many characters."""
    return shortened(_whole(record), room)


def _whole(record: Record) -> Told:
    tests = record.tests
    found: Told = {
        "patch": record.patch,
        "tests": [
            ["fixed", tests.fixed],
            ["not fixed", tests.not_fixed],
            ["broken", tests.broken],
            ["kept", tests.kept],
        ],
    }
    if record.folder is None:
        return found | {"missing": "No files of this attempt were kept."}
    return found | {"log": _log(record.folder / LOG)} | _run(record.folder, _DEEPEST)


def _log(path: Path) -> str:
    try:
        return plain(disk.end_of(path, _LOG_END).decode(errors="replace")).text
    except OSError:  # none was kept
        return ""


def _run(folder: Path, depth: int) -> Told:
    path = folder / transcript.NAME
    try:
        if path.stat().st_size > _LARGEST:
            return {"missing": f"{transcript.NAME} is too large for this page."}
        return _told_of(transcript.read(path).entries, folder, depth)
    except FileNotFoundError:
        return {"missing": f"There is no {transcript.NAME}."}
    except (TranscriptError, OSError) as error:
        return {"missing": str(error).replace(f"{folder}/", "")}


def _told_of(entries: Iterable[Entry], folder: Path, depth: int) -> Told:
    state = State()
    notes: dict[int, list[str]] = {}
    for entry in entries:
        state.take(entry)
        if isinstance(entry, Event) and state.objective is not None:
            notes.setdefault(len(state.steps), []).append(f"{entry.name}: {entry.text}")
    shown = [*state.steps[:_ENDS], *state.steps[_ENDS:][-_ENDS:]]
    return {
        "objective": state.objective or "",
        "about": "\n".join(state.about),
        "before": _notes(notes.get(0, ())),
        "steps": [_step(step, notes.get(step.number, ()), folder, depth) for step in shown],
        "left": _left(len(state.steps) - len(shown)),
        "conclusion": state.conclusion,
        "stop": f"{state.stop or ''} {state.stop_reason}".strip().replace("_", " "),
    }


def _left(number: int) -> str:
    return f"{counted(number, 'step')} not shown: see {transcript.NAME}" if number else ""


def _notes(notes: Sequence[str]) -> list[str]:
    return [note for note in notes if note.partition(":")[0] not in (*_QUIET, _ABOUT, "stop")]


def _step(step: Step, notes: Sequence[str], folder: Path, depth: int) -> Told:
    turn = step.said.turn
    found: Told = {
        "n": step.number,
        "thought": turn.thought,
        "tool": turn.action or ("Conclusion" if turn.conclusion else ""),
        "input": turn.input or turn.conclusion,
        "seen": step.seen.text,
        "status": step.status,
        "marks": _marks(step),
        "notes": _notes(notes),
    }
    if depth and step.sub:
        found["sub"] = _run(folder / step.sub, depth - 1)
    return found


def _marks(step: Step) -> list[str]:
    turn = step.said.turn
    hidden = step.seen.facts.get("how", "") if turn.action else ""  # not of the gate
    marks = [f"answered by {step.tool or 'a hidden tool'}, {hidden}" if hidden else ""]
    marks += [f"mended: {repair}" for repair in turn.repairs]
    marks += [f"unreadable: {turn.problem}" if turn.problem else "", _MARKS.get(step.shown, "")]
    return [mark for mark in marks if mark]
