"""The results of the tool `recall`, and the reminders that are added to prompts automatically.

The tool `recall` returns the best passages for a query, or a step by its number. Reminders are
lines from earlier steps about the files and symbols mentioned in a thought. A line is chosen only
if it contains the name, or if it is in the file of that name and contains other words of the
thought. Definitions, values and errors are ranked above mere mentions.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from react_agent.memory.embeddings import Embeddings
from react_agent.memory.index import LINES, Memory, place_of, without_numbers, words
from react_agent.memory.search import SETS, Found, Query, failure_below, query_for, search, weight
from react_agent.parsers.text.names import is_path, names_in
from react_agent.parsers.transcript.facts import write_numbers
from react_agent.parsers.values.arguments import Span
from react_agent.parsers.values.targets import RecallRequest
from react_agent.state.state import State
from react_agent.state.steps import Step
from react_agent.tools.clip import clip_line, counted
from react_agent.tools.context import Context
from react_agent.tools.observation import Observation, Status, failed
from react_agent.tools.registry import Kind

_NOTES = 180  # characters of the lines around what is shown
_CALL = 120  # characters of a call
_LINE = 200  # characters of a line in the results
_THOUGHT = 400


def recalled(
    memory: Memory,
    embeddings: Embeddings | None,
    state: State,
    request: RecallRequest,
    context: Context,
) -> Observation:
    if not state.steps:
        return failed("there is nothing to recall yet: no earlier step exists")
    if request.step is None:
        return _by_words(memory, embeddings, state, request.query, context)
    return _by_number(state, request.step, request.lines, context)


def _by_words(
    memory: Memory, embeddings: Embeddings | None, state: State, query: str, context: Context
) -> Observation:
    hits = search(memory, query, state.in_view, embeddings=embeddings)
    charged = embeddings.charged() if embeddings else {}
    nowhere = f"; not found in any step: {', '.join(hits.nowhere)}" if hits.nowhere else ""
    if not hits.found:
        text = f"no earlier step contains any of these words: {_there(state)}{nowhere}"
        if hits.above:
            above = write_numbers(hits.above)
            text = f"only steps that are still shown above contain these words: {above}"
        return Observation(text, Status.EMPTY, facts=charged)
    best = hits.found[0]
    showed = state.steps[best.step - 1].seen.text.count("\n") + 1  # the lines of its input follow
    start = max(min(best.lines[0][0], showed) - 10, 1)
    last = (
        f"[to see all that a step showed, write its number: {best.step}; "
        f"for some of its lines: {best.step}:{start}-{start + 40}{nowhere}]"
    )
    texts = [_result(found, state) for found in hits.found]
    shown = _fitting(texts, context.limits.output_chars - len(last) - 2)
    return Observation("\n".join((*shown, last)), facts=charged)


def _there(state: State) -> str:
    last = len(state.steps)
    return "there is only step 1" if last == 1 else f"there are steps 1 to {last}"


def _result(found: Found, state: State) -> str:
    """Format a search result. Line numbers are added to lines that don't already show one."""
    step = state.steps[found.step - 1]
    showed, lines = step.seen.text.count("\n") + 1, list[str]()
    for number, text in found.lines:
        clipped, bare = clip_line(text, _LINE), without_numbers(text)
        where = f"line {number}: " if number <= showed else f"input line {number - showed}: "
        if bare.strip():
            lines.append(f"  {clipped}" if bare != text else f"  {where}{clipped}")
    return "\n".join((_head(step, state), *(lines or [f"  {_thought(step)}"])))


def _head(step: Step, state: State) -> str:
    """Return a step's number, age and call, and whether it was undone or its files changed."""
    ago = len(state.steps) + 1 - step.number
    since = "" if step.stands else ", taken back since"
    for later in state.steps[step.number :]:
        if step.stands and later.stands and later.has_written and {*later.paths} & {*step.paths}:
            since = f", changed since in step {later.number}"
    when = "the last one" if ago == 1 else f"{ago} steps ago"
    return f"step {step.number}, {when}{since}: {_call(step)}"


def _call(step: Step) -> str:
    turn = step.said.turn
    first, _, more = turn.input.partition("\n")
    call = f"{turn.action} {first}".strip() or "no action"
    return clip_line(f"{call} ..." if more else call, _CALL)


def _thought(step: Step) -> str:
    """Return the step's thought in one line that can't be mistaken for a label."""
    return f"your thought then was: {clip_line(' '.join(step.said.turn.thought.split()), _THOUGHT)}"


