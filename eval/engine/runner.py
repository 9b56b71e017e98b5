"""The coordinator: it sends due attempts to workers and stores each result immediately.

Solving and grading are separate jobs. The store holds all state: if this process is killed, the
same experiment can be opened again and continued.
"""

import contextlib
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from rich.console import Console
from rich.text import Text

from react_agent.cli.terminal.screen import Footer, console
from react_agent.errors import ReactAgentError
from react_agent.eval.engine.worker import PastDeadline, Timed
from react_agent.eval.grading.judging import ungraded
from react_agent.eval.store.store import Due, Store, replaced
from react_agent.eval.task import Fault, Graded, Key, Kind, Record, Solved, Task, Verdict
from react_agent.parsers.text.counted import counted, lasting
from react_agent.parsers.text.gist import one_line
from react_agent.parsers.transcript.quoting import escape
from react_agent.tools import clock

GRADE_S = 300.0  # for grading, besides the limits of environment and tests
RUNS = 3  # of the tests, at most: more than one only in doubt
# Tries in one pass, for infrastructure failures; a later resume tries again. Other failures, such
# as a missing commit, would only be repeated.
TRIES: Mapping[Kind, int] = {Kind.ENDPOINT: 3, Kind.WORKER: 3, Kind.DEADLINE: 2, Kind.OURS: 2}
_COMMON = (Kind.ENDPOINT, Kind.WORKER)  # failures that do not depend on the instance
_IN_A_ROW, _ROWS = 10, 3  # failures, or this times the workers, stop the run
_LONGEST = 500
_LINES = 20  # of workers, at most, on the screen
_SUMS = """SELECT coalesce(sum(prompt_tokens + reply_tokens), 0), total(cost),
    count(CASE WHEN cost IS NULL AND prompt_tokens > 0 THEN 1 END) FROM solves"""


@dataclass(frozen=True, slots=True)
class Work:
    """The functions that workers import by name. They are defined in eval/work.py."""

    solve: Callable[[Task, Path | None], Solved]
    grade: Callable[[Task, str, Path | None], Graded]
    root: Path | None = None  # the workers' folder; None: the cache of their machine


@dataclass(frozen=True, slots=True)
class Spent:
    tokens: int = 0
    usd: float = 0.0
    unpriced: int = 0  # attempts that used tokens of unknown price


def spent_in(store: Store) -> Spent:
    """Return the total cost of all runs, including ungraded and repeated ones."""
    [(tokens, usd, unpriced)] = store.database.rows(_SUMS)
    before = replaced(store.database)
    tokens, usd = int(tokens) + int(before.get("tokens", 0)), usd + float(before.get("usd", 0))
    return Spent(tokens, usd, int(unpriced))


@dataclass(frozen=True, slots=True)
class Job:
    key: Key
    is_solved: bool


class Watch(Protocol):
    """An observer of the runner. All its methods are called from one thread."""

    def began(self, slot: int, job: Job) -> None: ...

    def ended(self, slot: int, record: Record | None, spent: Spent) -> None:
        """Report that a job ended, with its record if that is final. Slot 0 means no worker ran."""


@dataclass(slots=True)
class Runner:
    """One pass over an experiment, which solves and grades the attempts that are due."""

    store: Store
    executor: Executor
    work: Work
    slots: int  # tasks in flight at a time
    watch: Watch
    budget_usd: float | None = None
    due: Due | None = None  # None: everything that is due
    stopped: str = ""  # why no more attempts are begun
    _grades: deque[Key] = field(default_factory=deque)
    _solves: deque[Key] = field(default_factory=deque)
    _flying: dict[Future[Any], tuple[int, Job]] = field(default_factory=dict)
    _tries: Counter[Job] = field(default_factory=Counter)
    _in_a_row: int = 0

    def run(self) -> str:
        """Run all jobs. Return the reason why some were not run, or else an empty string."""
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
        except BaseException:  # store what is ready; the others are still due later
            for future in list(self._flying):
                with contextlib.suppress(ReactAgentError):
                    if not future.cancel():
                        self._take(future)
            raise
        return self.stopped if self._solves or self._grades else ""

    def _submit(self) -> None:
        """Fill the free slots. Grading comes before solving, so that verdicts are known early."""
        taken = {slot for slot, _ in self._flying.values()}
        free = deque(slot for slot in range(1, self.slots + 1) if slot not in taken)
        while free and (job := self._next()) is not None:
            if (future := self._begun(job)) is not None:
                slot = free.popleft()
                self._flying[future] = slot, job
                self.watch.began(slot, job)

    def _next(self) -> Job | None:
        if self._grades:
            return Job(self._grades.popleft(), is_solved=True)
        if self._solves and not self.stopped:
            self.stopped = self._over_budget()
        return Job(self._solves.popleft(), False) if self._solves and not self.stopped else None

    def _over_budget(self) -> str:
        if self.budget_usd is None:
            return ""
        spent = spent_in(self.store)
        if spent.unpriced:
            return "the price of the model is unknown, so a budget in $ can't be enforced"
        if spent.usd >= self.budget_usd:
            return f"the budget of {self.budget_usd:g} $ is used up ({spent.usd:.4f} $)"
        return ""

    def _begun(self, job: Job) -> Future[Any] | None:
        """Submit the job. Return None if it was graded immediately, without running a test."""
        task = self.store.task(job.key)
        limits, root = task.conditions, self.work.root
        if not job.is_solved:
            return self.executor.submit(Timed(self.work.solve, limits.solve_s), task, root)
        patch = self.store.patch(job.key)
        if verdict := ungraded(task, patch):
            self._came(0, job, self.store.graded(Graded(job.key, verdict)))
            return None
        seconds = limits.install_s + RUNS * limits.tests_s + GRADE_S
        return self.executor.submit(Timed(self.work.grade, seconds), task, patch, root)

    def _take(self, future: Future[Any]) -> None:
        """Store the result of a future exactly once, even if Ctrl-C arrives in the meantime."""
        slot, job = self._flying.pop(future)
        came = _came_of(future)
        if job.is_solved:
            graded = Graded(job.key, came.verdict, fault=came) if isinstance(came, Fault) else came
            self._came(slot, job, self.store.graded(graded))
        else:
            self.store.solved(Solved(job.key, fault=came) if isinstance(came, Fault) else came)
            self._came(slot, job, self.store.record(job.key))

    def _came(self, slot: int, job: Job, record: Record | None) -> None:
        if record is None:
            self._grades.append(job.key)
        else:
            self._stop_at_failures_in_a_row(record)
            self._tries[job] += 1
            tries = TRIES.get(Kind(record.kind), 1) if record.is_infrastructure else 0
            if self._tries[job] < tries and not self.stopped:
                # last in the queue, so that the cause has time to pass
                (self._grades if job.is_solved else self._solves).append(job.key)
                record = None
        self.watch.ended(slot, record, spent_in(self.store))

    def _stop_at_failures_in_a_row(self, record: Record) -> None:
        """Stop after too many failures in a row. An invalid key would make all attempts fail."""
        fails = record.is_infrastructure and record.kind in _COMMON
        self._in_a_row = self._in_a_row + 1 if fails else 0
        if self._in_a_row >= max(_IN_A_ROW, _ROWS * self.slots):
            said = f"{self._in_a_row} attempts failed in a row: {record.reason}"
            self.stopped = self.stopped or said


