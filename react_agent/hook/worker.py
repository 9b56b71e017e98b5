"""The worker, which processes the queue: one process at a time, one job after the other.

For each job it starts a run, or resumes the run if an earlier worker was killed.
"""

import contextlib
import hashlib
import os
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from textwrap import indent

from react_agent.errors import MachineError, ReactAgentError, TranscriptError, UsageError
from react_agent.hook.queue import LOCK, Spool, read_day, tell, told, write_day
from react_agent.issue_to_pr.declared_checks import PATH, as_argument
from react_agent.issue_to_pr.delivery import forge_for
from react_agent.issue_to_pr.issue import read_issue
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.printed import plain
from react_agent.parsers.transcript.hook_files import (
    HookRequest,
    Job,
    Kind,
    Push,
    read_request,
    requests_in,
)
from react_agent.profiles.profile import Profile
from react_agent.profiles.settings import HookPolicy, read_repository_settings
from react_agent.runs.commands import Surroundings, prepared
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.run_setup import Request, names_of
from react_agent.runs.solve import Otherwise, resume, solve
from react_agent.state import transcript as transcripts
from react_agent.state.state import OUTCOME, Ending, State, Stop, fold
from react_agent.tools import disk
from react_agent.tools.clip import clip_line
from react_agent.tools.context import Context
from react_agent.tools.disk import locked, remove_tree
from react_agent.tools.errors import WorkspaceError
from react_agent.tools.git import workspace
from react_agent.tools.git.door import Git
from react_agent.tools.git.repository import (
    Base,
    common_dir,
    enclosing,
    file_at,
    find_base,
    in_repository,
)
from react_agent.tools.shell import shell

_SELECTION = "{selection}"
_SHOWN_LINES = 20
_MOST_FILES = 50


def jobs_of(request: HookRequest, git: Git, at: str) -> list[Job]:
    text = git.run("cat-file", "commit", request.commit).decode(errors="replace")
    # An amended commit has another hash, but the same author and author's date.
    author = git.run("log", "-1", "--format=%an <%ae> %ad", "--date=raw", request.commit)
    found = list[Job]()
    for asked in requests_in(text.partition("\n\n")[2]):
        text = asked.words if asked.kind is Kind.TEXT else ""
        file = f"{request.commit}:{asked.words}" if asked.kind is Kind.FILE else ""
        blob = git.ask("rev-parse", "--verify", "--quiet", file).out if file else b""
        found.append(
            Job(
                key=key_of(
                    "commit", os.fsdecode(author), asked.kind, asked.words, os.fsdecode(blob)
                ),
                hook=request.hook,
                kind=asked.kind,
                words=title_of(text) or asked.words,
                commit=request.commit,
                top=request.top,
                at=at,
                text=text,
            )
        )
    return found


def key_of(*parts: str) -> str:
    data = "\0".join(parts).encode(errors="surrogateescape")
    return hashlib.sha256(data).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Failure:
    command: str
    how: str
    output: str  # the end of it


def failures(
    repository: Path, push: Push, around: Surroundings, seconds: float
) -> tuple[Failure, ...]:
    """Run the `test` and `lint` commands that the pushed commit declares. Return the failures."""
    base = find_base(repository, push.new)
    settings = read_repository_settings(lambda name: file_at(base, name))
    commands = list(_lines(settings.commands, push, base))
    if not commands:
        return ()
    folder = RunFolder(around.runs.parent / "checks" / f"{push.new[:12]}-{around.token()}")
    around = replace(around, cuts=folder.path / "cuts")  # else each push would leave one for ever
    try:
        place = workspace.make(
            base, root=folder.workspace, branch="react-agent/check", cuts=around.cuts
        )
        ready = prepared(folder, place, settings, around, Profile())
        with closing(ready):
            run = (_failure(command, ready.context, seconds) for command in commands)
            return tuple(one for one in run if one)
    finally:
        remove_tree(folder.path)


def job_of(push: Push, failed: Sequence[Failure], top: Path, at: str) -> Job:
    """Return the job for a run that is to make the failed checks pass."""
    title = f"Make the checks of {push.new[:12]} pass"
    shown = "\n\n".join(
        f"`{one.command}` {one.how}:\n\n{indent(one.output, '    ', bool)}" for one in failed
    )
    words = f"{title}\n\nThese checks fail at the commit to be pushed:\n\n{shown}\n"
    key = key_of("pre-push", push.new)
    return Job(key, "pre-push", Kind.TEXT, title, push.new, str(top), at, text=words)


