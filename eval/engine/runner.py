"""The coordinator: what is due goes to workers, and what comes back is stored before all else.

Solving and grading are jobs of their own. Nothing is kept here that the store does not hold: if
this process is killed, the same experiment is opened again and goes on.
"""

import contextlib
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from rich.console import Console
from rich.text import Text

from react_agent.cli.terminal.screen import Footer, console
from react_agent.errors import ReactAgentError
from react_agent.eval.engine.worker import PastDeadline, Timed
from react_agent.eval.grading.judging import ungraded
from react_agent.eval.store.store import Due, Store
from react_agent.eval.task import Fault, Graded, Key, Kind, Record, Solved, Task, Used, Verdict
from react_agent.parsers.text.counted import counted, lasting
from react_agent.parsers.text.gist import one_line
from react_agent.parsers.transcript.quoting import escape
from react_agent.tools import clock

GRADE_S = 300.0  # beside the environment and the tests, which have limits of their own
RUNS = 3  # of the tests, where the first leaves a doubt
_LONGEST = 500


@dataclass(frozen=True, slots=True)
class Work:
    """Functions that workers find by their names; see eval/work.py."""

    solve: Callable[[Task, Path | None], Solved]
    grade: Callable[[Task, str, Path | None], Graded]
    root: Path | None = None  # the workers' folder; None: the cache of their machine

    def asked_to_solve(self, executor: Executor, task: Task) -> Future[Any]:
        timed = Timed(self.solve, task.conditions.solve_s)
        return executor.submit(timed, task, self.root)

    def asked_to_grade(self, executor: Executor, task: Task, patch: str) -> Future[Any]:
        limits = task.conditions
        timed = Timed(self.grade, limits.install_s + RUNS * limits.tests_s + GRADE_S)
        return executor.submit(timed, task, patch, self.root)


def graded_at_once(task: Task, patch: str) -> Graded | None:
    """Where no test needs to be run."""
    verdict = ungraded(task, patch)
    return Graded(task.key, verdict) if verdict else None


def solved_by(future: Future[Any], key: Key) -> Solved:
    came = _came_of(future)
    return Solved(key, fault=came) if isinstance(came, Fault) else came


def graded_by(future: Future[Any], key: Key) -> Graded:
    came = _came_of(future)
    return Graded(key, came.verdict, fault=came) if isinstance(came, Fault) else came


def _came_of(future: Future[Any]) -> Any:
    try:
        return future.result()
    except PastDeadline as error:
        return Fault(Verdict.TIMED_OUT, Kind.DEADLINE, str(error))
    except CancelledError:  # not by us, who would not ask
        return Fault(Verdict.CRASHED, Kind.WORKER, "the cluster has let go of it")
    except Exception as error:  # noqa: BLE001  whatever an executor raises: its workers do not
        text = one_line(str(error)) or type(error).__name__
        return Fault(Verdict.CRASHED, Kind.WORKER, text[:_LONGEST])


_SUMS = """SELECT coalesce(sum(prompt_tokens + reply_tokens), 0), total(cost),
    count(CASE WHEN cost IS NULL AND prompt_tokens > 0 THEN 1 END) FROM solves"""


@dataclass(frozen=True, slots=True)
class Allowed:
    """None: as much as it takes."""

    usd: float | None = None
    tokens: int | None = None


@dataclass(slots=True)
class Spent:
    tokens: int = 0
    usd: float = 0.0
    unpriced: int = 0  # attempts that took tokens, and nobody knows a price

    def add(self, used: Used) -> None:
        self.tokens += used.tokens
        self.usd += used.cost or 0.0

    def objection(self, allowed: Allowed) -> str:
        """Why nothing more may be begun; empty: it may."""
        if allowed.tokens is not None and self.tokens >= allowed.tokens:
            return f"the budget of {allowed.tokens:,} tokens is used up ({self.tokens:,})"
        if allowed.usd is None:
            return ""
        if self.unpriced:
            return "no price is known for the model, so that a budget in $ can't be kept"
        if self.usd >= allowed.usd:
            return f"the budget of {allowed.usd:g} $ is used up ({self.usd:.4f} $)"
        return ""


def spent_in(store: Store) -> Spent:
    """By the runs that it holds, judged or not."""
    [(tokens, usd, unpriced)] = store.database.rows(_SUMS)
    return Spent(int(tokens or 0), float(usd or 0), int(unpriced or 0))


