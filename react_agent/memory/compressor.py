"""The guard that compresses prompts in several stages to keep them within their limit.

It acts only when the limit is exceeded, and then removes a lot at once, since each change
invalidates the endpoint's prompt cache from the first changed line on.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile, islice
from typing import NamedTuple

from react_agent.guards.means import Ask, Means, in_a_line, task_of
from react_agent.models.contract import View
from react_agent.parsers.answers.labelled import read_condensed, without_invented, write_condensed
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.gist import headline
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.labels import DEFAULT, Label
from react_agent.parsers.transcript.quoting import escape
from react_agent.parsers.turn.turn import Kind
from react_agent.prompt.view import prompt_limit
from react_agent.state.state import CONDENSING, State
from react_agent.state.steps import (
    COMPRESSED,
    CONDENSED,
    CUT,
    GONE,
    HISTORY,
    READABLE,
    RECALL,
    SHELVED,
    Shown,
    Step,
    compressed_event,
    more_before,
    reshown,
)


@dataclass(slots=True)
class Work:
    state: State
    means: Means
    limit: int  # what the prompt must fit
    low: int  # the size to come down to
    enough: int  # below this size, every thought is kept
    prompt_tokens: int  # estimate for the objective and the steps
    volatile: int  # tokens of the tail, which is in the next prompt only
    steps: list[Step]
    before: str  # the line about steps that are not shown
    events: list[Event] = field(default_factory=list)

    @property
    def tokens(self) -> int:
        """The expected tokens in the prompt after the compression so far."""
        return self.without(0)

    def without(self, tokens: int) -> int:
        """Return the expected tokens in the prompt after removing this many estimated tokens."""
        left = self.prompt_tokens - tokens
        return self.state.expected(left, self.means.system_tokens) + self.volatile

    def weight(self, text: str) -> int:
        """Return the number of tokens in a text, scaled to match the endpoint's own count."""
        state, estimate = self.state, estimate_tokens(text)
        if not state.counted:
            return estimate
        at = state.counted_at + estimate
        return state.expected(at, self.means.system_tokens) - state.counted

    def take(self, name: str, numbers: Iterable[int], thought: str = "", **facts: str) -> bool:
        """Apply a compression event if it saves tokens, and return whether it was applied."""
        recall = {RECALL: "yes"} if self.means.can_recall and "bare" not in facts else {}
        event = compressed_event(name, numbers, thought, **facts, **recall)
        changed = reshown(self.steps, event)
        saved = sum(self.steps[n - 1].tokens - step.tokens for n, step in changed.items())
        if saved <= 0:
            return False
        self.events.append(event)
        self.prompt_tokens -= saved
        for number, step in changed.items():
            self.steps[number - 1] = step
        if name == SHELVED:
            self.prompt_tokens -= estimate_tokens(self.before)
            self.before = more_before(self.steps, can_recall=self.means.can_recall)
            self.prompt_tokens += estimate_tokens(self.before)
        return True


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
_NEWEST = 4  # the newest steps, which are kept
_FEWEST = 3  # steps: fewer are not worth a call
_FEWEST_OF_A_CHUNK = 2
_CHUNKS = 4
_SAVED = 0.6  # about this share of the steps' tokens
_SHARE = 2 / 3  # share of the request; the rest is for the answer
_THOUGHT, _LINE = 1200, 160  # characters
_VAIN = 3  # failures in a row before asking stops
_WAIT = 10  # steps between a failure and the next request
_THOUGHT_LABEL = DEFAULT.write(Label.THOUGHT)


class Part(NamedTuple):
    """A step as the prompt shows it, including the earlier steps that it represents."""

    first: int
    step: Step

    @property
    def last(self) -> int:
        return self.step.number

    @property
    def name(self) -> str:
        return f"{self.first}-{self.last}" if self.first < self.last else str(self.last)


def condense(work: Work) -> None:
    parts, state = _oldest_parts(work), work.state
    waited = len(state.steps) - state.asked.get(CONDENSING, 0)
    is_vain = state.asked_in_vain > 0 and (waited < _WAIT or state.asked_in_vain >= _VAIN)
    if work.means.ask is None or len(parts) < _FEWEST or is_vain:
        return
    chunks = (chunk for chunk in _chunks(parts, work) if len(chunk) >= _FEWEST_OF_A_CHUNK)
    for chunk in islice(chunks, _CHUNKS):
        if problem := _condensed(chunk, work, work.means.ask):
            steps = f"steps {chunk[0].first}-{chunk[-1].last}"
            work.events.append(Event("note", f"{steps} could not be condensed: {problem}"))
            break


