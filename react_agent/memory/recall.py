"""What `recall` answers: the best passages for words, or a step by its number."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from react_agent.loop.state import State
from react_agent.loop.steps import Step
from react_agent.memory.meaning import Meaning
from react_agent.memory.passages import Part
from react_agent.memory.ranking import Found
from react_agent.memory.search import Hits, search
from react_agent.memory.store import Memory
from react_agent.memory.terms import NUMBERED, without_number
from react_agent.parsers.values.recall import Place, RecallRequest
from react_agent.tools.clip import clip_line, counted
from react_agent.tools.context import Context
from react_agent.tools.observation import Observation, Status, failed, joined, room_for, shares

_TOLD, _NOTES = 60, 120  # of what is said about lines, and of what stands around them
_CALL = 120  # characters of a call
_LINE = 200  # of a line among results
_THOUGHT = 400
_MOST_STEPS = 6  # that are named in a sentence


@dataclass(frozen=True, slots=True)
class Looked:
    """What a run looks back with: its steps, and which of them stand whole in its prompt."""

    state: State
    above: frozenset[int]
    context: Context
    meaning: Meaning | None = None

    @property
    def now(self) -> int:
        return len(self.state.steps) + 1

    @property
    def there(self) -> str:
        last = len(self.state.steps)
        return "there is only step 1" if last == 1 else f"there are steps 1 to {last}"

    def step(self, number: int) -> Step | None:
        return self.state.steps[number - 1] if 0 < number < self.now else None


def recalled(
    memory: Memory,
    meaning: Meaning | None,
    state_of: Callable[[], State],
    request: RecallRequest,
    context: Context,
) -> Observation:
    state = state_of()
    answer = _recalled(memory, Looked(state, state.in_view, context, meaning), request)
    return replace(answer, facts=meaning.charged()) if meaning else answer


def _recalled(memory: Memory, looked: Looked, request: RecallRequest) -> Observation:
    if not looked.state.steps:
        return failed("there is nothing to find again yet: no step has been made")
    if not request.places:
        return _words(memory, looked, request.query)
    answer = _steps(looked, request.places)
    if answer.status is not Status.FAILED or len(request.places) > 1:
        return answer
    return _as_word(memory, looked, request.places[0], answer)


def _as_word(memory: Memory, looked: Looked, place: Place, missing: Observation) -> Observation:
    """A number that is no step's may be one that a step showed."""
    found = _words(memory, looked, str(place.step)) if place.lines is None else missing
    if found.status is not Status.OK:
        return missing
    return replace(found, text=f"{missing.text}; looked for as a word:\n{found.text}")


def _words(memory: Memory, looked: Looked, query: str) -> Observation:
    hits = search(memory, query, looked.above, looked.now, meaning=looked.meaning)
    if not hits.found:
        return Observation(_nothing(hits, looked), Status.EMPTY)
    texts = [_result(found, looked) for found in hits.found]
    last = _how(hits.found[0])
    if hits.nowhere:
        last = f"{last}; words that are nowhere: {', '.join(hits.nowhere)}"
    room, kept = looked.context.limits.output_chars - len(last) - 4, list[str]()
    for text in texts:
        room -= len(text) + 1
        if kept and room < 0:
            break
        kept.append(text)
    return Observation("\n".join((*kept, f"[{last}]")))


def _nothing(hits: Hits, looked: Looked) -> str:
    if hits.above:
        return f"what holds these words stands above already: {_named(hits.above)}"
    words = f"; words that are nowhere: {', '.join(hits.nowhere)}" if hits.nowhere else ""
    return f"no step before holds any of it: {looked.there}{words}"


def _named(numbers: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, numbers[-_MOST_STEPS:]))
    more = f" and {len(numbers) - _MOST_STEPS} others" if len(numbers) > _MOST_STEPS else ""
    return f"{'step' if len(numbers) == 1 else 'steps'} {shown}{more}"


def _how(best: Found) -> str:
    lines = [number for number, _ in best.lines]
    start = max(lines[0] - 10, 1) if best.part is Part.SEEN else 1
    return (
        f"all that a step showed: write its number, {best.step}; "
        f"some lines of it: {best.step}:{start}-{start + 40}"
    )


