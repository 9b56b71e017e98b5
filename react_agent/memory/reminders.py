"""Reminders of what earlier steps showed about the files and symbols that a thought names.

A line is chosen only if it holds the name, or if it is in the file of that name and holds other
words of the thought. Definitions, values and errors come before mentions.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from react_agent.memory.index import LINES, Memory, head_of, place_of, without_numbers
from react_agent.memory.search import SETS, Query, failure_below, query_for, weight
from react_agent.memory.words import words
from react_agent.parsers.text.names import is_path, names_in
from react_agent.state.state import State
from react_agent.state.steps import Step
from react_agent.tools.clip import clip_line
from react_agent.tools.registry import Kind

_MOST_NAMES = 6
_LINES_OF_A_NAME = 2
_PASSAGES = 60  # of a name that are looked at
_STEPS_OF_A_FILE = 6
_LONGEST = 160
_BEGINNING = 200  # characters
_OF_KIND = 1.5  # weight of a line's kind, added to its words
_NUMBERED = re.compile(r"\s*(?P<line>\d+)\| ?(?P<text>.*)")
_FOUND = re.compile(r"(?P<path>[\w./@+-]+):(?P<line>\d+):\s?(?P<text>.*)")  # a line of a search
_OURS = re.compile(r"\[.*\]|[\w./-]+ \[.* here\]")  # notes, not what was found
_SHOWN = re.compile(r"(?P<path>\S.*) lines \d+-\d+ of \d+")  # the header above a file's lines


@dataclass(frozen=True, slots=True)
class Line:
    step: int
    place: str
    text: str
    score: float

    @property
    def told(self) -> str:
        return f"step {self.step}, {self.place}: {clip_line(self.text, _LONGEST)}"


def reminded(memory: Memory, state: State, thought: str, most: int) -> list[str]:
    """Return reminders from steps that the prompt does not show and that still hold."""
    if len(state.in_view) == len(state.steps):
        return []
    hidden, written = set(state.in_view), set[str]()
    for step in reversed(state.steps):
        if not step.stands or (step.kind == Kind.READ and written & {*step.paths}):
            hidden.add(step.number)
        elif step.has_written:
            written.update(step.paths)
    shown = "".join(step.text for step in state.steps)
    return reminders(memory, thought, hidden, most, shown)


def reminders(
    memory: Memory, thought: str, hidden: Collection[int], most: int, shown: str = ""
) -> list[str]:
    """Return up to `most` lines from steps that are not hidden: the best of each name first.

    Leave out lines that are in `shown`.
    """
    memory.catch_up()
    names = names_in(thought)[:_MOST_NAMES]
    if not names or most < 1:
        return []
    query = query_for(memory, thought)
    found = [_best(memory, name, hidden, query, shown) for name in names]
    ranks = (lines[rank] for rank in range(_LINES_OF_A_NAME) for lines in found if lines[rank:])
    once = dict[str, Line]()
    for line in ranks:
        once.setdefault(line.text, line)
    return [line.told for line in list(once.values())[:most]]


def _best(
    memory: Memory, name: str, hidden: Collection[int], query: Query, shown: str
) -> list[Line]:
    """Return the best lines for a name. A repeated text comes from its newest step."""
    numbers = _holding(memory, name, hidden)
    lines = list(_with_name(memory, name, numbers, query))
    if is_path(name):
        lines += _of_file(memory, name, numbers, query)
    lines.sort(key=lambda line: (-line.score, -line.step))
    once = dict[str, Line]()
    for line in lines:
        if line.text not in shown and not _OURS.fullmatch(line.text):
            once.setdefault(line.text, line)
    return list(once.values())[:_LINES_OF_A_NAME]


def _holding(memory: Memory, name: str, hidden: Collection[int]) -> list[int]:
    """Return the newest passages that hold all words of the name."""
    every = words(name)
    if not every or not every <= memory.holding.keys():
        return []
    rarest = min(every, key=lambda word: len(memory.holding[word]))
    numbers = reversed(memory.newest(rarest, 10 * _PASSAGES))
    open_ones = (number for number in numbers if place_of(number)[0] not in hidden)
    found = [one for one in open_ones if all(memory.holds(word, one) for word in every)]
    return found[:_PASSAGES]


def _with_name(memory: Memory, name: str, numbers: Sequence[int], query: Query) -> Iterator[Line]:
    whole = re.compile(rf"(?<![\w]){re.escape(name)}(?!\w)", re.IGNORECASE)
    for number in numbers:
        step, first = place_of(number)
        lines = memory.step(step).seen.text.split("\n")
        for at in range(first, min(first + LINES, len(lines))):
            if whole.search(lines[at]):
                line = _line(memory.step(step), lines, at, query)
                if whole.search(line.text) and not _SHOWN.fullmatch(line.text):
                    yield line
                below = failure_below(lines, at)
                if below is not None:
                    yield _line(memory.step(step), lines, below, query)


def _of_file(memory: Memory, name: str, numbers: Sequence[int], query: Query) -> Iterator[Line]:
    """Yield lines of the named file that hold another word of the thought.

    For a value, a definition or an error, a word of the file's name is enough.
    """
    own, bare = query.held(name), name.casefold().strip("./")
    steps = (memory.step(step) for step in dict.fromkeys(place_of(one)[0] for one in numbers))
    speaking = [
        step
        for step in steps
        if bare in f"{head_of(step)}\n{step.seen.text[:_BEGINNING]}".casefold()
    ]
    for step in speaking[:_STEPS_OF_A_FILE]:
        lines = step.seen.text.split("\n")
        for at, line in enumerate(lines):
            text = without_numbers(line)
            held = query.held(text)
            is_telling = bool(held) and weight(text) >= SETS
            if is_telling or held - own:
                found = _line(step, lines, at, query)
                path = found.place.partition(" line ")[0].casefold()
                if f"/{path}".endswith(f"/{bare}") and not _SHOWN.fullmatch(line):
                    yield found


def _line(step: Step, lines: Sequence[str], at: int, query: Query) -> Line:
    """Return a line with its file and line number, or else its line in the observation."""
    text, place = lines[at], f"{step.said.turn.action} line {at + 1}"
    if found := _FOUND.fullmatch(text):
        text, place = found["text"], f"{found['path']} line {found['line']}"
    elif found := _NUMBERED.fullmatch(text):
        above = filter(None, map(_SHOWN.fullmatch, reversed(lines[:at])))
        shown = next(above, None)
        text, line = found["text"], found["line"]
        place = f"{shown['path']} line {line}" if shown else f"line {at + 1} of what it showed"
    score = query.value(query.held(text)) + _OF_KIND * weight(text)
    return Line(step.number, place, text.strip(), score)