# In one go, of what failed by what surrounds the model; a later resume tries again. Others, such as
# a commit that there is not, would fail in the same way.
TRIES: Mapping[Kind, int] = {Kind.ENDPOINT: 3, Kind.WORKER: 3, Kind.DEADLINE: 2, Kind.OURS: 2}
_COMMON = (Kind.ENDPOINT, Kind.WORKER)  # failures that are not one instance's
_IN_A_ROW, _ROWS = 10, 3  # of these, and times the workers, end all


@dataclass(frozen=True, slots=True)
class Job:
    key: Key
    is_solved: bool


class Watch(Protocol):
    """Who is told; all by one thread."""

    def began(self, slot: int, job: Job) -> None: ...

    def ended(self, slot: int, record: Record | None, spent: Spent) -> None:
        """With a record where that is what the attempt comes to. At slot 0 nobody worked on it."""


@dataclass(slots=True)
class Runner:
    """One experiment, once through."""

    store: Store
    executor: Executor
    work: Work
    slots: int  # tasks in flight at a time
    watch: Watch
    allowed: Allowed = field(default_factory=Allowed)
    gone: Spent = field(default_factory=Spent)  # by runs that were done again
    due: Due | None = None  # none: all that is
    stopped: str = ""  # why nothing more is begun
    _grades: deque[Key] = field(default_factory=deque)
    _solves: deque[Key] = field(default_factory=deque)
    _flying: dict[Future[Any], tuple[int, Job]] = field(default_factory=dict)
    _tries: Counter[Job] = field(default_factory=Counter)
    _in_a_row: int = 0

    def run(self) -> str:
        """Why it stopped before everything was done; empty: everything is."""
        due = self.due or self.store.due()
        self._grades.extend(due.to_grade)
        self._solves.extend(due.to_solve)
        try:
            self._submit()
            while self._flying:
                done, _ = wait(self._flying, return_when=FIRST_COMPLETED)
                for future in done:
                    self._take(future)
                self._submit()
        except BaseException:
            self._end()
            raise
        return self.stopped if self._solves or self._grades else ""

    def spent(self) -> Spent:
        """By all of the experiment."""
        now = spent_in(self.store)
        return replace(now, tokens=now.tokens + self.gone.tokens, usd=now.usd + self.gone.usd)

    def _submit(self) -> None:
        """What is solved is judged first, so that its verdict is soon known."""
        taken = {slot for slot, _ in self._flying.values()}
        free = deque(slot for slot in range(1, self.slots + 1) if slot not in taken)
        while free and (job := self._next()) is not None:
            if (future := self._asked(job)) is not None:
                slot = free.popleft()
                self._flying[future] = slot, job
                self.store.started(job.key, str(slot))
                self.watch.began(slot, job)

    def _next(self) -> Job | None:
        if self._grades:
            return Job(self._grades.popleft(), is_solved=True)
        if not self._solves or self.stopped:
            return None
        if self.allowed != Allowed():
            self.stopped = self.spent().objection(self.allowed)
        return None if self.stopped else Job(self._solves.popleft(), is_solved=False)

    def _asked(self, job: Job) -> Future[Any] | None:
        """None where it is graded at once."""
        task = self.store.task(job.key)
        if not job.is_solved:
            return self.work.asked_to_solve(self.executor, task)
        patch = self.store.patch(job.key)
        if (graded := graded_at_once(task, patch)) is not None:
            self._came(0, job, self.store.graded(graded))
            return None
        return self.work.asked_to_grade(self.executor, task, patch)

    def _take(self, future: Future[Any]) -> None:
        """Once: where Ctrl-C comes in the middle of storing it, it may be stored already."""
        slot, job = self._flying.pop(future)
        if job.is_solved:
            record: Record | None = self.store.graded(graded_by(future, job.key))
        else:
            self.store.solved(solved_by(future, job.key))
            record = self.store.record(job.key)
        self._came(slot, job, record)

    def _came(self, slot: int, job: Job, record: Record | None) -> None:
        if record is None:
            self._grades.append(job.key)
        else:
            self._look_at(record)
            if record.is_infrastructure and self._is_tried_again(job, Kind(record.kind)):
                self._again(job, record)
                record = None
        self.watch.ended(slot, record, self.spent())

    def _is_tried_again(self, job: Job, kind: Kind) -> bool:
        self._tries[job] += 1
        return self._tries[job] < TRIES.get(kind, 1) and not self.stopped

    def _again(self, job: Job, record: Record) -> None:
        """Behind all others, so that what was wrong has some time to pass."""
        if job.is_solved:
            self._grades.append(job.key)
        else:
            self._solves.append(job.key)
            self.gone.add(record.used)

    def _look_at(self, record: Record) -> None:
        """A wrong key or a dead endpoint must not fail a thousand attempts, one after another."""
        fails = record.is_infrastructure and record.kind in _COMMON
        self._in_a_row = self._in_a_row + 1 if fails else 0
        if self._in_a_row >= max(_IN_A_ROW, _ROWS * self.slots):
            said = f"{self._in_a_row} attempts failed in a row: {record.reason}"
            self.stopped = self.stopped or said

    def _end(self) -> None:
        """What has come already is kept; all else is in flight, and done again by the next run."""
        with contextlib.suppress(ReactAgentError):
            for future in list(self._flying):
                if not future.cancel():
                    self._take(future)


