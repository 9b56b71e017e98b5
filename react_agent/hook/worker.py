"""Works through the queue: one process at a time, one job after the other.

A job is a run, begun or taken up where an earlier worker was killed.
"""

import contextlib
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from react_agent.errors import MachineError, ReactAgentError, TranscriptError, UsageError
from react_agent.hook.queue import Spool, has_room, read_day, remark, tell, told, write_day
from react_agent.hook.requests import jobs_of
from react_agent.issue_to_pr.issue import Issue
from react_agent.loop import transcript as transcripts
from react_agent.loop.state import OUTCOME, State, fold
from react_agent.loop.stop import Ending, Stop
from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.transcript.hook_files import Job, Kind, read_request
from react_agent.profiles.settings import HookPolicy
from react_agent.runs.commands import Surroundings
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.run_setup import Request, names_of
from react_agent.runs.solve import Otherwise, resume, solve
from react_agent.tools import disk
from react_agent.tools.disk import unless_taken
from react_agent.tools.errors import WorkspaceError
from react_agent.tools.git.repository import enclosing, in_repository

MOST_TRIES = 3

# What is named, what stands in it if it is a text or a file, and the repository.
ReadIssue = Callable[[str, bytes, Path], Issue]


@dataclass(frozen=True, slots=True)
class Playing:
    """What a job is done with."""

    common: Path  # the git folder that all work trees share
    around: Surroundings
    read: ReadIssue
    model: str


def played(job: Job, spool: Spool, playing: Playing) -> Job:
    """As it is to be kept; without an end where it was interrupted."""
    around, place = playing.around, place_of(job, playing.common)
    state = run_state(job, around.runs)
    if state is None:
        issue = _issue(job, place, playing)
        names = names_of(issue, around, playing.model)
        job = replace(job, run=names.run, branch=names.branch)
        spool.note(job)  # before there is a run, so that it is found again
        keep = around.settings.keep
        solve(Request(issue, place, job.commit, playing.model, names=names, keep=keep), around)
    elif not has_ended(state):
        otherwise = Otherwise(repository=place)
        resume(RunFolder(around.runs / job.run), around, otherwise, keep=around.settings.keep)
    return _ended(job, around)


def has_ended(state: State) -> bool:
    """The model has ended it, and all was made of it that is to be."""
    return bool(state.stop and state.stop.is_final and "tests" in state.result)


def run_state(job: Job, runs: Path) -> State | None:
    """None where there is no run that can be taken up."""
    try:
        state = fold(transcripts.read(RunFolder(runs / job.run).transcript).entries)
    except TranscriptError:
        return None
    return state if job.run and state.objective is not None else None


def place_of(job: Job, common: Path) -> Path:
    """The work tree that it was asked from, while it is one of this repository."""
    try:
        top = enclosing(Path(job.top))
        if top is None:
            return common
        with in_repository(top) as git:
            answer = git.ask("rev-parse", "--path-format=absolute", "--git-common-dir")
    except WorkspaceError:
        return common
    its = Path(os.fsdecode(answer.out).removesuffix("\n")).resolve()
    return top if not answer.code and its == common.resolve() else common


def _issue(job: Job, place: Path, playing: Playing) -> Issue:
    if job.kind == Kind.FILE:
        return playing.read("-", _file(job, playing.common), place)
    if job.kind == Kind.REFERENCE:
        return playing.read(job.words, b"", place)
    return playing.read("-", job.text.encode(errors="replace"), place)


def _file(job: Job, common: Path) -> bytes:
    with in_repository(common) as git:
        answer = git.ask("cat-file", "blob", f"{job.commit}:{job.words}")
    if answer.code:
        raise UsageError(f"the commit {job.commit[:7]} has no file {job.words}: add it, and amend")
    return answer.out


def _ended(job: Job, around: Surroundings) -> Job:
    state = run_state(job, around.runs)
    if state is None or state.stop is Stop.INTERRUPTED:
        return job
    folder = RunFolder(around.runs / job.run)
    if state.stop is Stop.CONCLUDED and (branch := state.result.get("branch")):
        fails = state.result.get(OUTCOME) == Ending.TESTS_FAILED
        said = f"branch {branch}{', but its tests fail' if fails else ''}"
        return replace(job, ended="done", branch=branch, said=said)
    if state.stop is Stop.CONCLUDED:
        return replace(job, ended="unchanged", said=f"nothing to change; {folder.report}")
    why = f"{state.stop or 'not ended'}: {state.stop_reason}".rstrip(": ")
    return replace(job, ended="failed", said=f"no branch: {why}; {folder.report}")


@dataclass(frozen=True, slots=True)
class Worker:
    spool: Spool
    policy: HookPolicy
    open: Callable[[Path], AbstractContextManager[Playing]]  # for a job, by its log
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
        for path in worker.spool.requests():
            if not _took(path, worker):
                break  # the queue is full
            disk.unlink(path, missing_ok=True)
        job = _next(worker.spool)
        if job is None:
            return True
        if not _one(job, worker):
            return False


def _next(spool: Spool) -> Job | None:
    """First what an earlier worker was killed in."""
    return next((job for folder in ("work", "queue") for job in spool.jobs(folder)), None)


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
            if job.run and run_state(job, playing.around.runs) is None:
                job = replace(job, run="")
            return played(job, worker.spool, playing)
    except MachineError:
        raise  # of the machine, not of the job: it is tried again
    except ReactAgentError as error:
        begun = (one for one in worker.spool.jobs("work") if one.key == job.key)
        return _failed(next(begun, job), str(error))  # with the run that it has begun meanwhile


def _failed(job: Job, why: str) -> Job:
    return replace(job, ended="failed", said=f"no branch: {why}")


def _waiting(spool: Spool) -> str:
    number = len(spool.jobs("queue")) + len(spool.jobs("work"))
    return "1 job has" if number == 1 else f"{number} jobs have"
