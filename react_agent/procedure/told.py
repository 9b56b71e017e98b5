"""A procedure as one run: all steps of its turns, and a line for each turn."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from react_agent.errors import TranscriptError
from react_agent.loop import transcript as transcripts
from react_agent.loop.spent import whole_number
from react_agent.loop.state import State, fold
from react_agent.loop.steps import Step
from react_agent.loop.sub_transcript import next_sub
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.gist import headline
from react_agent.parsers.transcript.entries import Entry, Event, Seen
from react_agent.parsers.transcript.facts import read_facts
from react_agent.procedure.course import ENTERED, JUDGED, Course
from react_agent.runs.run_folder import RunFolder

_GIST = 90  # characters of what was said


def as_one_run(folder: RunFolder, state: State) -> State:
    """Its state, with the steps of all turns in place of the turns, and what an open one cost."""
    if not _has_turns(state):
        return state
    turns = [_turn(folder.path / step.seen.facts["sub"]) for step in _turns(state)]
    now = _turn(folder.path / next_sub(state)) if _is_open(state) else State()
    steps = [step for turn in (*turns, now) for step in turn.steps]
    return replace(
        state,
        steps=[replace(step, number=number) for number, step in enumerate(steps, 1)],
        spent=state.spent + now.spent,
        wrote=state.wrote | now.wrote,
        compressed={*range(sum(len(turn.compressed) for turn in (*turns, now)))},
        taken=sum(turn.taken for turn in (*turns, now)),
    )


def _has_turns(state: State) -> bool:
    return "seed" in state.header


def _turns(state: State) -> Iterator[Step]:
    return (step for step in state.steps if "sub" in step.seen.facts)


def _is_open(state: State) -> bool:
    return state.pending is not None and not state.conclusion


def _turn(folder: Path) -> State:
    try:
        return fold(transcripts.read(folder / transcripts.NAME).entries)
    except TranscriptError:
        return State()


def turn_lines(folder: RunFolder, state: State) -> tuple[str, ...]:
    """`2 change, author: 5 steps, concluded, 1,234 + 56 tokens; then verify: what was said`"""
    if not _has_turns(state):
        return ()
    return tuple(_lines(transcripts.read(folder.transcript).entries))


def _lines(entries: Sequence[Entry]) -> Iterator[str]:
    course, said = Course(), ""
    for entry in entries:
        if isinstance(entry, Event) and entry.name == JUDGED and said:
            yield f"{said} -> {read_facts(entry.text).get('to', '')} ({_why(entry)})"
            said = ""
        if isinstance(entry, Seen) and "sub" in entry.facts and course.pending:
            if said:
                yield said
            said = _line(course, entry)
        if isinstance(entry, Event) and entry.name == ENTERED and said:
            yield said
            said = ""
        course.take(entry)
    if said:
        yield said


def _line(course: Course, seen: Seen) -> str:
    facts = seen.facts
    steps = counted(whole_number(facts.get("steps")), "step")
    tokens = f"{whole_number(facts.get('in')):,} + {whole_number(facts.get('out')):,} tokens"
    return (
        f"{facts.get('n', '')} {course.phase}, {course.pending}: {facts.get('ended', '')} after "
        f"{steps}, {tokens}: {headline(seen.text, _GIST)}"
    )


def _why(event: Event) -> str:
    by = read_facts(event.text).get("by", "")
    return _WHY.get(by, by)


_WHY = {
    "only": "the only way",
    "turns": "its turns are used up",
    "judge": "by the judge",
    "unreadable": "the judge could not be read",
}
