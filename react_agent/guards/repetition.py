"""Patterns of a stuck run: repeated calls, edits that change no test, steps without an action."""

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile

from react_agent.guards.progress import PASSED, UNREAD, failing_ids, moved, way_of
from react_agent.parsers.repo.similarity import (
    is_same_call,
    is_same_place,
    loose_words,
    searched_words,
)
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.gist import headline
from react_agent.parsers.text.printed import without_noise
from react_agent.parsers.transcript.facts import write_numbers
from react_agent.parsers.turn.turn import Kind as Said
from react_agent.state.findings import BACK, DEMOTE, STOP
from react_agent.state.steps import Step
from react_agent.tools.observation import Status
from react_agent.tools.registry import How, Kind

_PERIODS = (2, 3, 4)  # calls of one round
_BETWEEN = 4  # steps to look back for each repetition
_NOT_THERE = (How.REDIRECT, How.WISH)  # tools that do not exist here
_NAMED = 3
_ID, _CALL = 80, 60  # characters


@dataclass(frozen=True, slots=True)
class Trail:
    steps: Sequence[Step]  # the steps that were not taken back
    times: int  # repetitions that are too many
    unreadable: int = 0  # replies in a row that end the run


@dataclass(frozen=True, slots=True)
class Found:
    steps: tuple[int, ...]
    times: int  # how often it happened
    hint: str
    without: tuple[str, ...] = ()  # answers that would make no sense


def again(trail: Trail) -> Found | None:
    """Find the same call with the same result, apart from times, process numbers and such."""
    steps, run = trail.steps, list[Step]()
    if not steps or not _is_call(steps[-1]):
        return None
    call, answered = call_of(steps[-1]), None
    for step in takewhile(lambda step: call_of(step) == call, _calls_back(steps)):
        if not rests(step):  # a refused call has no result to compare
            answered = answered or step
            if not _is_alike(answered, step):
                break
        run.append(step)
    if len(run) < trail.times:
        return None
    is_noisy = len({step.seen.text for step in run if not rests(step)}) > 1
    but = ", except for times and numbers that are new in every run" if is_noisy else ""
    hint = (
        f"this call returned the same result {len(run)} times ({_steps(run)}){but}: use it, or "
        "call another tool"
    )
    return Found(_numbers(run), len(run), hint, _while_waiting(run))


def cycle(trail: Trail) -> Found | None:
    """Find calls in turn (A-B-A-B, A-B-C-A-B-C) that return the same results every time."""
    if not trail.steps or not _is_call(trail.steps[-1]):
        return None
    last = list(islice(_calls_back(trail.steps), 4 * max(_PERIODS) * trail.times))
    found = (_goes_round(last, period, trail.times) for period in _PERIODS)
    return next(filter(None, found), None)