def _result(found: Found, looked: Looked) -> str:
    step = looked.state.steps[found.step - 1]
    if found.part is Part.HEAD:
        lines = [f"  {_thought(step)}"]
    else:
        shown = (one for one in found.lines if without_number(one[1]).strip())
        lines = [_numbered(number, text, found.part) for number, text in shown]
    return "\n".join((_head(step, looked), *lines))


def _numbered(number: int, text: str, part: Part) -> str:
    """The line of a file has a number of its own, and needs no other."""
    clipped = clip_line(text, _LINE)
    if part is Part.SEEN and NUMBERED.match(text):
        return f"  {clipped}"
    where = "" if part is Part.SEEN else "input "
    return f"  {where}line {number}: {clipped}"


def _head(step: Step, looked: Looked) -> str:
    """Which step, how long ago, what was called, and whether it still holds."""
    return f"step {step.number}, {_ago(step, looked)}{_since(step, looked)}: {_call(step)}"


def _since(step: Step, looked: Looked) -> str:
    """Where a file that it showed was changed later, or the step was taken back."""
    if not step.stands:
        return ", taken back since"
    later = looked.state.steps[step.number :]
    changed = [
        one.number
        for one in later
        if one.stands and one.has_written and {*one.paths} & {*step.paths}
    ]
    return f", changed since in step {changed[-1]}" if changed else ""


def _ago(step: Step, looked: Looked) -> str:
    ago = looked.now - step.number
    return "the last one" if ago == 1 else f"{ago} steps ago"


def _call(step: Step) -> str:
    turn = step.said.turn
    first, _, more = turn.input.partition("\n")
    call = f"{turn.action} {first}".strip() or "no action"
    return clip_line(f"{call} ..." if more else call, _CALL)


def _steps(looked: Looked, places: tuple[Place, ...]) -> Observation:
    limit = looked.context.limits.output_chars
    room = room_for(len(places), limit)
    wholes = [_shown(place, looked, room) for place in places]
    rooms = shares([len(whole.text) for whole in wholes], room)
    return joined(
        [
            whole if len(whole.text) <= share else _shown(place, looked, share)
            for place, whole, share in zip(places, wholes, rooms, strict=True)
        ]
    )


def _shown(place: Place, looked: Looked, room: int) -> Observation:
    step = looked.step(place.step)
    if step is None:
        return failed(f"there is no step {place.step}: {looked.there}")
    if place.lines is None and step.number in looked.above:
        return Observation(f"step {step.number} stands above, whole: {_call(step)}", Status.EMPTY)
    lines = step.seen.text.split("\n")
    first = place.lines.start if place.lines else 1
    if first > len(lines):
        told = f"step {step.number} showed {counted(len(lines), 'line')}: there is no line {first}"
        return failed(told)
    head = "\n".join((_head(step, looked), _thought(step)))
    last = min((place.lines and place.lines.end) or len(lines), len(lines))
    most = looked.context.limits.line_chars
    clipped = [clip_line(line, most) for line in lines[first - 1 : last]]
    left = room - len(head) - _TOLD
    shown = _fitting(clipped, left)
    if first > 1 or len(shown) < len(lines):
        shown = _fitting(clipped, left - _NOTES)
    end = first + len(shown) - 1
    notes = _notes(step.number, first, end, len(lines))
    told = f"lines {first} to {end} of the {len(lines)} that it showed:"
    if (first, end) == (1, len(lines)):
        told = "it showed:" if step.seen.text else "it showed nothing"
    return Observation("\n".join((head, told, *shown, *notes)))


def _thought(step: Step) -> str:
    """In one line, that can't be taken for the label."""
    words = " ".join(step.said.turn.thought.split())
    return f"it was thought: {clip_line(words, _THOUGHT)}"


def _fitting(lines: list[str], room: int) -> list[str]:
    shown = list[str]()
    for line in lines:
        room -= len(line) + 1
        if shown and room < 0:
            break
        shown.append(line)
    return shown


def _notes(step: int, first: int, end: int, lines: int) -> Iterator[str]:
    if first > 1:
        yield f"[{counted(first - 1, 'line')} above: {step}:1-{first - 1}]"
    if end < lines:
        yield f"[{counted(lines - end, 'line')} below: {step}:{end + 1}-{lines}]"