def _oldest_parts(work: Work) -> list[Part]:
    """Return the oldest parts, about as many as must be condensed to reach the target size."""
    chosen, goal = list[Part](), work.tokens - work.low
    for part in _not_yet(list(_parts(work.steps[:-_NEWEST]))):
        if goal <= 0 and len(chosen) >= _FEWEST:
            break
        chosen.append(part)
        goal -= round(part.step.tokens * _SAVED)
    return chosen


def _not_yet(parts: list[Part]) -> list[Part]:
    """Skip parts at the start that are already condensed, unless they use most of the tokens."""
    fresh = list(dropwhile(lambda part: part.step.shown is Shown.CONDENSED, parts))
    weight, of_fresh = (sum(part.step.tokens for part in some) for some in (parts, fresh))
    return fresh if 2 * of_fresh > weight else parts


def _parts(steps: Sequence[Step]) -> Iterator[Part]:
    """Yield the parts. A step with an unreadable reply is merged into the next step's part."""
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
    """Split the parts into chunks, so that each request leaves room for the model's answer."""
    left = room = round(work.limit * _SHARE) - work.weight(_view((), work).text)
    begun = list[Part]()
    for part in parts:
        weight = work.weight(_told(part))
        if begun and weight > left:
            yield begun
            begun, left = [], room
        begun.append(part)
        left -= weight
    yield begun


def _condensed(chunk: Sequence[Part], work: Work, ask: Ask) -> str:
    """Condense a chunk of steps. Return why that failed, or an empty string on success."""
    view, before = _view(chunk, work), work.tokens
    answer, problem = ask(view, work.limit - work.weight(view.text), CONDENSING)
    if problem:
        return problem
    firsts, lasts = {part.first for part in chunk}, {part.last for part in chunk}
    source = _source(chunk, view, work)
    for entry in read_condensed(answer, chunk[0].first, chunk[-1].last):
        kept = entry._replace(text=without_invented(entry.text, source))
        written = write_condensed([kept])
        is_read_again = [kept] == read_condensed(written, kept.first, kept.last)
        if is_read_again and entry.first in firsts and entry.last in lasts:
            work.take(CONDENSED, range(kept.first, kept.last + 1), kept.text, stage="condense")
    return "" if work.tokens < before else "no part of the answer could be used"


def _view(chunk: Sequence[Part], work: Work) -> View:
    steps = "\n".join(map(_told, chunk))
    return View(SYSTEM, f"{task_of(work.state)}\n\nIts steps:\n\n{steps}", (), _TAIL)


def _told(part: Part) -> str:
    """Return the lines that describe a part, escaped and without labels at the start of lines."""
    step, turn = part.step, part.step.said.turn
    thought = turn.thought
    if step.shown is Shown.CONDENSED:
        thought = step.text.partition("\n")[0].removeprefix(_THOUGHT_LABEL)
        thought = thought.strip().removeprefix(f"[steps {part.name}] ")
    size = counted(step.seen.text.count("\n") + 1, "line")
    steps = "Steps" if part.first < part.last else "Step"
    return (
        f"{steps} {part.name}: {in_a_line(thought, _THOUGHT)}\n"
        f"  did: {turn.action} {_first_line(turn.input)}\n"
        f"  came: {step.status.value}, {size}: {_first_line(step.seen.text)}\n"
    )


def _first_line(text: str) -> str:
    return escape(headline(text, _LINE))


def _source(chunk: Sequence[Part], view: View, work: Work) -> str:
    """Return the text that contains all names that a summary of these steps may use."""
    steps = work.steps[chunk[0].first - 1 : chunk[-1].last]
    turns = (f"{s.said.turn.thought}\n{s.said.turn.action}\n{s.said.turn.input}" for s in steps)
    seen = (f"{s.seen.text}\n{' '.join(s.paths)}" for s in steps)
    return "\n".join((view.task, work.state.objective or "", *turns, *seen))


_OF_A_LINE = 50  # tokens of the line in place of an observation
_LEAST_GAIN = 60  # tokens: a smaller gain is not worth it
_OF_NEWEST = 2  # the newest step may fill 1 / 2 of the room
_SHORTEST = 400  # characters that are left of the newest
_LONG = 600  # characters of what the model said
_KEPT = 4  # the newest steps: a train of thought


