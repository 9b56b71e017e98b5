"""The answers of `recall`: the best passages for a query, or a step by its number."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from react_agent.memory.embeddings import Embeddings
from react_agent.memory.index import Memory, without_numbers
from react_agent.memory.search import Found, search
from react_agent.parsers.values.recall import Place, RecallRequest
from react_agent.state.state import State
from react_agent.state.steps import Step
from react_agent.tools.clip import clip_line, counted
from react_agent.tools.context import Context
from react_agent.tools.observation import Observation, Status, failed, joined, room_for, shares

_TOLD, _NOTES = 60, 120  # characters of the line about lines, and of the notes around them
_CALL = 120  # characters of a call
_LINE = 200  # characters of a line in the results
_THOUGHT = 400
_MOST_STEPS = 6  # that are named in a sentence


def recalled(
    memory: Memory,
    embeddings: Embeddings | None,
    state: State,
    request: RecallRequest,
    context: Context,
) -> Observation:
    if not state.steps:
        return failed("there is nothing to recall yet: no earlier step exists")
    if not request.places:
        return _by_words(memory, embeddings, state, request.query, context)
    answer = _by_numbers(state, request.places, context)
    [place, *others] = request.places
    if answer.status is not Status.FAILED or others or place.lines is not None:
        return answer
    # A number of no step may be a word in an observation.
    found = _by_words(memory, embeddings, state, str(place.step), context)
    if found.status is not Status.OK:
        return replace(answer, facts=found.facts)
    return replace(found, text=f"{answer.text}; searched for it as a word:\n{found.text}")


def _by_words(
    memory: Memory, embeddings: Embeddings | None, state: State, query: str, context: Context
) -> Observation:
    above = state.in_view
    hits = search(memory, query, above, len(state.steps) + 1, embeddings=embeddings)
    charged = embeddings.charged() if embeddings else {}
    nowhere = f"; not found in any step: {', '.join(hits.nowhere)}" if hits.nowhere else ""
    if not hits.found and hits.above:
        text = f"only steps that are still shown above contain these words: {_named(hits.above)}"
        return Observation(text, Status.EMPTY, facts=charged)
    if not hits.found:
        text = f"no earlier step contains any of these words: {_there(state)}{nowhere}"
        return Observation(text, Status.EMPTY, facts=charged)
    best = hits.found[0]
    start = max(best.lines[0][0] - 10, 1) if best.lines else 1
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


def _named(numbers: Sequence[int]) -> str:
    shown = ", ".join(map(str, numbers[-_MOST_STEPS:]))
    more = f" and {len(numbers) - _MOST_STEPS} others" if len(numbers) > _MOST_STEPS else ""
    return f"{'step' if len(numbers) == 1 else 'steps'} {shown}{more}"


def _result(found: Found, state: State) -> str:
    """Return the lines of a result. Only a line without a file's line number gets one."""
    step = state.steps[found.step - 1]
    showed, lines = step.seen.text.count("\n") + 1, list[str]()
    for number, text in found.lines:
        clipped, bare = clip_line(text, _LINE), without_numbers(text)
        where = f"line {number}: " if number <= showed else f"input line {number - showed}: "
        if bare.strip():
            lines.append(f"  {clipped}" if bare != text else f"  {where}{clipped}")
    return "\n".join((_head(step, state), *(lines or [f"  {_thought(step)}"])))


def _head(step: Step, state: State) -> str:
    """Return the number, age and call of a step, and whether it was taken back or changed."""
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
    """Return the thought in one line that does not read as a label."""
    return f"your thought then was: {clip_line(' '.join(step.said.turn.thought.split()), _THOUGHT)}"


def _by_numbers(state: State, places: tuple[Place, ...], context: Context) -> Observation:
    room = room_for(len(places), context.limits.output_chars)
    wholes = [_shown(place, state, context, room) for place in places]
    rooms = shares([len(whole.text) for whole in wholes], room)
    return joined(
        [
            whole if len(whole.text) <= share else _shown(place, state, context, share)
            for place, whole, share in zip(places, wholes, rooms, strict=True)
        ]
    )


def _shown(place: Place, state: State, context: Context, room: int) -> Observation:
    if not 0 < place.step <= len(state.steps):
        return failed(f"there is no step {place.step}: {_there(state)}")
    step = state.steps[place.step - 1]
    if place.lines is None and step.number in state.in_view:
        text = f"step {step.number} is still shown above in full: {_call(step)}"
        return Observation(text, Status.EMPTY)
    lines = step.seen.text.split("\n")
    first = place.lines.start if place.lines else 1
    if first > len(lines):
        showed = counted(len(lines), "line")
        return failed(f"step {step.number} showed {showed}: there is no line {first}")
    head = "\n".join((_head(step, state), _thought(step)))
    most = context.limits.line_chars
    asked_for = [
        clip_line(line, most)
        for line in lines[first - 1 : (place.lines and place.lines.end) or len(lines)]
    ]
    left = room - len(head) - _TOLD
    shown = _fitting(asked_for, left)
    if first > 1 or len(shown) < len(lines):
        shown = _fitting(asked_for, left - _NOTES)
    end = first + len(shown) - 1
    told = f"lines {first} to {end} of the {len(lines)} that it showed:"
    if (first, end) == (1, len(lines)):
        told = "it showed:" if step.seen.text else "it showed nothing"
    return Observation("\n".join((head, told, *shown, *_notes(step.number, first, end, lines))))


def _fitting(texts: Sequence[str], room: int) -> list[str]:
    """Return the first texts, as many as fit the room, but always the first."""
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
