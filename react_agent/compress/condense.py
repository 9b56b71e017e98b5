"""The model is asked for fewer, fuller Thoughts in place of the oldest steps.

What it answers is not trusted: it stands for the steps only where it names nothing that they don't,
and makes the prompt shorter. On any failure the steps stay as they are.
"""

from collections.abc import Iterator, Sequence
from itertools import dropwhile, islice
from typing import NamedTuple

from react_agent.compress.work import Ask, Work
from react_agent.loop.events import CONDENSING
from react_agent.loop.state import State
from react_agent.loop.steps import CONDENSED, GONE, Shown, Step
from react_agent.models.contract import View
from react_agent.parsers.answers import condensed
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.gist import headline, one_line
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.labels import DEFAULT, Label
from react_agent.parsers.transcript.quoting import escape
from react_agent.parsers.turn.turn import Kind

SYSTEM = """\
You shorten the notes of a run: an agent works on a repository, step by step, and its notes have
become too long. You are given its oldest steps. Write fewer and fuller notes that stand for them.

Rules:
- Sum up a step, or merge several that belong together into one note: most notes stand for 3 to 8
  steps. Each step belongs to one note at most, and the notes keep the order of the steps.
- Be specific about what happened and what was learned: what was found and where, what was changed,
  what failed and why, what is still to do.
- Keep the names of files and symbols, numbers and error texts exactly as they are: they are the
  words by which the steps are found again. Name nothing that the steps do not name.
- Each note is one paragraph of plain text, shorter than the steps it stands for.

Answer with the notes alone, each like this:

Steps 3-7: what happened in these steps, and what was learned.

"""
_TAIL = "\nThe notes:\n"
_NEWEST = 4  # they stay
_FEWEST = 3  # steps: fewer are not worth a call
_FEWEST_OF_A_CHUNK = 2
_CHUNKS = 4
_SAVED = 0.6  # of what steps weigh, about
_SHARE = 2 / 3  # of the room is for what is asked, the rest for the answer
_OBJECTIVE, _THOUGHT, _LINE = 600, 1200, 160  # characters
_VAIN = 3  # in a row: then it is not asked again
_WAIT = 10  # steps
_THOUGHT_LABEL = DEFAULT.write(Label.THOUGHT)


class Part(NamedTuple):
    """A step as it is shown, with those before it that it stands for."""

    first: int
    step: Step

    @property
    def last(self) -> int:
        return self.step.number

    @property
    def name(self) -> str:
        return f"{self.first}-{self.last}" if self.first < self.last else str(self.last)


def condense(work: Work) -> None:
    parts = _oldest(work)
    if work.ask is None or len(parts) < _FEWEST or not _may_ask(work.state):
        return
    chunks = (chunk for chunk in _chunks(parts, work) if len(chunk) >= _FEWEST_OF_A_CHUNK)
    for chunk in islice(chunks, _CHUNKS):
        if problem := _condensed(chunk, work, work.ask):
            steps = f"steps {chunk[0].first}-{chunk[-1].last}"
            work.events.append(Event("note", f"{steps} could not be condensed: {problem}"))
            break


def _may_ask(state: State) -> bool:
    is_over = len(state.steps) - state.asked_at >= _WAIT
    return not state.asked_in_vain or (state.asked_in_vain < _VAIN and is_over)


def _oldest(work: Work) -> list[Part]:
    """As many as it takes, about, to come down."""
    chosen, goal = list[Part](), work.tokens - work.low
    for part in _not_yet(list(_parts(work.steps[:-_NEWEST]))):
        if goal <= 0 and len(chosen) >= _FEWEST:
            break
        chosen.append(part)
        goal -= round(part.step.tokens * _SAVED)
    return chosen


