"""One job: a run, begun or taken up where an earlier worker was killed, and what came of it."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import dropwhile
from pathlib import Path

from react_agent.errors import TranscriptError, UsageError
from react_agent.hook.spool import Spool
from react_agent.issue_to_pr.issue import Issue
from react_agent.loop import transcript as transcripts
from react_agent.loop.state import State, fold
from react_agent.loop.stop import Stop
from react_agent.parsers.transcript.entries import Event, Objective
from react_agent.parsers.transcript.hook_files import Job, Kind
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.run_setup import Request, names_of
from react_agent.runs.solve import Otherwise, resume, solve
from react_agent.runs.surroundings import Surroundings
from react_agent.tools.errors import WorkspaceError
from react_agent.tools.git.repository import enclosing, in_repository

# What is named, what stands in it if it is a text or a file, and the repository.
ReadIssue = Callable[[str, bytes, Path], Issue]


@dataclass(frozen=True, slots=True)
class Playing:
    """What a job is done with."""

    common: Path  # the git folder that all work trees share
    around: Surroundings
    read: ReadIssue
    model: str


def is_begun(job: Job, around: Surroundings) -> bool:
    return _state(job, around) is not None


def played(job: Job, spool: Spool, playing: Playing) -> Job:
    """As it is to be kept; without an end where it was interrupted."""
    around, place = playing.around, place_of(job, playing.common)
    state = _state(job, around)
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
        if top and _common(top) == common.resolve():
            return top
    except WorkspaceError:
        pass
    return common


def _common(top: Path) -> Path | None:
    with in_repository(top) as git:
        answer = git.ask("rev-parse", "--path-format=absolute", "--git-common-dir")
    return None if answer.code else Path(os.fsdecode(answer.out).removesuffix("\n")).resolve()


def _state(job: Job, around: Surroundings) -> State | None:
    return run_state(job, around.runs)


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


def _made(folder: RunFolder) -> str:
    """The branch that came of it; the header names one too, that it was to be."""
    entries = transcripts.read(folder.transcript).entries
    after = dropwhile(lambda entry: not isinstance(entry, Objective), entries)
    made = [one.text for one in after if isinstance(one, Event) and one.name == "branch"]
    return made[-1] if made else ""


def _ended(job: Job, around: Surroundings) -> Job:
    state = _state(job, around)
    if state is None or state.stop is Stop.INTERRUPTED:
        return job
    folder = RunFolder(around.runs / job.run)
    if state.stop is Stop.CONCLUDED and (branch := _made(folder)):
        return replace(job, ended="done", branch=branch, said=f"branch {branch}")
    if state.stop is Stop.CONCLUDED:
        return replace(job, ended="unchanged", said=f"nothing to change; {folder.report}")
    why = f"{state.stop or 'not ended'}: {state.stop_reason}".rstrip(": ")
    return replace(job, ended="failed", said=f"no branch: {why}; {folder.report}")