def _lines(commands: Mapping[str, str], push: Push, base: Base) -> Iterator[str]:
    lint, test = commands.get("lint", ""), commands.get("test", "")
    if PATH in lint:
        names = map(as_argument, _changed_files(push, base))
        yield from (lint.replace(PATH, shlex.quote(name)) for name in names)
    elif lint.strip():
        yield lint
    if test.strip():
        yield test.replace(_SELECTION, "")


def _changed_files(push: Push, base: Base) -> list[str]:
    """Return the files that a push adds or changes, or only its last commit if it is a new branch
    or the branch's commit at the remote is not here.
    """
    diff = (
        *("diff-tree", "-r", "-z", "--root", "--diff-merges=first-parent", "--no-commit-id"),
        *("--name-only", "--diff-filter=AM"),
    )
    with in_repository(base.repository) as git:
        listed = git.ask(*diff, push.old, push.new)
        found = git.run(*diff, push.new) if listed.code else listed.out
    return [name for name in os.fsdecode(found).split("\0") if name][:_MOST_FILES]


def _failure(command: str, context: Context, seconds: float) -> Failure | None:
    done = shell.run_sandboxed(shell.words(command), context, timeout_s=seconds)
    if done.code == 0 and not done.timed_out:
        return None
    text = plain(done.output.decode(errors="replace")).strip()
    lines = [clip_line(line, context.limits.line_chars) for line in text.split("\n")]
    how = f"hit the limit {done.hit}" if done.hit else f"ended with exit code {done.code}"
    how = f"took more than {seconds:g} s" if done.timed_out else how
    return Failure(command, how, "\n".join(lines[-_SHOWN_LINES:]))


MOST_TRIES = 3


def played(job: Job, spool: Spool, around: Surroundings) -> Job:
    """Do the job and return its updated record. An interrupted job is not marked as ended."""
    common, settings = spool.root.parent, around.settings
    place, state = place_of(job, common), run_state(job, around.runs)
    if state is None:
        named = job.words if job.kind == Kind.REFERENCE else "-"
        given = job.text.encode(errors="replace")
        if job.kind == Kind.FILE:
            with in_repository(common) as git:
                answer = git.ask("cat-file", "blob", f"{job.commit}:{job.words}")
            if answer.code:
                where = f"the commit {job.commit[:7]} has no file {job.words}"
                raise UsageError(f"{where}: add it and amend the commit")
            given = answer.out
        forge, model = forge_for(place, "", around), settings.model or ""
        issue = read_issue(named, lambda most: given[:most], forge, settings.speak)
        names = names_of(issue, around, model)
        job = replace(job, run=names.run, branch=names.branch)
        spool.write("work", job)  # before the run begins, so that it is found again
        keep = settings.keep
        solve(Request(issue, place, job.commit, model, names=names, keep=keep), around)
    elif not state.is_complete:
        otherwise = Otherwise(repository=place)
        resume(RunFolder(around.runs / job.run), around, otherwise, keep=settings.keep)
    return _ended(job, around)


def run_state(job: Job, runs: Path) -> State | None:
    """Return the state of the job's run, or None if there is no run to resume."""
    try:
        state = fold(transcripts.read(RunFolder(runs / job.run).transcript).entries)
    except TranscriptError:
        return None
    return state if job.run and state.objective is not None else None


def place_of(job: Job, common: Path) -> Path:
    """Return the work tree that requested the job, if it still belongs to this repository."""
    try:
        top = enclosing(Path(job.top))
        return top if top and common_dir(top) == common.resolve() else common
    except WorkspaceError:
        return common


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
    open: Callable[[Path], AbstractContextManager[Surroundings]]  # of a job's run, by its log
    now: Callable[[], datetime]
    clock: Callable[[], float]
    say: Callable[[str], None]


