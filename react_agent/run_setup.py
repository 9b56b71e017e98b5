"""What a run is made from, and the parts of it that are open while it goes on."""

import contextlib
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from react_agent import transcript as transcripts
from react_agent.agent import Agent
from react_agent.commands import Commands, Outer, Shown, prepared
from react_agent.delegate import PROFILE as SUB_PROFILE
from react_agent.delegate import Helper, delegated, sub_name
from react_agent.errors import UsageError
from react_agent.guards import GUARDS
from react_agent.issue import Issue
from react_agent.models.contract import Model, Show
from react_agent.models.spec import REPLAY
from react_agent.parsers.entries import Entry, Event, Objective
from react_agent.parsers.facts import read_facts, write_facts
from react_agent.parsers.hidden import Hidden
from react_agent.parsers.issue import slug_of, title_of
from react_agent.parsers.tokens import estimate_tokens
from react_agent.parsers.tool_name import folded
from react_agent.profile import Profile, find_profile, limits_of, shipped, with_limits
from react_agent.run_folder import RunFolder, create
from react_agent.settings import RepositorySettings, Settings, read_repository_settings
from react_agent.state import State, fold
from react_agent.toolbox import registry_for, with_settings
from react_agent.tools.argument import can_be_passed
from react_agent.tools.registry import Registry
from react_agent.tools.repo_map import repo_map
from react_agent.tools.repository import Base, file_at, find_base
from react_agent.tools.sandbox import NONE
from react_agent.tools.workspace import Workspace, make
from react_agent.transcript import Listener, Transcript
from react_agent.view import instructions
from react_agent.work_tree import WorkTree


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the edge knows and hands in: places, clocks, the environment, the terminal."""

    runs: Path
    cuts: Path
    environment: Mapping[str, str]
    own_prefix: Path  # our own virtual environment, which commands must not see
    settings: Settings
    now: Callable[[], datetime]
    clock: Callable[[], float]
    token: Callable[[], str]  # a few random letters
    open_model: Callable[[str], Model]
    show: Show  # what the model says, as it says it
    tell: Callable[[str], None]  # what a person should hear, a line each
    listeners: tuple[Listener, ...] = ()
    close: Callable[[], None] = lambda: None  # connections that models have opened


@dataclass(frozen=True, slots=True)
class Names:
    run: str
    branch: str


@dataclass(frozen=True, slots=True)
class Request:
    issue: Issue
    repository: Path
    revision: str
    model: str
    budget: Mapping[str, str] = field(default_factory=dict)
    keep: bool = False  # the workspace, whatever the end
    publish: bool = True
    names: Names | None = None  # made of the issue if there are none
    about: tuple[str, ...] = ()  # what the prompt tells of the repository; none: found out
    profile: str = ""  # none: the one of the settings


@dataclass(frozen=True, slots=True)
class Project:
    """The repository at the base commit, and how a run works on it."""

    base: Base
    settings: RepositorySettings
    profile: Profile
    registry: Registry


@dataclass(frozen=True, slots=True)
class Run:
    """An open run."""

    folder: RunFolder
    transcript: Transcript
    workspace: Workspace
    project: Project
    agent: Agent
    commands: Commands


def begin(request: Request, around: Surroundings) -> Run:
    """A new run: made whole, or not at all."""
    base = find_base(request.repository, request.revision)
    profile = request.profile or around.settings.profile
    project = project_at(base, profile, request.budget, around)
    model = around.open_model(request.model)
    names = request.names or _names(request.issue, around)
    folder = create(around.runs, names.run)
    with contextlib.ExitStack() as undo:
        undo.callback(shutil.rmtree, folder.path, ignore_errors=True)
        header = tuple(_header(request, project, names, around))
        transcript = transcripts.create(folder.transcript, header, around.listeners)
        undo.callback(transcript.close)
        workspace = make(base, root=folder.workspace, branch=names.branch, cuts=around.cuts)
        run = assemble(folder, transcript, workspace, project, model, around)
        undo.callback(run.commands.close)
        undo.pop_all()
    return run


def _names(issue: Issue, around: Surroundings) -> Names:
    name = f"{slug_of(issue.title)}-{around.token()}"
    return Names(f"{around.now():%Y-%m-%d}-{name}", f"react-agent/{name}")


def again(folder: RunFolder, repository: Path | None) -> Request:
    """The same run once more, from its own transcript; no branch comes of it."""
    state = fold(transcripts.read(folder.transcript).entries)
    check_header(state, folder)
    assert state.objective is not None
    return Request(
        issue=Issue(title_of(state.objective), state.objective),
        repository=repository or Path(state.header.get("repository", ".")),
        revision=state.header["base"],
        model=f"replay/{folder.transcript}",
        budget=read_facts(state.header.get("limits", "")),
        publish=False,
        names=Names(Path(state.header["run"]).name, state.header["branch"]),
        about=tuple(state.about),
        profile=state.header["profile"],
    )


def check_header(state: State, folder: RunFolder) -> None:
    """A person may have edited it. Raises UsageError."""
    missing = {"run", "repository", "base", "branch", "profile", "model"} - state.header.keys()
    if state.objective is None or missing:
        raise UsageError(
            f"{folder.transcript} ends before its objective: there is nothing to go on with"
        )
    for name, value in state.header.items():
        if not can_be_passed(value):
            raise UsageError(f"{folder.transcript}: `%% {name}:` holds what no name can hold")


def project_at(
    base: Base, profile_name: str, budget: Mapping[str, str], around: Surroundings
) -> Project:
    repository = read_repository_settings(lambda name: file_at(base, name))
    profile = _profile(profile_name, around.settings, budget)
    free = _free(repository.hidden, profile)
    taken = (f"the name {name!r} is taken" for name in repository.hidden if name not in free)
    for refusal in (*repository.refused, *taken):
        around.tell(f"not used: {refusal}")
    profile = replace(profile, hidden={**free, **profile.hidden})
    return Project(base, repository, profile, registry_for(profile))


def assemble(
    folder: RunFolder,
    transcript: Transcript,
    workspace: Workspace,
    project: Project,
    model: Model,
    around: Surroundings,
) -> Run:
    profile = project.profile
    shown = Shown(profile.limits, profile.tests_after_edit)
    commands = prepared(folder, workspace, project.settings, outer(around), shown)
    told = tuple(transcript.state.about) or tuple(_told(project, commands))
    system = instructions(project.profile, project.registry, commands.context.limits, told)
    agent = Agent(
        transcript=transcript,
        model=model,
        registry=project.registry,
        context=commands.context,
        guards=tuple(GUARDS[name] for name in project.profile.guards),
        budget=project.profile.budget,
        system=system,
        system_tokens=estimate_tokens(system),
        files=WorkTree(workspace, around.cuts, project.registry, commands.context, around.tell),
        clock=around.clock,
        show=around.show,
    )
    news = () if transcript.state.about else tuple(Event("about", line) for line in told)
    transcript.append(*news, Event("sandbox", commands.chosen.name))
    for note in commands.chosen.notes if around.settings.sandbox != NONE else ():
        around.tell(f"sandbox {commands.chosen.name}: {note}")
    helper = Helper(folder, shipped(SUB_PROFILE), partial(_sub_model, transcript, around))
    with_help = replace(commands.context, delegate=partial(delegated, agent, helper))
    return Run(folder, transcript, workspace, project, replace(agent, context=with_help), commands)


def _told(project: Project, commands: Commands) -> Iterator[str]:
    """What a prompt tells of the repository."""
    if "environment" in project.profile.about:
        yield from commands.about
    if "repo_map" in project.profile.about:
        yield repo_map(commands.context)


def outer(around: Surroundings) -> Outer:
    return Outer(around.environment, around.own_prefix, around.cuts, around.settings)


def _sub_model(transcript: Transcript, around: Surroundings, step: int) -> Model:
    """The same for a sub-agent; when a run is done again, its own recorded words."""
    spec = transcript.state.header["model"]
    if not spec.startswith(REPLAY):
        return around.open_model(spec)
    recorded = Path(spec.removeprefix(REPLAY))
    folder = recorded if recorded.is_dir() else recorded.parent
    return around.open_model(f"{REPLAY}{folder / sub_name(step)}")


def _profile(name: str, settings: Settings, budget: Mapping[str, str]) -> Profile:
    """The one of this name with what the user adds."""
    profile = find_profile(name, settings.profiles)
    return replace(
        with_settings(profile, settings),
        budget=with_limits(with_limits(profile.budget, settings.budget), budget),
    )


def _free(hidden: Mapping[str, Hidden], profile: Profile) -> dict[str, Hidden]:
    """A repository answers only for names that nobody could mean one of ours by."""
    ours = {folded(name) for name in (*profile.tools, *profile.unoffered, *profile.hidden)}
    return {name: entry for name, entry in hidden.items() if folded(name) not in ours}


def _header(
    request: Request, project: Project, names: Names, around: Surroundings
) -> Iterator[Entry]:
    yield Event("run", names.run)
    yield Event("repository", str(project.base.repository))
    yield Event("base", project.base.commit)
    yield Event("branch", names.branch)
    yield Event("profile", project.profile.name)
    yield Event("model", request.model)
    yield Event("limits", write_facts(limits_of(project.profile.budget)))
    yield from (Event("about", line) for line in request.about)
    yield Objective(request.issue.text, {"at": around.now().isoformat(timespec="seconds")})
