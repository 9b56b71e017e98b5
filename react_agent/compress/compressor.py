"""The guard that keeps a prompt within its limit, and its stages.

It acts when the limit is reached and then takes much at once: each time, the endpoint has to read
again whatever stands behind the first change.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from react_agent.compress.condense import condense
from react_agent.compress.work import Work
from react_agent.loop.means import Means
from react_agent.loop.state import State
from react_agent.loop.steps import (
    COMPRESSED,
    CUT,
    GONE,
    HISTORY,
    READABLE,
    SHELVED,
    Step,
    compressed_event,
)
from react_agent.parsers.transcript.entries import Event
from react_agent.prompt.room import prompt_limit

_LINE = 50  # tokens of what stands in place of an Observation
_LEAST_GAIN = 60  # tokens: for fewer it is not worth it
_OF_NEWEST = 2  # it may fill half of the room
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
        system_tokens=means.system_tokens,
        limit=limit,
        low=least + round((limit - least) * means.profile.policy.to),
        enough=least + round((limit - least) * means.profile.policy.enough),
        can_recall=means.can_recall,
        ask=means.ask,
        prompt_tokens=state.prompt_tokens,
        volatile=volatile,
        steps=state.steps[: state.standing[-1].number],  # behind it, all is taken back
        before=state.before,
    )
    begins_above = {"last": work.limit, "everything": work.low}
    for name in means.profile.policy.stages:
        if work.tokens > begins_above.get(name, work.enough):
            STAGES[name](work)
    return work.events


def history(state: State, means: Means) -> list[Event]:
    """For profiles that show the last steps only."""
    shown = [step.number for step in state.steps if step.shown not in GONE]
    if not means.profile.policy.history or len(shown) <= means.profile.policy.history:
        return []
    recall = {"recall": "yes"} if means.can_recall else {}
    gone = shown[: -means.profile.policy.history]
    return [compressed_event(SHELVED, gone, stage=HISTORY, **recall)]


def _readable(work: Work) -> Sequence[Step]:
    """The steps whose Observation the prompt holds, the newest one left aside."""
    return [step for step in work.steps[:-1] if step.shown in READABLE]


def _all(work: Work) -> None:
    """Observations, the oldest and largest first, as many as needed; every Thought stays.

    Again where the lines in their places turn out to be longer than expected.
    """
    newest = len(work.steps)
    left = sorted(_readable(work), key=lambda step: _weight(step) * (newest - step.number))
    while left and work.tokens > work.low:
        chosen, saved = list[int](), 0
        while left and work.without(saved) > work.low:
            step = left.pop()
            gain = _weight(step) - _LINE
            if gain >= _LEAST_GAIN:
                chosen.append(step.number)
                saved += gain
        work.take(COMPRESSED, chosen, stage="all")


def _everything(work: Work) -> None:
    """As it was first done: all Observations, the newest too."""
    numbers = [step.number for step in (*_readable(work), *work.steps[-1:])]
    work.take(COMPRESSED, numbers, stage="everything", bare="yes")


def _newest(work: Work) -> None:
    """Where that step alone fills more than half of the room, its middle goes."""
    room = work.limit - work.without(sum(one.tokens for one in work.steps))
    _shorten(work, room // _OF_NEWEST - work.steps[-1].head_tokens, "newest")


def _last(work: Work) -> None:
    """The newest, as short as it has to be."""
    while work.tokens > work.limit:
        weight = _weight(work.steps[-1])
        if not _shorten(work, weight - (work.tokens - work.limit), "last"):
            break


def _shorten(work: Work, allowed: int, stage: str) -> bool:
    """To so many tokens, about: what stands at its ends may weigh more than the rest."""
    step = work.steps[-1]
    weight, size = _weight(step), len(step.text) - len(step.head)
    if weight <= max(allowed, 0):
        return False
    characters = max(size * allowed // weight, _SHORTEST)
    for chars in (characters, _SHORTEST):  # what says that something is left out may weigh more
        if work.take(CUT, (step.number,), chars=str(chars), stage=stage):
            return True
    shortest = {"chars": str(_SHORTEST), "input": "out", "stage": stage}
    return len(step.head) >= _LONG and work.take(CUT, (step.number,), **shortest)


def _memory(work: Work) -> None:
    """The oldest steps go from the prompt: memory has them, and a line says so.

    Again where the line turns out to be longer than what was gained.
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
    """Of its Observation."""
    return step.tokens - step.head_tokens


STAGES: Mapping[str, Callable[[Work], None]] = {
    "all": _all,
    "newest": _newest,
    "condense": condense,
    "memory": _memory,
    "last": _last,
    "everything": _everything,
}
