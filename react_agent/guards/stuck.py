"""Detect a stuck run, and then give a hint, block a call, undo steps or stop the run.

A run is stuck if it repeats calls, edits without changing a test result, or takes steps without an
action. The profile lists the responses. They are tried in order, each only once until the run makes
progress, steps are undone, or the user resumes the run.
"""

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, takewhile

from react_agent.guards.means import Means
from react_agent.parsers.repo.similarity import (
    is_same_call,
    is_same_place,
    loose_words,
    searched_words,
)
from react_agent.parsers.testing import report as reports
from react_agent.parsers.testing.commands import runner_of, runs_tests
from react_agent.parsers.testing.log import read_log
from react_agent.parsers.text.counted import counted, first_few
from react_agent.parsers.text.gist import headline
from react_agent.parsers.text.printed import without_noise
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import read_list, write_facts, write_numbers
from react_agent.parsers.turn.turn import Kind as Said
from react_agent.state.events import PATTERNS
from react_agent.state.findings import BACK, DEMOTE, HINT, STOP, Trouble, trouble_event
from react_agent.state.state import State, Stop, stop_event
from react_agent.state.steps import Step, since_told
from react_agent.tools.observation import Status
from react_agent.tools.registry import How, Kind

_LOOKS = (Kind.READ, Kind.SEARCH)
_COMMAND = 500  # characters of a command that are searched for a test runner
_PASSED, _UNREAD = "passed", "unread"
_PERIODS = (2, 3, 4)  # calls of one round
_BETWEEN = 4  # steps to look back for each repetition
_NOT_THERE = (How.REDIRECT, How.WISH)  # tools that do not exist here
_NAMED = 3
_ID, _CALL = 80, 60  # characters
_RESTS_FOR = 3  # steps for which a call is not made
_GOES_ON = "failing"  # lasts until the tests change; other progress does not end it


def moved(steps: Sequence[Step], since: int) -> Iterator[int]:
    """Yield the numbers of steps after step `since` that made progress."""
    known = _Known()
    for step in steps:
        if step.number > since and _is_news(step, known):
            yield step.number
        known.add(step)


@dataclass(slots=True)
class _Known:
    lines: set[str] = field(default_factory=set)  # with and without noise
    trees: set[str] = field(default_factory=set)
    ways: set[str] = field(default_factory=set)  # results of `way_of`

    def add(self, step: Step) -> None:
        self.lines |= _lines(step.seen.text) | _lines(_quiet(step))
        self.trees |= {step.tree} if step.tree else set()
        self.ways |= {way_of(step)}


def _is_news(step: Step, known: _Known) -> bool:
    """Return whether a step made progress: new output, new files or a new test result."""
    shows = step.kind in _LOOKS or step.kind == Kind.RUN
    is_known = any(_lines(text) <= known.lines for text in (step.seen.text, _quiet(step)))
    if shows and step.status is Status.OK and not is_known:
        return True
    makes = step.has_written or (step.kind == Kind.RUN and step.status is not Status.FAILED)
    if makes and step.tree and step.tree not in known.trees:
        return bool(known.trees) or step.has_written
    return way_of(step) not in {"", *known.ways}


def _quiet(step: Step) -> str:
    return without_noise(step.seen.text) if step.kind == Kind.RUN else step.seen.text


@functools.lru_cache(2048)
def _lines(text: str) -> frozenset[str]:
    return frozenset(text.split("\n"))


def way_of(step: Step) -> str:
    """Return a key for the test result, equal for equal failures, or "" if no tests were run."""
    step = step.ran
    if step.kind == Kind.RUN:
        return _way_in(step.said.turn.input[:_COMMAND], step.seen.text)[0]
    if step.kind != Kind.TEST:
        return ""
    return step.seen.facts.get("way") or (_PASSED if step.status is Status.OK else _UNREAD)


def failing_ids(step: Step) -> tuple[str, ...]:
    step = step.ran
    if step.kind == Kind.RUN:
        return _way_in(step.said.turn.input[:_COMMAND], step.seen.text)[1]
    return read_list(step.seen.facts.get("failing", ""))


@functools.lru_cache(1024)
def _way_in(command: str, output: str) -> tuple[str, tuple[str, ...]]:
    report = read_log(output, runner_of(command)) if runs_tests(command) else None
    if report is None:
        return "", ()
    found = reports.failing(report)
    return (found.way, found.ids) if found else (_PASSED, ())


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
    """Detect a repeated call with the same result, ignoring times, process ids and the like."""
    steps = trail.steps
    if not steps or not _is_call(steps[-1]):
        return None
    call = call_of(steps[-1])
    same = list(takewhile(lambda step: call_of(step) == call, _calls_back(steps)))
    answered = next((step for step in same if not rests(step)), steps[-1])
    run = list(takewhile(lambda step: _is_alike(answered, step), same))
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
    """Detect a cycle of calls (A-B-A-B, A-B-C-A-B-C) that returns the same results each time."""
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
    """Detect a failed call that was repeated in a different wording without progress in between."""
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
    """Detect tests that still fail in the same way after several edits."""
    way = way_of(trail.steps[-1]) if trail.steps else ""
    if way in ("", _PASSED, _UNREAD):
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
    named = first_few([headline(one, _ID) for one in failing_ids(run[0])], _NAMED)
    hint = (
        f"after {counted(rounds, 'round')} of edits the same tests fail in the same way: "
        f"{_plain(named)}. Your edits do not affect this failure: find the code that this test "
        "runs, or check whether it failed before your first edit"
    )
    return Found(_numbers(run), rounds, hint, (DEMOTE,))