def _by_number(state: State, number: int, span: Span | None, context: Context) -> Observation:
    if not 0 < number <= len(state.steps):
        return failed(f"there is no step {number}: {_there(state)}")
    step = state.steps[number - 1]
    if span is None and number in state.in_view:
        return Observation(
            f"step {number} is still shown above in full: {_call(step)}", Status.EMPTY
        )
    lines = step.seen.text.split("\n")
    first = span.start if span else 1
    if first > len(lines):
        showed = counted(len(lines), "line")
        return failed(f"step {number} showed {showed}: there is no line {first}")
    head = "\n".join((_head(step, state), _thought(step)))
    most = context.limits.line_chars
    asked_for = [
        clip_line(line, most) for line in lines[first - 1 : (span and span.end) or len(lines)]
    ]
    shown = _fitting(asked_for, context.limits.output_chars - len(head) - _NOTES)
    end = first + len(shown) - 1
    told = f"lines {first} to {end} of the {len(lines)} that it showed:"
    if (first, end) == (1, len(lines)):
        told = "it showed:" if step.seen.text else "it showed nothing"
    return Observation("\n".join((head, told, *shown, *_notes(number, first, end, lines))))


def _fitting(texts: Sequence[str], room: int) -> list[str]:
    """Return as many of the first texts as fit into `room` characters, but at least one."""
    kept = list[str]()
    for text in texts:
        room -= len(text) + 1
        if kept and room < 0:
            break
        kept.append(text)
    return kept


def _notes(step: int, first: int, end: int, lines: Sequence[str]) -> Iterator[str]:
    if first > 1:
        yield f"[{counted(first - 1, 'line')} above: {step}:1-{first - 1}]"
    if end < len(lines):
        yield f"[{counted(len(lines) - end, 'line')} below: {step}:{end + 1}-{len(lines)}]"


_MOST_NAMES = 6
_LINES_OF_A_NAME = 2
_PASSAGES = 60  # of a name that are looked at
_LONGEST = 160
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
    """Return reminders from steps that are still valid but no longer shown in the prompt."""
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
    """Return up to `most` lines from steps that are not hidden, the best line per name first.

    Lines that occur in `shown` are skipped.
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
    """Return the best lines for a name. For equal lines, the newest step is used."""
    numbers = _holding(memory, name, hidden)
    lines = sorted(
        _lines_about(memory, name, numbers, query), key=lambda line: (-line.score, -line.step)
    )
    once = dict[str, Line]()
    for line in lines:
        if len(once) == _LINES_OF_A_NAME:  # `shown` is long
            break
        if line.text not in shown and not _OURS.fullmatch(line.text):
            once.setdefault(line.text, line)
    return list(once.values())


def _holding(memory: Memory, name: str, hidden: Collection[int]) -> list[int]:
    """Return the newest passages that contain all words of the name."""
    every = words(name)
    if not every or not every <= memory.holding.keys():
        return []
    rarest = min(every, key=lambda word: len(memory.holding[word]))
    numbers = reversed(memory.newest(rarest, 10 * _PASSAGES))
    open_ones = (number for number in numbers if place_of(number)[0] not in hidden)
    found = [one for one in open_ones if all(memory.holds(word, one) for word in every)]
    return found[:_PASSAGES]


def _lines_about(memory: Memory, name: str, numbers: Sequence[int], query: Query) -> Iterator[Line]:
    """Yield the lines that have the name, and the errors below them.

    In the file of that name, a line only has to contain another word of the thought. A value, a
    definition or an error only has to contain a word of the file's name.
    """
    whole = re.compile(rf"(?<![\w]){re.escape(name)}(?!\w)", re.IGNORECASE)
    own, bare, is_file = query.held(name), name.casefold().strip("./"), is_path(name)
    for number in numbers:
        at_step, first = place_of(number)
        step = memory.step(at_step)
        lines = step.seen.text.split("\n")
        for at in range(first, min(first + LINES, len(lines))):
            has_name, text = bool(whole.search(lines[at])), without_numbers(lines[at])
            held = query.held(text) if is_file else set[str]()
            is_telling = bool(held) and weight(text) >= SETS
            if (has_name or is_telling or held - own) and not _SHOWN.fullmatch(text):
                line = _line(step, lines, at, query)
                path = line.place.partition(" line ")[0].casefold()
                if whole.search(line.text) or f"/{path}".endswith(f"/{bare}"):
                    yield line
            if has_name and (below := failure_below(lines, at)) is not None:
                yield _line(step, lines, below, query)


def _line(step: Step, lines: Sequence[str], at: int, query: Query) -> Line:
    """Return a line with its file and line number, or else its line number in the observation."""
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