def _came_of(future: Future[Any]) -> Any:
    """Return the result of the worker, or a Fault if it failed."""
    try:
        return future.result()
    except PastDeadline as error:
        return Fault(Verdict.TIMED_OUT, Kind.DEADLINE, str(error))
    except CancelledError:  # not by us: we would not ask for the result
        return Fault(Verdict.CRASHED, Kind.WORKER, "the cluster dropped the task")
    except Exception as error:  # noqa: BLE001  whatever an executor raises: its workers do not
        text = one_line(str(error)) or type(error).__name__
        return Fault(Verdict.CRASHED, Kind.WORKER, text[:_LONGEST])


@dataclass(slots=True)
class Progress:
    total: int
    console: Console = field(default_factory=console)
    clock: Callable[[], float] = clock.monotonic
    spent: Spent = field(default_factory=Spent)
    done: int = 0
    resolved: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    busy: Mapping[int, str] = field(default_factory=dict)  # replaced, as a thread reads it
    _before: int = 0  # attempts that were done at the start
    _began: float = 0.0
    footer: Footer = field(init=False)

    def __post_init__(self) -> None:
        self.footer = Footer(self.console, lambda columns: self.shown())

    def start(self, records: Iterable[Record], spent: Spent) -> None:
        """Start the progress count with the attempts that are already done."""
        for record in records:
            if not record.is_infrastructure:  # those are done again
                self._count(record)
        self.spent, self._before, self._began = spent, self.done, self.clock()

    def began(self, slot: int, job: Job) -> None:
        doing = "judging" if job.is_solved else "solving"
        self.busy = {**self.busy, slot: f"{slot:3}  {doing}  {escape(str(job.key))}"}

    def ended(self, slot: int, record: Record | None, spent: Spent) -> None:
        self.busy = {at: doing for at, doing in self.busy.items() if at != slot}
        self.spent = spent
        if record is not None:
            self._count(record)
            if not self.console.is_terminal:
                self.say(f"{self.done}/{self.total}  {_line(record)}")

    def say(self, line: str) -> None:
        self.footer.print(Text(escape(line)))

    def _count(self, record: Record) -> None:
        self.done += 1
        self.resolved += record.is_resolved
        if not record.is_resolved:
            self.failed[record.why] += 1

    def shown(self) -> Sequence[Text]:
        done, left = self.done - self._before, self.total - self.done
        each = (self.clock() - self._began) / done if done and left else 0.0
        ending = f"  {lasting(each * left)} to go" if each else ""
        first = Text(f"{self.summary()}{ending}", "reverse")
        busy = self.busy
        rows = (busy[slot] for slot in sorted(busy)[:_LINES])
        return [first, *map(Text, (*rows, *self.kinds()))]

    def summary(self) -> str:
        cost = f"  {self.spent.usd:.2f} $" if self.spent.usd else ""
        spent = f"{self.spent.tokens:,} tokens{cost}"
        return f"{self.done}/{self.total} done  {self.resolved} resolved  {spent}"

    def kinds(self) -> Iterator[str]:
        if self.failed:
            counts = (f"{number} {kind}" for kind, number in self.failed.most_common())
            yield "not resolved: " + "; ".join(counts)


def _line(record: Record) -> str:
    used = record.used
    why = f", {record.kind}" + (f" (step {record.step})" if record.step else "")
    cost = "" if used.cost is None else f", {used.cost:.4f} $"
    took = f"{counted(used.steps, 'step')}, {counted(used.tokens, 'token')}{cost}"
    return f"{record.key}: {record.verdict.value}{why if record.kind else ''}, {took}"
