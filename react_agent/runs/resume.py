"""A run taken up again, from whatever its transcript now says."""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from react_agent.errors import UsageError
from react_agent.issue_to_pr.target import is_pull_wanted
from react_agent.loop import transcript as transcripts
from react_agent.loop.state import State, fold, trees_of
from react_agent.loop.transcript import Transcript
from react_agent.models.endpoint import model_name
from react_agent.parsers.transcript.entries import Event, Seen
from react_agent.parsers.transcript.facts import read_facts, write_facts
from react_agent.parsers.transcript.labels import DEFAULT, Label
from react_agent.procedure.roles import adapted, of_header
from react_agent.profiles.profile import limits_of
from react_agent.profiles.profile_layers import Wanted
from react_agent.runs.project import changed_limits, project_at
from react_agent.runs.reach import reach_event
from react_agent.runs.run_folder import RunFolder, check_own
from react_agent.runs.run_setup import Run, assemble, check_header
from react_agent.runs.surroundings import Surroundings
from react_agent.tools.errors import Damaged
from react_agent.tools.git import adoption, workspace
from react_agent.tools.git.cut import base_of
from react_agent.tools.git.repository import Base
from react_agent.tools.git.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Otherwise:
    """What is no longer as it was."""

    budget: Mapping[str, str] = field(default_factory=dict)
    model: str | None = None
    repository: Path | None = None  # it has moved


def take_up(folder: RunFolder, around: Surroundings, otherwise: Otherwise) -> Run:
    """The run, its work tree as its last step left it."""
    before = fold(transcripts.read(folder.transcript).entries)
    _check(before, folder)
    redact = around.redaction(otherwise.model or before.header["model"])
    transcript, reading = transcripts.reopen(folder.transcript, around.listeners, redact)
    try:
        _check(transcript.state, folder)  # another process may have been at it since
        if reading.torn:
            around.tell("the last entry of the transcript was torn: dropped, and kept as %% torn")
        for line in _unasked(folder.transcript):
            around.tell(f"an Observation that no Action asked for is not used: line {line}")
        return _open(folder, transcript, around, otherwise)
    except BaseException:
        transcript.close()
        raise


def trees_in(folder: RunFolder, state: State) -> set[str]:
    """The checkpoints that a run names, and those of its sub-runs."""
    sub_runs = sorted(folder.path.glob(f"sub/**/{transcripts.NAME}"))
    inner = (fold(transcripts.read(path).entries) for path in sub_runs)
    return set().union(*map(trees_of, (state, *inner)))


def _unasked(path: Path) -> list[int]:
    """The lines of Observations that a person has written where nothing was called."""
    lines = transcripts.contents(path).split(b"\n")
    label = DEFAULT.write(Label.OBSERVATION).encode()
    begins = (number for number, line in enumerate(lines, 1) if line.startswith(label))
    state, found = State(), []
    for entry in transcripts.read(path).entries:
        if isinstance(entry, Seen):
            line = next(begins, 0)
            found += [line] if state.pending is None else []
        state.take(entry)
    return found


def _check(state: State, folder: RunFolder) -> None:
    check_header(state, folder)
    if state.stop and state.stop.is_final and "tests" in state.result:
        send = f"react-agent pr {folder.path.name} sends what it made; "
        raise UsageError(
            f"this run has ended as {state.stop}; {send if is_pull_wanted(state.header) else ''}"
            f"react-agent fork {folder.path.name} --at STEP goes on from an earlier step"
        )
    check_own(folder, state.header.get("run", ""))


def _open(
    folder: RunFolder, transcript: Transcript, around: Surroundings, otherwise: Otherwise
) -> Run:
    header = transcript.state.header
    repository = otherwise.repository or Path(header["repository"])
    base = base_of(repository, header["base"], around.cuts)
    spec = otherwise.model or header["model"]
    before = header.get("amended", "")
    model = model_name(spec, around.settings.models) if otherwise.model else before
    wanted = Wanted(header["profile"], model, tuple(transcript.state.profile))
    changed = changed_limits(wanted, before, around.settings.profiles)
    limits = {**read_facts(header.get("limits", "")), **changed, **otherwise.budget}
    project = project_at(base, wanted, limits, around.settings, around.tell)
    project = adapted(project, of_header(transcript.state.procedure), around.settings.withhold)
    opened = around.open_model(spec)
    place = _place(base, folder, header["branch"], transcript.state, around)
    run = assemble(folder, transcript, place, project, opened, around)
    with contextlib.ExitStack() as undo:
        undo.callback(run.close)
        _taken_up(run, spec, around)
        undo.pop_all()
    return run


def _taken_up(run: Run, spec: str, around: Surroundings) -> None:
    project, transcript = run.project, run.transcript
    amended_before = "amended" in transcript.state.header
    is_other = spec != transcript.state.header["model"]
    transcript.append(
        Event("resumed", around.now().isoformat(timespec="seconds")),
        Event("repository", str(project.base.repository)),
        Event("model", spec),
        *([reach_event(spec, run.commands, around)] if is_other else []),
        *([Event("amended", project.amended)] if amended_before or project.amended else []),
        Event("limits", write_facts(limits_of(project.profile.budget))),
    )
    run.agent.files.bring_back(transcript.state)


def _place(
    base: Base, folder: RunFolder, branch: str, state: State, around: Surroundings
) -> Workspace:
    """The workspace as it is; a new one where it is gone or damaged."""
    older = Workspace(folder.workspace.absolute(), branch, base)
    if adoption.is_older(older):
        _move_out(older, folder, state, around)
    if not folder.workspace.is_dir():
        return workspace.make(base, root=folder.workspace, branch=branch, cuts=around.cuts)
    try:
        return workspace.reopen(base, root=folder.workspace, branch=branch, cuts=around.cuts)
    except Damaged:
        workspace.remove(older)
        return workspace.make(base, root=folder.workspace, branch=branch, cuts=around.cuts)


def _move_out(place: Workspace, folder: RunFolder, state: State, around: Surroundings) -> None:
    """Of a run that an older version began."""
    missing = adoption.move_out(place, around.cuts, trees_in(folder, state))
    lost = [step.number for step in state.steps if step.tree in missing]
    if lost:
        around.tell(
            f"this run began with an older version, and the files after step {lost[0]} were not "
            "kept whole: what changed files from there on is done again"
        )