_LINES = 20  # of workers
_NAME, _SHORTEST = 48, 8  # columns of a name
_BESIDE = 23  # beside it


@dataclass(slots=True)
class Progress:
    total: int
    console: Console = field(default_factory=console)
    clock: Callable[[], float] = clock.monotonic
    spent: Spent = field(default_factory=Spent)
    done: int = 0
    resolved: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    _before: int = 0  # done, when it began
    _began: float = 0.0
    _busy: dict[int, tuple[Job, float]] = field(default_factory=dict)
    _footer: Footer = field(init=False)

    def __post_init__(self) -> None:
        self._footer = Footer(self.console, lambda columns, height: self.shown(columns))

    def start(self, records: Iterable[Record], spent: Spent) -> None:
        """With what was done before."""
        for record in records:
            if not record.is_infrastructure:  # that is done again
                self._count(record)
        self.spent, self._before, self._began = spent, self.done, self.clock()

    def began(self, slot: int, job: Job) -> None:
        self._busy[slot] = job, self.clock()

    def ended(self, slot: int, record: Record | None, spent: Spent) -> None:
        self._busy.pop(slot, None)
        self.spent = spent
        if record is not None:
            self._count(record)
            if not self.console.is_terminal:
                self.say(f"{self.done}/{self.total}  {told(record)}")

    def say(self, line: str) -> None:
        self._footer.print(Text(escape(line)))

    def _count(self, record: Record) -> None:
        self.done += 1
        self.resolved += record.is_resolved
        if not record.is_resolved:
            self.failed[record.why] += 1

    def live(self) -> AbstractContextManager[None]:
        return self._footer.shown()

    def shown(self, columns: int) -> Sequence[Text]:
        left = self.seconds_left()
        ending = "" if left is None else f"  {lasting(left)} to go"
        first = Text(f"{self.summary()}{ending}", style="reverse")
        return [first, *map(Text, self.kinds()), *map(Text, self._workers(columns))]

    def summary(self) -> str:
        cost = f"  {self.spent.usd:.2f} $" if self.spent.usd else ""
        spent = f"{self.spent.tokens:,} tokens{cost}"
        return f"{self.done}/{self.total} done  {self.resolved} resolved  {spent}"

    def kinds(self) -> Iterator[str]:
        if self.failed:
            counts = (f"{number} {kind}" for kind, number in self.failed.most_common())
            yield "not resolved: " + "; ".join(counts)

    def _workers(self, columns: int) -> Iterator[str]:
        room = max(min(_NAME, columns - _BESIDE), _SHORTEST)
        now, busy = self.clock(), dict(self._busy)  # a terminal is drawn by a thread of its own
        for slot in sorted(busy)[:_LINES]:
            job, since = busy[slot]
            name = escape(str(job.key))
            name = name if len(name) <= room else f"...{name[3 - room :]}"
            doing = "judging" if job.is_solved else "solving"
            yield f"{slot:3}  {doing}  {name:{room}}  {lasting(now - since):>7}"
        if (others := len(busy) - _LINES) > 0:
            yield f"     and {counted(others, 'worker')} more"

    def seconds_left(self) -> float | None:
        """By what was done since it began; None where nothing was, or all is."""
        done = self.done - self._before
        if not done or self.done == self.total:
            return None
        return (self.clock() - self._began) / done * (self.total - self.done)


def told(record: Record) -> str:
    """One line."""
    shown = f"{record.key}: {record.verdict.value}"
    if record.kind:
        shown += f", {record.kind}" + (f" (step {record.step})" if record.step else "")
    used = record.used
    cost = "" if used.cost is None else f", {used.cost:.4f} $"
    return f"{shown}, {counted(used.steps, 'step')}, {counted(used.tokens, 'token')}{cost}"