def _goes_round(last: Sequence[Step], period: int, times: int) -> Found | None:
    rounds = max(2, -(-2 * times // period))
    pairs = list(zip(last, last[period:], strict=False))
    same = takewhile(lambda pair: call_of(pair[0]) == call_of(pair[1]), pairs)
    length = period + sum(1 for _ in takewhile(lambda pair: _is_alike(*pair), same))
    if length < rounds * period or len({call_of(step) for step in last[:period]}) == 1:
        return None
    run = last[:length]
    turns = (step.said.turn for step in reversed(run))
    calls = (headline(f"{turn.action} {headline(turn.input)}".strip(), _CALL) for turn in turns)
    hint = (
        f"{_steps(run)} repeat the same calls with the same results "
        f"({_plain('; '.join(dict.fromkeys(calls)))}): say what you know by now, and do what you "
        "have not done yet"
    )
    return Found(_numbers(run), length // period, hint, _while_waiting(run))


def reworded(trail: Trail) -> Found | None:
    """Find a failed call that was repeated in other words, without progress in between."""
    steps = trail.steps[-_BETWEEN * trail.times :]
    if not steps or not _has_failed(steps[-1]):
        return None
    run = [step for step in reversed(steps) if _has_failed(step) and _is_same(step, steps[-1])]
    if len(run) < trail.times:
        return None
    since = max(moved(trail.steps, run[-1].number), default=0)
    run = [step for step in run if step.number > since]
    if len(run) < trail.times:
        return None
    if run[0].seen.facts.get("how") in _NOT_THERE:
        advice = "it does not exist here, whatever its input: use the tools that are listed"
    else:
        advice = _ADVICE.get(run[0].kind, "read its error from the start, and fix the cause")
    hint = f"the same call failed {len(run)} times in different wording ({_steps(run)}): {advice}"
    return Found(_numbers(run), len(run), hint, _while_waiting(run))


_ADVICE: Mapping[str, str] = {
    Kind.WRITE: "the file does not contain these lines there: read that part, and copy its lines",
    Kind.READ: "there is no such path: use a path that the answer names, or list the folder",
    Kind.SEARCH: "search the whole repository for one short word of it",
}


def failing(trail: Trail) -> Found | None:
    """Find tests that fail in the same way after several edits."""
    way = way_of(trail.steps[-1]) if trail.steps else ""
    if way in ("", PASSED, UNREAD):
        return None
    edited = _edited(trail.steps)
    tests = (step for step in reversed(trail.steps) if way_of(step))
    run = [trail.steps[-1]]
    for step in takewhile(lambda step: way_of(step) == way, tests):
        if any(step.number < number <= run[-1].number for number in edited):
            run.append(step)
    rounds = len(run) - 1
    if rounds < trail.times:
        return None
    ids = failing_ids(run[0])
    named = _plain(", ".join(headline(one, _ID) for one in ids[:_NAMED]))
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    hint = (
        f"after {counted(rounds, 'round')} of edits the same tests fail in the same way: "
        f"{named}{more}. Your edits do not affect this failure: find the code that this test "
        "runs, or check whether it failed before your first edit"
    )
    return Found(_numbers(run), rounds, hint, (DEMOTE,))


def _edited(steps: Sequence[Step]) -> list[int]:
    """Return the steps that changed files, without test runs, which may also leave files."""
    found, tree = list[int](), ""
    for step in steps:
        now = step.seen.facts.get("tree", tree)
        is_command = step.kind == Kind.RUN and not way_of(step)
        if step.has_written or (is_command and tree and now != tree):
            found.append(step.number)
        tree = now
    return found


def thoughts(trail: Trail) -> Found | None:
    """Find steps without an action. The guard `malformed` handles unreadable replies."""
    run = list(takewhile(lambda step: not _is_call(step), reversed(trail.steps)))
    is_unread = [step.said.turn.kind is Said.MALFORMED for step in run]
    unread = sum(takewhile(bool, is_unread))
    if len(run) < trail.times or 0 < trail.unreadable - 1 <= unread:
        return None
    hint = (
        f"{counted(len(run), 'step')} without an action: read, search, change or run something now"
    )
    left_to_malformed = (BACK, STOP) if all(is_unread) else ()
    return Found(_numbers(run), len(run), hint, (DEMOTE, *left_to_malformed))


# The most certain pattern first.
FINDS: Mapping[str, Callable[[Trail], Found | None]] = {
    "again": again,
    "reworded": reworded,
    "cycle": cycle,
    "failing": failing,
    "thoughts": thoughts,
}


def _is_call(step: Step) -> bool:
    """Return whether the step is a tool call, and not only a thought."""
    return step.said.turn.kind is Said.ACTION and step.kind != Kind.THINK


def _calls_back(steps: Sequence[Step]) -> Iterator[Step]:
    """Return the tool calls, newest first, without the thoughts between them."""
    return (step for step in reversed(steps) if _is_call(step))


def call_of(step: Step) -> tuple[str, str]:
    turn = step.said.turn
    return step.tool or turn.action, _tidy(turn.input)


@functools.lru_cache(1024)
def _tidy(given: str) -> str:
    return "\n".join(line.rstrip() for line in given.strip().split("\n"))


def rests(step: Step) -> bool:
    """Return whether the call was refused because it had been made too often."""
    return step.seen.facts.get("how") == How.DEMOTED


def _is_alike(one: Step, other: Step) -> bool:
    """Return whether two results differ in noise at most. While a command runs, noise counts."""
    if rests(one) or rests(other) or one.seen.text == other.seen.text:
        return True
    if "running" in one.seen.facts or "running" in other.seen.facts:
        return False
    return without_noise(one.seen.text) == without_noise(other.seen.text)


def _has_failed(step: Step) -> bool:
    is_vain = step.status is Status.EMPTY and step.kind == Kind.SEARCH
    return _is_call(step) and not rests(step) and (step.status is Status.FAILED or is_vain)


def _is_same(one: Step, other: Step) -> bool:
    names = _missing_name(one), _missing_name(other)
    if any(names):
        return names[0] == names[1]
    if call_of(one) == call_of(other):
        return _is_alike(one, other)
    if call_of(one)[0] != call_of(other)[0]:
        return False
    first, second = one.said.turn.input, other.said.turn.input
    if one.kind == Kind.WRITE:
        return is_same_place(first, second)
    words = searched_words if one.kind == Kind.SEARCH else loose_words
    return is_same_call(words(first), words(second))


def _missing_name(step: Step) -> str:
    """Return the name that was called if no tool here has it, or an empty string."""
    facts = step.seen.facts
    is_missing = facts.get("how") in _NOT_THERE
    return facts.get("entry", "") or step.said.turn.action if is_missing else ""


def _while_waiting(run: Sequence[Step]) -> tuple[str, ...]:
    """Return the answers that make no sense while a command runs in the background."""
    return (BACK, STOP) if any("running" in step.seen.facts for step in run) else ()


def _numbers(run: Sequence[Step]) -> tuple[int, ...]:
    """Return the step numbers in ascending order; `run` has the newest step first."""
    return tuple(step.number for step in reversed(run))


def _steps(run: Sequence[Step]) -> str:
    return f"steps {write_numbers(_numbers(run))}"


def _plain(text: str) -> str:
    """Replace backticks, since only the names of tools stand between backticks."""
    return text.replace("`", "'")
