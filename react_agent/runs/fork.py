"""A run that begins as another one was after one of its steps, and goes its own way from there.

Of the other one nothing changes: what it has said and seen is copied, with what its checkpoints
hold, where its workspace was kept. Where it was not, the steps that wrote are done again.
"""

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from react_agent.errors import MachineError, UsageError
from react_agent.issue_to_pr.issue import Issue
from react_agent.issue_to_pr.target import TARGET, target_event, target_of
from react_agent.loop import transcript as transcripts
from react_agent.loop.state import NOT_SEEN, PROFILE_FILE, PROFILE_TEXT, State, fold
from react_agent.loop.steps import MAINTAINER
from react_agent.models.endpoint import model_name
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.text.counted import counted
from react_agent.parsers.transcript.entries import HEADER, Entry, Event, Objective, Said, Seen
from react_agent.parsers.transcript.facts import write_facts
from react_agent.profiles.profile import limits_of
from react_agent.profiles.profile_file import Wanted
from react_agent.runs.project import project_at
from react_agent.runs.resume import Otherwise, take_up, trees_in
from react_agent.runs.run_folder import RunFolder, create
from react_agent.runs.run_setup import Names, Run, check_header, names_of
from react_agent.runs.surroundings import Surroundings
from react_agent.tools import disk
from react_agent.tools.git import adoption, workspace
from react_agent.tools.git.cut import base_of

FORKED = "forked"  # event
_OF_A_PROFILE = ("profile", PROFILE_FILE, PROFILE_TEXT, "amended", "limits")


@dataclass(frozen=True, slots=True)
class Fork:
    source: RunFolder
    at: int  # the last step of it that is kept
    say: str = ""  # by a person, behind that step
    profile: str = ""  # none: the one it has


def begin(fork: Fork, around: Surroundings, otherwise: Otherwise) -> Run:
    """The run, open: made whole, or not at all."""
    with transcripts.held(fork.source.transcript):
        kept = kept_of(fork.source, fork.at)
        state = fold(kept)
        check_header(state, fork.source)
        names = names_of(Issue(title_of(state.objective or ""), ""), around)
        header = {**_named(state, names, otherwise)}
        own = _of_profile(fork, header, otherwise, around) if fork.profile else ()
        folder = create(around.runs, names.run)
        with contextlib.ExitStack() as undo:
            undo.callback(disk.remove_all, folder.path)
            _write(folder, (*_begun(kept, header, own, fork), *_said(fork)))
            _copy_files(fork.source, folder, fold(kept), header, around)
            run = take_up(folder, around, otherwise)
            undo.pop_all()
    return run


def kept_of(source: RunFolder, at: int) -> tuple[Entry, ...]:
    """The entries of a run up to the end of this step."""
    entries = transcripts.read(source.transcript).entries
    steps = len(fold(entries).steps)
    if not 0 <= at <= steps:
        raise UsageError(
            f"the run {source.path.name} has {counted(steps, 'step')}: "
            f"--at is a number from 0 to {steps}, not {at}"
        )
    return tuple(_until(entries, at)) if at else tuple(_before_the_first(entries))


def _until(entries: Sequence[Entry], at: int) -> Iterator[Entry]:
    state = State()
    for entry in entries:
        state.take(entry)
        if len(state.steps) == at:  # the next turn ends a step, too, of which nothing was seen
            yield Seen(NOT_SEEN) if isinstance(entry, Said) else entry
            return
        yield entry


def _before_the_first(entries: Iterable[Entry]) -> Iterator[Entry]:
    """The header, the objective, and what the prompts tell of the repository."""
    began = False
    for entry in entries:
        if isinstance(entry, Said):
            return
        if not began or (isinstance(entry, Event) and entry.name == "about"):
            yield entry
        began = began or isinstance(entry, Objective)


def _named(state: State, names: Names, otherwise: Otherwise) -> dict[str, str]:
    """What stands in the header of the new run."""
    repository = otherwise.repository or Path(state.header["repository"])
    own = {"run": names.run, "branch": names.branch, "repository": str(repository)}
    if target := target_of(state.header):  # nothing of it goes anywhere until a person says so
        own[TARGET] = target_event(replace(target, way=())).text
    return {**state.header, **own, "model": otherwise.model or state.header["model"]}


def _of_profile(
    fork: Fork, header: dict[str, str], otherwise: Otherwise, around: Surroundings
) -> tuple[Event, ...]:
    """Another profile comes with limits of its own."""
    base = base_of(Path(header["repository"]), header["base"], around.cuts)
    wanted = Wanted(fork.profile, model_name(header["model"], around.settings.models))
    project = project_at(base, wanted, otherwise.budget, around.settings, lambda line: None)
    amended = [Event("amended", project.amended)] if project.amended else []
    limits = Event("limits", write_facts(limits_of(project.profile.budget)))
    return (Event("profile", project.profile.name), *project.kept, *amended, limits)


def _begun(
    kept: Iterable[Entry], header: dict[str, str], own: Sequence[Event], fork: Fork
) -> Iterator[Entry]:
    """The same, under its own name, and with a line that says what it was."""
    began = False
    for entry in kept:
        if isinstance(entry, Objective):
            yield from own
            yield Event(FORKED, write_facts({"run": fork.source.path.name, "at": str(fork.at)}))
            began = True
        if not isinstance(entry, Event):
            yield entry
        elif entry.name != HEADER and not (own and entry.name in _OF_A_PROFILE):
            yield entry if began else replace(entry, text=_text(entry, header))


def _text(entry: Event, header: dict[str, str]) -> str:
    return header[entry.name] if entry.name in _CHANGED else entry.text


_CHANGED = ("run", "branch", "repository", "model", TARGET)


def _said(fork: Fork) -> Iterator[Event]:
    if fork.say:
        yield Event(MAINTAINER, fork.say)


def _write(folder: RunFolder, entries: Iterable[Entry]) -> None:
    transcripts.create(folder.transcript, entries).close()


def _copy_files(
    source: RunFolder, folder: RunFolder, state: State, header: dict[str, str], around: Surroundings
) -> None:
    base = base_of(Path(header["repository"]), header["base"], around.cuts)
    made = workspace.make(base, root=folder.workspace, branch=header["branch"], cuts=around.cuts)
    try:
        adoption.adopt(made, source.workspace, trees_in(source, state))
        if source.changes.is_file():  # what steps changed that are not done again
            disk.copy(source.changes, folder.changes)
        for name in (step.sub for step in state.steps):
            if name and (source.path / name / transcripts.NAME).is_file():
                disk.mkdir(folder.path / name, parents=True)
                disk.copy(source.path / name / transcripts.NAME, folder.path / name)
    except OSError as error:
        raise MachineError(f"{source.path} can't be copied: {error.strerror}") from error