def work(worker: Worker) -> bool:
    """Process jobs until none is left. Return False if another worker is running.

    The queue is checked again after the lock is released, because a worker that was started in the
    meantime found it locked.
    """
    while True:
        with locked(worker.spool.root / LOCK, wait=False) as is_ours:
            if not is_ours:
                return False
            goes_on = _work_off(worker)
        if not goes_on or not (worker.spool.requests() or _next(worker.spool)):
            return True


def _work_off(worker: Worker) -> bool:
    """Process the queued jobs. Return whether it makes sense to look for more."""
    while True:
        for path in worker.spool.requests():
            _take(path, worker)
            disk.unlink(path, missing_ok=True)
        job = _next(worker.spool)
        if job is None:
            return True
        if not _one(job, worker):
            return False


def _next(spool: Spool) -> Job | None:
    """Return the next job. A job that was left by a killed worker comes first."""
    return next((job for folder in ("work", "queue") for job in spool.jobs(folder)), None)


def _take(path: Path, worker: Worker) -> None:
    """Queue the jobs of a request that are not known yet."""
    spool = worker.spool
    try:
        request = read_request(disk.read_bytes(path).decode(errors="surrogateescape"))
        with in_repository(spool.root.parent) as git:
            at = worker.now().isoformat(timespec="seconds")
            jobs = jobs_of(request, git, at)
    except MachineError:
        raise
    except (ParseError, ReactAgentError) as error:
        worker.say(f"the request {path.name} is not used: {error}")
        return
    for job in jobs:
        if not spool.knows(job):
            spool.write("queue", job)


def _one(job: Job, worker: Worker) -> bool:
    """Do one job. Return whether the next one may begin."""
    if job.ended:  # its worker was killed before it put it away
        worker.spool.end(job)
        return True
    spool, today = worker.spool, f"{worker.now():%Y-%m-%d}"
    day = read_day(spool.root / "day", today)
    is_new, policy = not job.run, worker.policy
    if day.seconds >= policy.seconds or (is_new and day.runs >= policy.runs):
        line = f"{_waiting(spool)} must wait until tomorrow: today's budget has been spent"
        tell(spool, "day", line)
        worker.say(line)
        return False
    job = replace(job, tries=str(int(job.tries) + 1))
    if not (spool.root / "work" / job.key).exists():
        spool.move(job, "queue", "work")
    write_day(spool.root / "day", replace(day, runs=day.runs + is_new))
    began = worker.clock()
    try:
        job = _tried(job, worker)
        is_new = is_new and bool(job.run)
    except MachineError as error:
        begun = _begun(job, spool)  # with its run, which the next worker resumes
        is_new = is_new and bool(begun.run)
        with contextlib.suppress(MachineError):  # this does not count as a try
            spool.write("work", replace(begun, tries=str(int(job.tries) - 1)))
            tell(spool, "machine", f"{_waiting(spool)} must wait: {error}")
        raise
    finally:
        seconds = day.seconds + worker.clock() - began
        write_day(spool.root / "day", replace(day, runs=day.runs + is_new, seconds=seconds))
    if not job.ended:  # interrupted: the next worker goes on with it
        spool.write("work", replace(job, tries="0"))
        return False
    tell(spool, job.key, told(job))
    spool.end(job)
    return True


def _tried(job: Job, worker: Worker) -> Job:
    worker.spool.write("work", job)
    if int(job.tries) > MOST_TRIES:
        return _failed(job, f"it was started {MOST_TRIES} times, and interrupted each time")
    worker.say(f"{worker.now():%Y-%m-%d %H:%M:%S} {job.key} {job.title}")
    try:
        with worker.open(worker.spool.root / "logs" / f"{job.key}.log") as around:
            if job.run and run_state(job, around.runs) is None:
                job = replace(job, run="")
            return played(job, worker.spool, around)
    except MachineError:
        raise  # the machine's fault, not the job's: it is tried again
    except ReactAgentError as error:
        return _failed(_begun(job, worker.spool), str(error))


def _begun(job: Job, spool: Spool) -> Job:
    """Return the job as it was last written, with the run that it has begun meanwhile."""
    return next((one for one in spool.jobs("work") if one.key == job.key), job)


def _waiting(spool: Spool) -> str:
    return counted(len(spool.jobs("queue")) + len(spool.jobs("work")), "job")


def _failed(job: Job, why: str) -> Job:
    return replace(job, ended="failed", said=f"no branch: {why}")
