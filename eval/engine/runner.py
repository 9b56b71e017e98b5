"""The coordinator: what is due goes to workers, and what comes back is stored before all else.

Solving and grading are jobs of their own. Nothing is kept here that the store does not hold: if
this process is killed, the same experiment is opened again and goes on.
"""

import contextlib
from collections import Counter, deque
from collections.abc import Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from react_agent.errors import ReactAgentError
from react_agent.eval.engine.asking import Work, graded_at_once, graded_by, solved_by
from react_agent.eval.engine.spending import Allowed, Spent, spent_in
from react_agent.eval.record import Record
from react_agent.eval.store.store import Due, Store
from react_agent.eval.task import Key
from react_agent.eval.verdict import Kind

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
