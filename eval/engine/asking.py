"""What is asked of workers, in the words of an executor, and what is known without asking them."""

from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from react_agent.eval.engine.worker import PastDeadline, Timed
from react_agent.eval.grading.graded import ungraded
from react_agent.eval.task import Fault, Graded, Key, Solved, Task
from react_agent.eval.verdict import Kind, Verdict
from react_agent.parsers.text.gist import one_line

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
