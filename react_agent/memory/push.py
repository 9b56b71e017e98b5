"""What a run remembers, unasked, of the files and symbols that a Thought names.

A line is brought only if it holds the name, or stands in the file of that name and says something
about the rest of the Thought; definitions, values and errors before mentions.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from react_agent.loop.steps import Step
from react_agent.loop.transcript import Transcript
from react_agent.memory.passages import LINES, MOST, Kept, Part, spot
from react_agent.memory.ranking import SETS, Judge, failure_below, read_query, weight, worth
from react_agent.memory.store import Memory
from react_agent.memory.terms import as_term, without_number
from react_agent.parsers.text.names import is_path, names_in
from react_agent.tools.clip import clip_line
from react_agent.tools.registry import Kind

_MOST_NAMES = 6
_LINES_OF_A_NAME = 2
_PASSAGES = 60  # of a name that are looked at
_STEPS_OF_A_FILE = 6
_LONGEST = 160
_BEGINNING = 200  # characters
_OF_KIND = 1.5  # beside what a line holds of the Thought
_ENOUGH = 0.2  # how much of the Thought a line of a named file must hold
_USUAL = 8  # passages of a step
_NUMBERED = re.compile(r"\s*(?P<line>\d+)\| ?(?P<text>.*)")
_FOUND = re.compile(r"(?P<path>[\w./@+-]+):(?P<line>\d+):\s?(?P<text>.*)")  # by a search
_OURS = re.compile(r"\[.*\]|[\w./-]+ \[.* here\]")  # notes, not what was found
_SHOWN = re.compile(r"(?P<path>\S.*) lines \d+-\d+ of \d+")  # above the lines of a file


@dataclass(frozen=True, slots=True)
class Line:
    step: int
    place: str
    text: str
    score: float

    @property
    def told(self) -> str:
        return f"step {self.step}, {self.place}: {clip_line(self.text, _LONGEST)}"


def reminders(
    memory: Memory,
    thought: str,
    hidden: Collection[int],
    now: int,
    most_lines: int,
    shown: str = "",
) -> list[str]:
    """At most so many lines, of steps that are not hidden: the first name's best, and so on.

    None of them stands in what is shown anyway.
    """
    memory.catch_up()
    names = names_in(thought)[:_MOST_NAMES]
    if not names or most_lines < 1:
        return []
    asked = read_query(thought, memory.terms)
    counts = {term: len(memory.holding(term, _USUAL * 100)) for term in asked.terms}
    judge = Judge(asked, worth(asked, counts, _USUAL * max(memory.stored, 1)), memory.terms, now)
    found = [_best(memory, name, hidden, judge, shown) for name in names]
    order = sorted(
        ((rank, at, line) for at, lines in enumerate(found) for rank, line in enumerate(lines)),
        key=lambda one: one[:2],
    )
    texts: dict[str, Line] = {}
    for _, _, line in order:
        texts.setdefault(line.text, line)
    return [line.told for line in list(texts.values())[:most_lines]]


def _best(
    memory: Memory, name: str, hidden: Collection[int], judge: Judge, shown: str
) -> list[Line]:
    """Of a text that was seen several times, where it was seen last."""
    lines = list(_holding(memory, name, hidden, judge))
    if is_path(name):
        lines += _of_file(memory, name, hidden, judge)
    lines.sort(key=lambda line: (-line.score, -line.step))
    once: dict[str, Line] = {}
    for line in lines:
        if line.text not in shown and not _OURS.fullmatch(line.text):
            once.setdefault(line.text, line)
    return list(once.values())[:_LINES_OF_A_NAME]


def _holding(memory: Memory, name: str, hidden: Collection[int], judge: Judge) -> Iterator[Line]:
    whole = re.compile(rf"(?<![\w]){re.escape(name)}(?!\w)", re.IGNORECASE)
    for number in memory.holding(as_term(name.strip("./")), _PASSAGES):
        place = spot(number)
        if place.step in hidden or place.part is not Part.SEEN:
            continue
        step = memory.step(place.step)
        lines = step.seen.split("\n") if step else []
        for at in range(place.first, min(place.first + LINES, len(lines))):
            if step and whole.search(lines[at]):
                line = _line(step, lines, at, judge)
                if whole.search(line.text) and not _SHOWN.fullmatch(line.text):
                    yield line
                below = failure_below(lines, at)
                if below is not None:
                    yield _line(step, lines, below, judge)


def _of_file(memory: Memory, name: str, hidden: Collection[int], judge: Judge) -> Iterator[Line]:
    """Lines of the file itself, that hold something else of the Thought."""
    own = judge.held(name)
    for step in _reading(memory, name, hidden):
        lines = step.seen.split("\n")
        for at, line in enumerate(lines):
            if _tells(judge.held(without_number(line)), own, line, judge):
                found = _line(step, lines, at, judge)
                if _is_of(found.place, name) and not _SHOWN.fullmatch(line):
                    yield found


def _tells(held: int, own: int, line: str, judge: Judge) -> bool:
    """Of a value or a definition, a word is enough, be it one of the file's name."""
    if held and weight(without_number(line)) >= SETS:
        return True
    return judge.worth.of(held & ~own) > _ENOUGH * _rest(judge, own)


