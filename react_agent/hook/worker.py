"""Works through the queue: one process at a time, one job after the other."""

import contextlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from react_agent.errors import MachineError, ReactAgentError
from react_agent.hook.asked import jobs_of
from react_agent.hook.day import read_day, write_day
from react_agent.hook.job_run import Playing, is_begun, played
from react_agent.hook.policy import Policy
from react_agent.hook.spool import Spool, has_room
from react_agent.hook.telling import remark, tell, told
from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.transcript.hook_files import Job, read_request
from react_agent.tools import disk
from react_agent.tools.disk import unless_taken
from react_agent.tools.git.repository import in_repository

MOST_TRIES = 3

OpenPlaying = Callable[[Path], AbstractContextManager[Playing]]


@dataclass(frozen=True, slots=True)
class Worker:
    spool: Spool
    policy: Policy
    open: OpenPlaying  # for a job, by the file that says how it goes on
    now: Callable[[], datetime]
    clock: Callable[[], float]
    say: Callable[[str], None]

    @property
    def common(self) -> Path:
        return self.spool.root.parent


def work(worker: Worker) -> bool:
    """Until nothing is left that may be done; False: another one is at it.

    Looks again once the lock is free: whoever asked meanwhile has started one that found it taken.
    """
    while True:
        with unless_taken(worker.spool.lock) as is_ours:
            if not is_ours:
                return False
            goes_on = _work_off(worker)
        if not goes_on or not (worker.spool.requests() or _next(worker.spool)):
            return True


def _work_off(worker: Worker) -> bool:
    """Whether it makes sense to look for more."""
    while True:
        _take_requests(worker)
        job = _next(worker.spool)
        if job is None:
            return True
        if not _one(job, worker):
            return False


def _next(spool: Spool) -> Job | None:
    """First what an earlier worker was killed in."""
    return next((job for folder in ("work", "queue") for job in spool.jobs(folder)), None)


def _take_requests(worker: Worker) -> None:
    for path in worker.spool.requests():
        if not _took(path, worker):
            return  # the queue is full
        disk.unlink(path, missing_ok=True)


def _took(path: Path, worker: Worker) -> bool:
    spool = worker.spool
    try:
        request = read_request(disk.read_bytes(path).decode(errors="surrogateescape"))
        with in_repository(worker.common) as git:
            at = worker.now().isoformat(timespec="seconds")
            jobs, said = jobs_of(request, git, at)
    except MachineError:
        raise
    except (ParseError, ReactAgentError) as error:
        worker.say(f"the request {path.name} is not used: {error}")
        return True
    for line in said:
        tell(spool, path.name, line)
    for job in jobs:
        if spool.knows(job):
            continue
        if not has_room(spool):
            return False
        spool.put(job)
    return True


def _one(job: Job, worker: Worker) -> bool:
    """Whether the next one may be begun."""
    spool, today = worker.spool, f"{worker.now():%Y-%m-%d}"
    day = read_day(spool.root / "day", today)
    is_new = not job.run
    if not day.allows(worker.policy, begins=is_new):
        tell(spool, "day", f"{_waiting(spool)} to wait until tomorrow: the budget of today is used")
        return False
    job = replace(job, tries=str(int(job.tries) + 1))
    if not (spool.root / "work" / job.key).exists():
        spool.claim(job)
    write_day(spool.root / "day", replace(day, runs=day.runs + is_new))
    began = worker.clock()
    try:
        job = _tried(job, worker)
        is_new = is_new and bool(job.run)
    except MachineError as error:
        with contextlib.suppress(MachineError):
            tell(spool, "machine", f"{_waiting(spool)} to wait: {error}")
        raise
    finally:
        seconds = day.seconds + worker.clock() - began
        write_day(spool.root / "day", replace(day, runs=day.runs + is_new, seconds=seconds))
    if not job.ended:  # interrupted: the next worker goes on with it
        spool.note(replace(job, tries="0"))
        return False
    remark(job, worker.common, worker.say)
    tell(spool, job.key, told(job))
    spool.end(job)
    return True


def _tried(job: Job, worker: Worker) -> Job:
    worker.spool.note(job)
    if int(job.tries) > MOST_TRIES:
        return _failed(job, f"it was begun {MOST_TRIES} times, and each time it was cut off")
    worker.say(f"{worker.now():%Y-%m-%d %H:%M:%S} {job.key} {job.title}")
    try:
        with worker.open(worker.spool.log(job)) as playing:
            if job.run and not is_begun(job, playing.around):
                job = replace(job, run="")
            return played(job, worker.spool, playing)
    except MachineError:
        raise  # of the machine, not of the job: it is tried again
    except ReactAgentError as error:
        return _failed(_noted(job, worker.spool), str(error))


def _noted(job: Job, spool: Spool) -> Job:
    """With the run that it has begun meanwhile."""
    return next((one for one in spool.jobs("work") if one.key == job.key), job)


def _failed(job: Job, why: str) -> Job:
    return replace(job, ended="failed", said=f"no branch: {why}")


def _waiting(spool: Spool) -> str:
    number = len(spool.jobs("queue")) + len(spool.jobs("work"))
    return "1 job has" if number == 1 else f"{number} jobs have"
