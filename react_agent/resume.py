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
from react_agent.run_setup import Run, Surroundings, assemble, project_at
from react_agent.state import State, fold
from react_agent.tools import checkpoint, workspace
from react_agent.tools.errors import WorkspaceError
from react_agent.tools.repository import Base, find_base
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
        if reading.torn:
            around.tell("the last entry of the transcript was torn: dropped, and kept as %% torn")
        return _open(folder, transcript, around, otherwise)
    except BaseException:
        transcript.close()
        raise


def _check(state: State, folder: RunFolder) -> None:
    missing = {"repository", "base", "branch", "profile", "model"} - state.header.keys()
    if state.objective is None or missing:
        raise UsageError(
            f"{folder.transcript} ends before its objective: there is nothing to resume"
        )
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
    base = find_base(repository, header["base"])
    limits = {**read_facts(header.get("limits", "")), **otherwise.budget}
    project = project_at(base, header["profile"], limits, around)
    spec = otherwise.model or header["model"]
    opened = around.open_model(spec)
    place = _place(base, folder, header["branch"], around)
    run = assemble(folder, transcript, place, project, opened, around)
    transcript.append(
        Event("resumed", around.now().isoformat(timespec="seconds")),
        Event("repository", str(base.repository)),
        Event("model", spec),
        Event("limits", write_facts(limits_of(project.profile.budget))),
    )
    bring_back(run, around)
    return run


def _place(base: Base, folder: RunFolder, branch: str, around: Surroundings) -> Workspace:
    """The workspace as it is; a new one where it is gone or damaged."""
    if folder.workspace.is_dir():
        with contextlib.suppress(WorkspaceError):
            return workspace.reopen(base, root=folder.workspace, branch=branch, cuts=around.cuts)
        workspace.remove(Workspace(folder.workspace, branch, base))
    return workspace.make(base, root=folder.workspace, branch=branch, cuts=around.cuts)


def bring_back(run: Run, around: Surroundings) -> None:
    """The work tree as it was after the last step: from its checkpoint, or by doing it again."""
    place, tree = run.workspace, run.transcript.state.tree
    if not tree:
        checkpoint.restore(place, place.base.commit)
    elif checkpoint.holds(place, tree):
        checkpoint.restore(place, tree)
    else:
        _do_again(run, around)


def _do_again(run: Run, around: Surroundings) -> None:
    checkpoint.restore(run.workspace, run.workspace.base.commit)
    for step in run.transcript.state.steps:
        expected = step.seen.facts.get("tree")
        if not expected:
            continue
        run.agent.registry.call(step.said.turn.action, step.said.turn.input, run.agent.context)
        if checkpoint.take(run.workspace) != expected:
            around.tell(f"step {step.number}, done again, left other files than it did before")
