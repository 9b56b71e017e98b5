"""A run taken up again, from whatever its transcript now says."""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from react_agent import transcript as transcripts
from react_agent.errors import UsageError
from react_agent.parsers.entries import Event
from react_agent.parsers.facts import read_facts, write_facts
from react_agent.profile import limits_of
from react_agent.run_folder import RunFolder, check_own
from react_agent.run_setup import Run, Surroundings, assemble, check_header, project_at
from react_agent.state import State, fold
from react_agent.tools import workspace
from react_agent.tools.cut import base_of
from react_agent.tools.errors import Damaged
from react_agent.tools.repository import Base
from react_agent.tools.workspace import Workspace
from react_agent.transcript import Transcript


@dataclass(frozen=True, slots=True)
class Otherwise:
    """What is no longer as it was."""

    budget: Mapping[str, str] = field(default_factory=dict)
    model: str | None = None
    repository: Path | None = None  # it has moved


def take_up(folder: RunFolder, around: Surroundings, otherwise: Otherwise) -> Run:
    """The run, its work tree as its last step left it."""
    _check(fold(transcripts.read(folder.transcript).entries), folder)
    transcript, reading = transcripts.reopen(folder.transcript, around.listeners)
    try:
        _check(transcript.state, folder)  # another process may have been at it since
        if reading.torn:
            around.tell("the last entry of the transcript was torn: dropped, and kept as %% torn")
        return _open(folder, transcript, around, otherwise)
    except BaseException:
        transcript.close()
        raise


def _check(state: State, folder: RunFolder) -> None:
    check_header(state, folder)
    if state.stop and state.stop.is_final and "tests" in state.result:
        raise UsageError(
            f"this run has ended as {state.stop}; "
            f"to go on from an earlier step, cut {folder.transcript} behind it"
        )
    check_own(folder, state.header.get("run", ""))


def _open(
    folder: RunFolder, transcript: Transcript, around: Surroundings, otherwise: Otherwise
) -> Run:
    header = transcript.state.header
    repository = otherwise.repository or Path(header["repository"])
    base = base_of(repository, header["base"], around.cuts)
    limits = {**read_facts(header.get("limits", "")), **otherwise.budget}
    project = project_at(base, header["profile"], limits, around)
    spec = otherwise.model or header["model"]
    opened = around.open_model(spec)
    place = _place(base, folder, header["branch"], around)
    run = assemble(folder, transcript, place, project, opened, around)
    with contextlib.ExitStack() as undo:
        undo.callback(run.commands.close)
        _taken_up(run, spec, around)
        undo.pop_all()
    return run


def _taken_up(run: Run, spec: str, around: Surroundings) -> None:
    project, transcript = run.project, run.transcript
    transcript.append(
        Event("resumed", around.now().isoformat(timespec="seconds")),
        Event("repository", str(project.base.repository)),
        Event("model", spec),
        Event("limits", write_facts(limits_of(project.profile.budget))),
    )
    run.agent.files.bring_back(transcript.state)


def _place(base: Base, folder: RunFolder, branch: str, around: Surroundings) -> Workspace:
    """The workspace as it is; a new one where it is gone or damaged."""
    if not folder.workspace.is_dir():
        return workspace.make(base, root=folder.workspace, branch=branch, cuts=around.cuts)
    try:
        return workspace.reopen(base, root=folder.workspace, branch=branch, cuts=around.cuts)
    except Damaged:
        workspace.remove(Workspace(folder.workspace.absolute(), branch, base))
        return workspace.make(base, root=folder.workspace, branch=branch, cuts=around.cuts)