def _not_yet(parts: list[Part]) -> list[Part]:
    """Without what was condensed already, until that is the most of it: each time, more is lost."""
    fresh = list(dropwhile(lambda part: part.step.shown is Shown.CONDENSED, parts))
    weight, of_fresh = (sum(part.step.tokens for part in some) for some in (parts, fresh))
    return fresh if 2 * of_fresh > weight else parts


def _parts(steps: Sequence[Step]) -> Iterator[Part]:
    """What could not be read has not all labels: a step behind it has to stand for it."""
    first = 0
    for step in steps:
        if step.shown in GONE:
            first = 0
            continue
        first = first or step.number
        if step.shown is not Shown.MERGED and step.said.turn.kind is Kind.ACTION:
            yield Part(first, step)
            first = 0


def _chunks(parts: Sequence[Part], work: Work) -> Iterator[list[Part]]:
    """Each as long as what is asked leaves room for the answer."""
    room, begun = _room(work), list[Part]()
    left = room
    for part in parts:
        weight = work.weight(_told(part))
        if begun and weight > left:
            yield begun
            begun, left = [], room
        begun.append(part)
        left -= weight
    yield begun


def _room(work: Work) -> int:
    """For the steps of a chunk."""
    return round(work.limit * _SHARE) - work.weight(_view((), work).text)


def _condensed(chunk: Sequence[Part], work: Work, ask: Ask) -> str:
    """Why it could not be done."""
    view, before = _view(chunk, work), work.tokens
    answer, problem = ask(view, work.limit - work.weight(view.text), CONDENSING)
    if problem:
        return problem
    firsts, lasts = {part.first for part in chunk}, {part.last for part in chunk}
    source = _source(chunk, view, work)
    for entry in condensed.read_condensed(answer, chunk[0].first, chunk[-1].last):
        kept = entry._replace(text=condensed.without_invented(entry.text, source))
        written = condensed.write_condensed([kept])
        is_read_again = [kept] == condensed.read_condensed(written, kept.first, kept.last)
        if is_read_again and entry.first in firsts and entry.last in lasts:
            work.take(CONDENSED, range(kept.first, kept.last + 1), kept.text, stage="condense")
    return "" if work.tokens < before else "nothing of the answer could be used"


def _view(chunk: Sequence[Part], work: Work) -> View:
    objective = _one_line(work.state.objective or "", _OBJECTIVE)
    steps = "\n".join(map(_told, chunk))
    return View(SYSTEM, f"The agent was asked: {objective}\n\nIts steps:\n\n{steps}", (), _TAIL)


def _told(part: Part) -> str:
    """No line of it begins with a label, or holds what can't be seen or sent."""
    step, turn = part.step, part.step.said.turn
    thought = turn.thought
    if step.shown is Shown.CONDENSED:
        thought = step.text.partition("\n")[0].removeprefix(_THOUGHT_LABEL)
        thought = thought.strip().removeprefix(f"[steps {part.name}] ")
    size = counted(step.seen.text.count("\n") + 1, "line")
    steps = "Steps" if part.first < part.last else "Step"
    return (
        f"{steps} {part.name}: {_one_line(thought, _THOUGHT)}\n"
        f"  did: {turn.action} {_first_line(turn.input)}\n"
        f"  came: {step.status.value}, {size}: {_first_line(step.seen.text)}\n"
    )


def _first_line(text: str) -> str:
    return escape(headline(text, _LINE))


def _one_line(text: str, most: int) -> str:
    return escape(headline(one_line(text), most))


def _source(chunk: Sequence[Part], view: View, work: Work) -> condensed.Source:
    """All that a summary of these steps can have its names from."""
    steps = work.steps[chunk[0].first - 1 : chunk[-1].last]
    turns = (f"{s.said.turn.thought}\n{s.said.turn.action}\n{s.said.turn.input}" for s in steps)
    seen = (f"{s.seen.text}\n{' '.join(s.paths)}" for s in steps)
    return condensed.Source("\n".join((view.task, work.state.objective or "", *turns, *seen)))
