"""Stages that take tool output and leave every Thought where it is."""

from collections.abc import Iterable, Iterator

from react_agent.compress.pinned import pinned
from react_agent.compress.work import Work
from react_agent.loop.steps import COMPRESSED, CUT, Shown, Step

_LINE = 50  # tokens of what stands in place of an Observation
_LEAST_GAIN = 60  # tokens: for fewer it is not worth it
_OF_NEWEST = 2  # it may fill half of the room
_SHORTEST = 400  # characters that are left of the newest
_LONG = 600  # characters of what the model said


def oldest(work: Work) -> None:
    """The oldest and largest, as many as needed; none that the last thoughts speak of."""
    plan = work.state.plan
    kept = pinned(work.steps, plan.current.goal if plan and plan.current else "")
    _take(work, (step for step in work.readable() if step.number not in kept), "oldest")


def all_but_newest(work: Work) -> None:
    _take(work, work.readable(), "all")


def everything(work: Work) -> None:
    """As it was first done: all of it, the newest too."""
    numbers = (step.number for step in (*work.readable(), *work.steps[-1:]))
    work.take(COMPRESSED, numbers, stage="everything", bare="yes")


def inputs(work: Work) -> None:
    """Long ones of steps whose Observation is out."""
    steps = (step for step in work.steps[:-1] if step.shown is Shown.LEFT_OUT)
    long = [step.number for step in steps if len(step.head) >= _LONG and step.said.turn.input]
    work.take(COMPRESSED, long, stage="inputs", input="out")


def newest(work: Work) -> None:
    """Where that step alone fills more than half of the room, its middle goes."""
    step = work.steps[-1]
    room = work.limit - work.without(sum(one.tokens for one in work.steps))
    _shorten(work, room // _OF_NEWEST - step.head_tokens, "newest")


def last(work: Work) -> None:
    """As short as it has to be."""
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


def _take(work: Work, candidates: Iterable[Step], stage: str) -> None:
    """Again where the lines in their places turn out to be longer than expected."""
    left = sorted(candidates, key=lambda step: _worth(step, work.newest))
    while left and work.tokens > work.low:
        work.take(COMPRESSED, list(_chosen(work, left)), stage=stage)


def _chosen(work: Work, left: list[Step]) -> Iterator[int]:
    saved = 0
    while left and work.without(saved) > work.low:
        step = left.pop()
        gain = _weight(step) - _LINE
        if gain >= _LEAST_GAIN:
            yield step.number
            saved += gain


def _worth(step: Step, newest_number: int) -> int:
    return _weight(step) * (newest_number - step.number)


def _weight(step: Step) -> int:
    """Of its Observation."""
    return step.tokens - step.head_tokens
