"""A run taken up again, from whatever its transcript now says."""

import contextlib
from collections.abc import Mapping
from pathlib import Path

from react_agent import transcript as transcripts
from react_agent.errors import UsageError
from react_agent.parsers.entries import Event, Reading
from react_agent.parsers.facts import read_facts, write_facts
from react_agent.profile import limits_of
from react_agent.run_folder import RunFolder
from react_agent.run_setup import Run, Surroundings, assemble, project_at
from react_agent.state import State
from react_agent.tools import checkpoint, workspace
from react_agent.tools.errors import WorkspaceError
from react_agent.tools.repository import Base, find_base
from react_agent.tools.workspace import Workspace
from react_agent.transcript import Transcript


def take_up(
    folder: RunFolder,
    around: Surroundings,
    *,
    budget: Mapping[str, str],
    model: str | None,
) -> Run:
    """The run, its work tree as its last step left it."""
    transcript, reading = transcripts.reopen(folder.transcript, around.listeners)
    try:
        _check(transcript.state, folder)
        return _open(folder, transcript, reading, around, budget, model)
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


def _open(
    folder: RunFolder,
    transcript: Transcript,
    reading: Reading,
    around: Surroundings,
    budget: Mapping[str, str],
    model: str | None,
) -> Run:
    state = transcript.state
    if reading.torn:
        around.tell("the last entry of the transcript was torn: it is dropped (kept as %% torn)")
    base = find_base(Path(state.header["repository"]), state.header["base"])
    limits = {**read_facts(state.header.get("limits", "")), **budget}
    project = project_at(base, state.header["profile"], limits, around)
    spec = model or state.header["model"]
    opened = around.open_model(spec)
    place = _place(base, folder, state.header["branch"], around)
    run = assemble(folder, transcript, place, project, opened, around)
    transcript.append(
        Event("resumed", around.now().isoformat(timespec="seconds")),
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
