"""The tasks of a worker: one function solves a task, and another one grades the result.

Both functions can be sent to another process or machine. They return a failure as a value.
"""

import re
import traceback
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

from react_agent.errors import ReactAgentError
from react_agent.eval.environment import fresh, ground_for
from react_agent.eval.grading.judging import graded, ungraded
from react_agent.eval.reading import fault_of
from react_agent.eval.station import CannotOpen, Ground, Station, scratch, station_at
from react_agent.eval.task import Arm, Fault, Graded, Kind, Solved, Task, Verdict
from react_agent.eval.without import profile_without
from react_agent.issue_to_pr.issue import Issue
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.text.gist import one_line
from react_agent.runs.run_folder import CHANGES
from react_agent.runs.run_setup import Names, Request
from react_agent.runs.solve import solve
from react_agent.state.state import Ending, Stop
from react_agent.state.transcript import NAME
from react_agent.tools import clock, disk

_FILES = (NAME, "patch.diff", CHANGES, f"sub/**/{NAME}", f"sub/**/{CHANGES}")
_NOT_PLAIN = re.compile(r"[^\w.+-]+")
_LONGEST = 120  # characters of a folder's name


def solved(task: Task, ground: Ground, station: Station) -> Solved:
    """Solve a task and return its result, even if it failed. Raises KeyboardInterrupt."""
    began, cpu = clock.monotonic(), clock.process_time()
    with scratch(station.site) as place:
        around = station.surroundings(task.conditions, ground, place)
        try:
            profile = _profile(task.arm, around.settings.profiles, place)
            outcome = solve(_request(task, ground, profile), around)
        except CannotOpen as error:
            fault = Fault(Verdict.CRASHED, Kind.ENDPOINT, str(error))
            return Solved(task.key, seconds=clock.monotonic() - began, fault=fault)
        if outcome.stop is Stop.INTERRUPTED:
            raise KeyboardInterrupt
        files = dict(_files(outcome.folder.path))
        patch = files.pop("patch.diff", b"").decode(errors="surrogateescape")
    return Solved(
        task.key,
        # A patch that the run itself gave up on is not an answer to the issue.
        patch="" if outcome.ending in (Stop.GAVE_UP, Ending.TESTS_FAILED) else patch,
        files=files,
        seconds=clock.monotonic() - began,
        cpu_s=clock.process_time() - cpu,
        fault=fault_of(outcome.state),
    )


def _profile(arm: Arm, own: Path, place: Path) -> str:
    """Return the name of the profile, or a file with the profile if parts were removed from it."""
    if not arm.without:
        return arm.profile
    file = place / f"{arm.name}.cfg"
    disk.write_text(file, profile_without(arm.profile, arm.without, own))
    return str(file)


def _request(task: Task, ground: Ground, profile: str) -> Request:
    text, key = task.instance.problem, task.key
    return Request(
        Issue(title_of(text), text),
        ground.base.repository,
        ground.base.commit,
        task.arm.model.replace("{id}", key.instance).replace("{n}", str(key.number)),
        task.arm.budget,
        publish=False,
        names=Names(_plain(str(key)), "react-agent/solution"),
        profile=profile,
    )


def _plain(text: str) -> str:
    """Return the text as a safe file name."""
    return _NOT_PLAIN.sub("-", text)[-_LONGEST:].strip(".-") or "run"


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files that the run itself wrote, in folders where commands can't write."""
    for pattern in _FILES:
        for path in sorted(folder.glob(pattern)):
            yield str(path.relative_to(folder)), disk.read_bytes(path)


# One station per process: making clients and probing environments costs more than a task.
_station = cache(station_at)


def solve_task(task: Task, root: Path | None) -> Solved:
    """Solve a task. `root` is the worker's folder, or None for the machine's cache folder."""
    try:
        station = _station(root)
        ground = ground_for(task, station)
        if isinstance(ground, Fault):
            return Solved(task.key, fault=ground)
        return solved(task, ground, station)
    except Exception as error:  # noqa: BLE001 - a run ends here
        return Solved(task.key, fault=_fault(error))


def grade_task(task: Task, patch: str, root: Path | None) -> Graded:
    """Grade a patch in a clone of its own, whatever the source of the patch is."""
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
