"""What a worker does: one function for a task to solve, one to grade what came of it.

They can be sent to another process or machine, and do not raise: a failure is a value, too.
"""

import traceback
from functools import cache
from pathlib import Path

from react_agent.errors import ReactAgentError
from react_agent.eval.ground import ground_for
from react_agent.eval.solving import solved
from react_agent.eval.station import Station, station_at
from react_agent.eval.task import Fault, Solved, Task
from react_agent.eval.verdict import Kind, Verdict

# Kept by the process: clients and what is known of environments cost more than a task does.
_station = cache(station_at)


def solve_task(task: Task, root: Path | None) -> Solved:
    """`root`: this worker's own folder; without one, a folder in the cache of its machine."""
    try:
        station: Station = _station(root)
        ground = ground_for(task, station)
        if isinstance(ground, Fault):
            return Solved(task.key, fault=ground)
        return solved(task, ground, station)
    except Exception as error:  # noqa: BLE001 - a run ends here
        return Solved(task.key, fault=_fault(error))


def _fault(error: Exception) -> Fault:
    if isinstance(error, ReactAgentError):
        return Fault(Verdict.CRASHED, Kind.OURS, str(error))
    last = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(last.filename).name}:{last.lineno}"
    text = " ".join(f"{type(error).__name__}: {error} ({where})".split())
    return Fault(Verdict.CRASHED, Kind.OURS, text)
