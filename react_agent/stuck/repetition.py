"""The ways of going round: calls made again, edits that change no test, steps without an action."""

from collections.abc import Callable, Sequence
from itertools import islice, takewhile

from react_agent.loop.steps import Step
from react_agent.loop.troubles import BACK, DEMOTE, STOP
from react_agent.parsers.repo.similarity import (
    is_same_call,
    is_same_place,
    loose_words,
    searched_words,
)
from react_agent.parsers.turn.turn import Kind as Said
from react_agent.stuck.progress import moved
from react_agent.stuck.trail import (
    PASSED,
    UNREAD,
    Found,
    Trail,
    call_of,
    calls_back,
    is_alike,
    is_call,
    rests,
    way_of,
)
from react_agent.tools.observation import Status
from react_agent.tools.registry import How, Kind

_PERIODS = (2, 3, 4)  # calls of one round
_WAITING = (BACK, STOP)  # it is no wrong idea
_BETWEEN = 4  # so many steps, for each call that is made in other words
_NOT_THERE = (How.REDIRECT, How.WISH)  # whatever the input


def again(trail: Trail) -> Found | None:
    """The same call, which shows the same."""
    run = _repeated(trail.steps, lambda one, other: one.seen.text == other.seen.text)
    return _found(run, len(run)) if len(run) >= trail.times else None


def noise(trail: Trail) -> Found | None:
    """The same call, and what it shows differs in times, process numbers and such."""
    run = _repeated(trail.steps, is_alike)
    differs = len({step.seen.text for step in run if not rests(step)}) > 1
    return _found(run, len(run)) if differs and len(run) >= trail.times else None


def _repeated(steps: Sequence[Step], same: Callable[[Step, Step], bool]) -> list[Step]:
    """The last first; of those that rest nobody knows what they would have shown."""
    run = list[Step]()
    if not steps or not is_call(steps[-1]):
        return run
    call, answered = call_of(steps[-1]), None
    for step in takewhile(lambda step: call_of(step) == call, calls_back(steps)):
        if not rests(step):
            answered = answered or step
            if not same(answered, step):
                break
        run.append(step)
    return run


def _found(run: Sequence[Step], times: int) -> Found:
    """Of steps with the last first."""
    waits = any("running" in step.seen.facts for step in run)
    numbers = tuple(step.number for step in reversed(run))
    return Found(numbers, times, _WAITING if waits else ())


def cycle(trail: Trail) -> Found | None:
    """A-B-A-B, A-B-C-A-B-C: calls in turn, each of which shows the same every time."""
    if not trail.steps or not is_call(trail.steps[-1]):
        return None
    last = list(islice(calls_back(trail.steps), 4 * max(_PERIODS) * trail.times))
    found = (_goes_round(last, period, trail.times) for period in _PERIODS)
    return next(filter(None, found), None)


def _goes_round(last: Sequence[Step], period: int, times: int) -> Found | None:
    rounds = max(2, -(-2 * times // period))
    pairs = list(zip(last, last[period:], strict=False))
    same = takewhile(lambda pair: call_of(pair[0]) == call_of(pair[1]), pairs)
    length = period + sum(1 for _ in takewhile(lambda pair: is_alike(*pair), same))
    if length < rounds * period or len({call_of(step) for step in last[:period]}) == 1:
        return None
    return _found(last[:length], length // period)


def reworded(trail: Trail) -> Found | None:
    """A call that has failed, written otherwise; nothing was done or learned in between."""
    steps = trail.steps[-_BETWEEN * trail.times :]
    if not steps or not _has_failed(steps[-1]):
        return None
    run = [step for step in reversed(steps) if _has_failed(step) and _same(step, steps[-1])]
    if len(run) < trail.times:
        return None
    since = max(moved(trail.steps, run[-1].number), default=0)
    run = [step for step in run if step.number > since]
    return _found(run, len(run)) if len(run) >= trail.times else None


def _has_failed(step: Step) -> bool:
    is_vain = step.status is Status.EMPTY and step.kind == Kind.SEARCH
    return is_call(step) and not rests(step) and (step.status is Status.FAILED or is_vain)


def _same(one: Step, other: Step) -> bool:
    if one.seen.facts.get("how") in _NOT_THERE:
        return _name_of(one) == _name_of(other) != ""
    if _name_of(one) or _name_of(other) or call_of(one)[0] != call_of(other)[0]:
        return False
    if call_of(one) == call_of(other):
        return is_alike(one, other)
    first, second = one.said.turn.input, other.said.turn.input
    if one.kind == Kind.WRITE:
        return is_same_place(first, second)
    words = searched_words if one.kind == Kind.SEARCH else loose_words
    return is_same_call(words(first), words(second))


def _name_of(step: Step) -> str:
    """Of what nothing here answers to."""
    facts = step.seen.facts
    if facts.get("how") not in _NOT_THERE:
        return ""
    return facts.get("entry", "") or step.said.turn.action


def failing(trail: Trail) -> Found | None:
    """Tests that fail, after several edits, as they did before."""
    way = way_of(trail.steps[-1]) if trail.steps else ""
    if way in ("", PASSED, UNREAD):
        return None
    edited = _edited(trail.steps)
    tests = (step for step in reversed(trail.steps) if way_of(step))
    run = [trail.steps[-1]]
    for step in takewhile(lambda step: way_of(step) == way, tests):
        if any(step.number < number < run[-1].number for number in edited):
            run.append(step)
    rounds = len(run) - 1
    if rounds < trail.times:
        return None
    return Found(tuple(step.number for step in reversed(run)), rounds, (DEMOTE,))


def _edited(steps: Sequence[Step]) -> list[int]:
    """The steps that have changed files; running tests may leave some, too."""
    found, tree = list[int](), ""
    for step in steps:
        now = step.seen.facts.get("tree", tree)
        is_command = step.kind == Kind.RUN and not way_of(step)
        if step.has_written or (is_command and tree and now != tree):
            found.append(step.number)
        tree = now
    return found


def thoughts(trail: Trail) -> Found | None:
    """Where none of them can be read, the guard `malformed` warns, and ends the run."""
    run = list(takewhile(lambda step: not is_call(step), reversed(trail.steps)))
    unread = sum(1 for _ in takewhile(_is_unread, run))
    if len(run) < trail.times or 0 < trail.unreadable - 1 <= unread:
        return None
    numbers = tuple(step.number for step in reversed(run))
    left_to_malformed = (BACK, STOP) if unread == len(run) else ()
    return Found(numbers, len(run), (DEMOTE, *left_to_malformed))


def _is_unread(step: Step) -> bool:
    return step.said.turn.kind is Said.MALFORMED