def _rest(judge: Judge, own: int) -> float:
    return max(judge.worth.all - judge.worth.of(own), 1.0)


def _reading(memory: Memory, name: str, hidden: Collection[int]) -> list[Kept]:
    """Steps that speak of it in their call or at their beginning: the newest first."""
    folded = name.casefold().strip("./")
    numbers = memory.holding(as_term(folded), _PASSAGES)
    others = (number // MOST for number in numbers if number // MOST not in hidden)
    steps = (memory.step(number) for number in dict.fromkeys(others))
    return [step for step in steps if step and folded in _beginning(step)][:_STEPS_OF_A_FILE]


def _beginning(step: Kept) -> str:
    return f"{step.head}\n{step.seen[:_BEGINNING]}".casefold()


def _is_of(place: str, name: str) -> bool:
    path = place.partition(" line ")[0].casefold()
    bare = name.casefold().removeprefix("./")
    return path == bare or path.endswith(f"/{bare}")


def _line(step: Kept, lines: Sequence[str], at: int, judge: Judge) -> Line:
    place, text = _placed(step, lines, at)
    held = judge.held(text)
    share = judge.worth.of(held) / judge.worth.all
    return Line(step.number, place, text.strip(), share + _OF_KIND * weight(text))


def _placed(step: Kept, lines: Sequence[str], at: int) -> tuple[str, str]:
    """The file and the line of it, where they are told; else the line of what was seen."""
    if found := _FOUND.fullmatch(lines[at]):
        return f"{found['path']} line {found['line']}", found["text"]
    if found := _NUMBERED.fullmatch(lines[at]):
        for above in reversed(lines[:at]):
            if shown := _SHOWN.fullmatch(above):
                return f"{shown['path']} line {found['line']}", found["text"]
        return f"line {at + 1} of what it showed", found["text"]
    return f"{step.action} line {at + 1}", lines[at]


def reminded(memory: Memory, transcript: Transcript, thought: str, most: int) -> list[str]:
    """Of what the prompt does not show, and what still holds."""
    state = transcript.state
    if len(state.in_view) == len(state.steps):
        return []
    taken_back = frozenset(step.number for step in state.steps if not step.stands)
    hidden = state.in_view | taken_back | _changed_since(state.standing)
    shown = "".join(step.text for step in state.steps)
    return reminders(memory, thought, hidden, len(state.steps) + 1, most, shown)


def _changed_since(steps: Sequence[Step]) -> frozenset[int]:
    """Steps that read a file which a later one wrote."""
    written, found = set[str](), list[int]()
    for step in reversed(steps):
        if step.kind == Kind.READ and written & {*step.paths}:
            found.append(step.number)
        if step.has_written:
            written.update(step.paths)
    return frozenset(found)