def _edited(steps: Sequence[Step]) -> list[int]:
    """Return the numbers of steps that changed files, except test runs, which may create files."""
    found, tree = list[int](), ""
    for step in steps:
        now = step.seen.facts.get("tree", tree)
        is_command = step.kind == Kind.RUN and not way_of(step)
        if step.has_written or (is_command and tree and now != tree):
            found.append(step.number)
        tree = now
    return found


def thoughts(trail: Trail) -> Found | None:
    """Detect steps without an action. Unreadable replies are left to the guard `malformed`."""
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
    """Return whether the step is a tool call and not just a thought."""
    return step.said.turn.kind is Said.ACTION and step.kind != Kind.THINK


def _calls_back(steps: Sequence[Step]) -> Iterator[Step]:
    """Return the tool calls, newest first, skipping the thoughts between them."""
    return (step for step in reversed(steps) if _is_call(step))


def call_of(step: Step) -> tuple[str, str]:
    turn = step.said.turn
    return step.tool or turn.action, _tidy(turn.input)


@functools.lru_cache(1024)
def _tidy(given: str) -> str:
    return "\n".join(line.rstrip() for line in given.strip().split("\n"))


def rests(step: Step) -> bool:
    """Return whether the call was refused because it had been repeated too often."""
    return step.seen.facts.get("how") == How.DEMOTED


def _is_alike(one: Step, other: Step) -> bool:
    """Return whether two results are equal, ignoring noise unless a background command runs."""
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
    """Return the name of the tool if the step called a nonexistent tool, or an empty string."""
    facts = step.seen.facts
    is_missing = facts.get("how") in _NOT_THERE
    return facts.get("entry", "") or step.said.turn.action if is_missing else ""


def _while_waiting(run: Sequence[Step]) -> tuple[str, ...]:
    """Return the responses that are unsuitable while a command runs in the background."""
    return (BACK, STOP) if any("running" in step.seen.facts for step in run) else ()


def _numbers(run: Sequence[Step]) -> tuple[int, ...]:
    """Return the step numbers in ascending order, although `run` is sorted newest first."""
    return tuple(step.number for step in reversed(run))


def _steps(run: Sequence[Step]) -> str:
    return f"steps {write_numbers(_numbers(run))}"


def _plain(text: str) -> str:
    """Replace backticks with quotes, since backticks are reserved for tool names."""
    return text.replace("`", "'")


def stuck(state: State, means: Means) -> list[Event]:
    """Return the events for a pattern detected at the last step, at most once per step."""
    if not state.steps or (state.troubles and state.troubles[-1].at == len(state.steps)):
        return []
    patience, steps = means.profile.patience, since_told(state.standing)
    for name in patience.patterns:
        times = patience.times(name, means.budget.overuse)
        found = FINDS[name](Trail(steps, times, means.budget.malformed)) if times else None
        had = _had(name, found, times, state) if found else None
        if found and had is not None and (answer := _answer(found, had, state, patience.ladder)):
            return _events(name, found, answer, state)
    return []


def _had(name: str, found: Found, times: int, state: State) -> list[Trouble] | None:
    """Return the problems since the last progress, or None if it is too early to respond."""
    troubles, own = state.troubles, list[Trouble]()
    if name == _GOES_ON:
        own = [one for one in troubles if one.pattern == name and {*one.steps} & {*found.steps}]
        if found.times < times * (len(own) + 1):
            return None
    if not troubles:
        return []
    news = max(moved(state.standing, troubles[0].at), default=0)
    return [one for one in troubles if one.at >= news or one in own]


def _answer(found: Found, had: Sequence[Trouble], state: State, ladder: Sequence[str]) -> str:
    """Return the next response. A list without `stop` starts over after its last response."""
    last = state.standing[-1]
    without = found.without if last.tool and not rests(last) else (*found.without, DEMOTE)
    places = [ladder.index(one.answer) for one in had if one.answer in ladder]
    higher = ladder[max(places, default=-1) + 1 :]
    is_over = STOP not in ladder and bool(had) and len(state.steps) - had[-1].at >= _RESTS_FOR
    for answer in (*higher, *(ladder if is_over else ())):
        if answer not in without:
            return answer
    return ""


def _events(name: str, found: Found, answer: str, state: State) -> list[Event]:
    trouble = trouble_event(name, found.steps, answer)
    if answer == HINT:
        return [trouble, Event("hint", found.hint)]
    if answer == DEMOTE:
        until = str(len(state.steps) + _RESTS_FOR)
        rest = write_facts({"tool": state.standing[-1].tool, "until": until})
        refusal = f"for the next {counted(_RESTS_FOR, 'step')} this exact call is blocked"
        return [trouble, Event("demote", rest), Event("hint", f"{found.hint}; {refusal}")]
    if answer == STOP:
        times, steps = counted(found.times, "time"), write_numbers(found.steps)
        return [trouble, stop_event(Stop.STUCK, f"{PATTERNS[name]}: {times}, steps {steps}")]
    return [trouble]