def compress(state: State, means: Means) -> list[Event]:
    limit = prompt_limit(state, means.budget, means.profile.policy)
    if means.prompt_tokens <= limit or not state.standing:
        return []
    volatile = means.prompt_tokens - state.expected(state.prompt_tokens, means.system_tokens)
    fixed = state.prompt_tokens - sum(step.tokens for step in state.steps)
    least = min(state.expected(fixed, means.system_tokens) + volatile, limit)
    work = Work(
        state=state,
        means=means,
        limit=limit,
        low=least + round((limit - least) * means.profile.policy.to),
        enough=least + round((limit - least) * means.profile.policy.enough),
        prompt_tokens=state.prompt_tokens,
        volatile=volatile,
        steps=state.steps[: state.standing[-1].number],  # all later steps are taken back
        before=state.before,
    )
    begins_above = {"last": work.limit, "everything": work.low}
    for name in means.profile.policy.stages:
        if work.tokens > begins_above.get(name, work.enough):
            STAGES[name](work)
    return work.events


def history(state: State, means: Means) -> list[Event]:
    """Remove all but the last steps from the prompt, for profiles that limit the history."""
    shown = [step.number for step in state.steps if step.shown not in GONE]
    if not means.profile.policy.history or len(shown) <= means.profile.policy.history:
        return []
    recall = {"recall": "yes"} if means.can_recall else {}
    gone = shown[: -means.profile.policy.history]
    return [compressed_event(SHELVED, gone, stage=HISTORY, **recall)]


def _readable(work: Work) -> Sequence[Step]:
    """Return the steps whose observations are still in the prompt, except the newest step."""
    return [step for step in work.steps[:-1] if step.shown in READABLE]


def _all(work: Work) -> None:
    """Remove observations, the oldest and largest first, until enough tokens are saved.

    All thoughts are kept. This is repeated if the replacement lines are longer than expected.
    """
    newest = len(work.steps)
    left = sorted(_readable(work), key=lambda step: _weight(step) * (newest - step.number) ** 2)
    while left and work.tokens > work.low:
        chosen, saved = list[int](), 0
        while left and work.without(saved) > work.low:
            step = left.pop()
            gain = _weight(step) - _OF_A_LINE
            if gain >= _LEAST_GAIN:
                chosen.append(step.number)
                saved += gain
        work.take(COMPRESSED, chosen, stage="all")


def _everything(work: Work) -> None:
    """Remove all observations, including the newest one, as the profile `classic` does."""
    numbers = [step.number for step in (*_readable(work), *work.steps[-1:])]
    work.take(COMPRESSED, numbers, stage="everything", bare="yes")


def _newest(work: Work) -> None:
    """Remove the middle of the newest step if it takes up more than half of the available space."""
    room = work.limit - work.without(sum(one.tokens for one in work.steps))
    _shorten(work, room // _OF_NEWEST - work.steps[-1].head_tokens, "newest")


def _last(work: Work) -> None:
    """Shorten the newest step until the prompt fits or the step can't be shortened any further."""
    while work.tokens > work.limit:
        weight = _weight(work.steps[-1])
        if not _shorten(work, weight - (work.tokens - work.limit), "last"):
            break


def _shorten(work: Work, allowed: int, stage: str) -> bool:
    """Shorten the newest step to about `allowed` tokens, and return whether tokens were saved."""
    step = work.steps[-1]
    weight, size = _weight(step), len(step.text) - len(step.head)
    if weight <= max(allowed, 0):
        return False
    characters = max(size * allowed // weight, _SHORTEST)
    for chars in (characters, _SHORTEST):  # the note about the cut may weigh more
        if work.take(CUT, (step.number,), chars=str(chars), stage=stage):
            return True
    shortest = {"chars": str(_SHORTEST), "input": "out", "stage": stage}
    return len(step.head) >= _LONG and work.take(CUT, (step.number,), **shortest)


def _memory(work: Work) -> None:
    """Move the oldest steps from the prompt to memory, and mention them in one line instead.

    This is repeated if that line takes up more tokens than were saved.
    """
    for kept, goal in ((_KEPT, work.low), (1, work.limit)):
        while work.tokens > goal and work.take(SHELVED, _oldest(work, kept, goal), stage="memory"):
            pass


def _oldest(work: Work, kept: int, goal: int) -> Iterator[int]:
    saved = 0
    for step in work.steps[:-kept]:
        if work.without(saved) <= goal:
            return
        if step.shown not in GONE:
            yield step.number
            saved += step.tokens


def _weight(step: Step) -> int:
    """Return the number of tokens in the step's observation."""
    return step.tokens - step.head_tokens


STAGES: Mapping[str, Callable[[Work], None]] = {
    "all": _all,
    "newest": _newest,
    "condense": condense,
    "memory": _memory,
    "last": _last,
    "everything": _everything,
}
