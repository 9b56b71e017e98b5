"""What a worker does: one function for a task to solve, one to grade what came of it.

They can be sent to another process or machine, and do not raise: a failure is a value, too.
"""

import traceback
from functools import cache, partial
from pathlib import Path

from react_agent.errors import ReactAgentError
from react_agent.eval.grading.graded import graded, ungraded
from react_agent.eval.ground import fresh, ground_for
from react_agent.eval.solving import solved
from react_agent.eval.station import station_at
from react_agent.eval.task import Fault, Graded, Solved, Task
from react_agent.eval.verdict import Kind, Verdict
from react_agent.parsers.text.gist import one_line

# Kept by the process: clients and what is known of environments cost more than a task does.
_station = cache(station_at)


def solve_task(task: Task, root: Path | None) -> Solved:
    """`root`: this worker's own folder; without one, a folder in the cache of its machine."""
    try:
        station = _station(root)
        ground = ground_for(task, station)
        if isinstance(ground, Fault):
            return Solved(task.key, fault=ground)
        return solved(task, ground, station)
    except Exception as error:  # noqa: BLE001 - a run ends here
        return Solved(task.key, fault=_fault(error))


def grade_task(task: Task, patch: str, root: Path | None) -> Graded:
    """In a clone of its own, wherever the patch comes from."""
    try:
        if verdict := ungraded(task, patch):
            return Graded(task.key, verdict)
        station = _station(root)
        ground = ground_for(task, station)
        if isinstance(ground, Fault):
            return Graded(task.key, ground.verdict, fault=ground)
        another = partial(fresh, ground, task.conditions, station)
        with another() as given:
            return graded(given, task, patch, another)
    except Exception as error:  # noqa: BLE001 - a run ends here
        fault = _fault(error)
        return Graded(task.key, fault.verdict, fault=fault)


def _fault(error: Exception) -> Fault:
    if isinstance(error, ReactAgentError):
        return Fault(Verdict.CRASHED, Kind.OURS, str(error))
    last = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(last.filename).name}:{last.lineno}"
    text = one_line(f"{type(error).__name__}: {error} ({where})")
    return Fault(Verdict.CRASHED, Kind.OURS, text)
