"""Start a run from a request, and create its agent and those of nested runs."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import takewhile
from pathlib import Path

from react_agent.errors import ConfigError, ModelError, UsageError
from react_agent.guards.gate import gate_for
from react_agent.issue_to_pr.issue import Issue
from react_agent.issue_to_pr.places import found_lines, text_lines
from react_agent.issue_to_pr.target import ISSUE
from react_agent.loop.agent import Agent, Files, run
from react_agent.loop.guards import GUARDS, REMIND, Once
from react_agent.memory.embeddings import Embeddings
from react_agent.memory.index import Memory
from react_agent.memory.recall import recalled, reminded
from react_agent.models.contract import Model
from react_agent.models.endpoint import find_endpoint, is_replay, model_name
from react_agent.models.replay import within_step
from react_agent.parsers.issue.title import slug_of, title_of
from react_agent.parsers.repo.file_roles import is_of_tests
from react_agent.parsers.repo.git_diff import FileDiff, read_git_diff
from react_agent.parsers.settings.procedure import Procedure
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Entry, Event, Objective, Said
from react_agent.parsers.transcript.facts import read_facts, write_facts, write_list
from react_agent.parsers.transcript.quoting import quote_lines
from react_agent.procedure.roles import adapted, of_header
from react_agent.procedure.roles import header as procedure_header
from react_agent.profiles.profile import Budget, Profile, limits_of
from react_agent.profiles.profile_file import Wanted, shipped
from react_agent.profiles.run_tools import RECALL, UPDATE_FILE
from react_agent.profiles.toolbox import registry_for, with_more
from react_agent.prompt.view import instructions, prompt_event, shows
from react_agent.runs.commands import Commands, Surroundings, prepared
from react_agent.runs.mcp_tools import with_mcp
from react_agent.runs.project import Project, project_at
from react_agent.runs.run_folder import RunFolder, create
from react_agent.runs.work_tree import WorkTree
from react_agent.state import transcript as transcripts
from react_agent.state.events import COMMANDS, EMBEDDINGS, ENDPOINT, OFF, ON, REACH, WEB
from react_agent.state.state import MCP, STARTED_FROM, THREAD, State, Stop, fold
from react_agent.state.transcript import Listener, Transcript, next_sub, opened
from react_agent.tools import disk
from react_agent.tools.clip import clip_line, counted
from react_agent.tools.context import Context
from react_agent.tools.disk import remove_tree
from react_agent.tools.files.list_files import LIST_FILES
from react_agent.tools.files.paths import can_be_passed
from react_agent.tools.files.read_file import READ_FILE
from react_agent.tools.git.checkout import CheckedFiles, check_out
from react_agent.tools.git.checkpoint import take
from react_agent.tools.git.repository import base_of
from react_agent.tools.git.tree_diffs import Pair, tree_diffs
from react_agent.tools.git.workspace import Workspace, make
from react_agent.tools.mcp import Servers
from react_agent.tools.observation import Observation, failed
from react_agent.tools.registry import Registry
from react_agent.tools.sandbox.sandbox import NONE
from react_agent.tools.shell.shell import user_line
from react_agent.tools.testing.new_tests import NewTests, new_tests

_LINES = 3  # of what it may say
_LINE = 200  # characters


@dataclass(frozen=True, slots=True)
class Work:
    """The transcript, model, tool context and files that an agent uses."""

    transcript: Transcript
    model: Model
    context: Context
    files: Files


def agent_for(
    profile: Profile,
    registry: Registry,
    work: Work,
    around: Surroundings,
    about: Sequence[str] = (),
) -> Agent:
    """Return the agent of a run. `about` is the part of the prompt about the repository."""
    context = replace(work.context, redact=work.transcript.redact, recall=None, last_edit=None)
    system = instructions(profile, registry, context.limits, about)
    agent = Agent(
        profile=profile,
        transcript=work.transcript,
        model=work.model,
        registry=registry,
        context=context,
        guards=tuple(GUARDS[name] for name in profile.guards),
        system=system,
        system_tokens=estimate_tokens(system),
        files=work.files,
        clock=around.clock,
        show=around.show,
    )
    context = replace(context, delegate=partial(_delegated, agent, around))
    if not registry.tool(RECALL.name) and REMIND not in profile.guards:
        return replace(agent, context=context)
    state, embeddings, name = work.transcript.state, None, around.settings.embeddings
    memory = Memory(lambda: state.steps)
    if name and around.open_embedder and not is_replay(state.header["model"]):
        embeddings = Embeddings(around.open_embedder(name), around.clock, around.tell)
    context = replace(context, recall=partial(recalled, memory, embeddings, state))
    return replace(agent, context=context, remind=partial(reminded, memory, state))


@dataclass(frozen=True, slots=True)
class Ended:
    """The result of a nested run that has ended."""

    name: str  # of its folder, in that of the run
    stop: Stop
    state: State


@dataclass(frozen=True, slots=True)
class Inner:
    """The settings in which a nested run differs from its parent run."""

    profile: Profile
    objective: str
    model: str = ""  # its own, if it has one
    header: tuple[Event, ...] = ()
    about: Sequence[str] = ()
    listeners: tuple[Listener, ...] = ()


def inner_run(
    parent: Agent, inner: Inner, context: Context, files: Files, around: Surroundings
) -> Ended:
    """Execute a nested run until it stops, or resume one that was interrupted."""
    state, profile = parent.transcript.state, inner.profile
    name = next_sub(state)
    spec = within_step(state.header["model"], inner.model, len(state.steps) + 1)
    start = state.tree or parent.context.base
    begun = (Event("run", name), *inner.header, Event(STARTED_FROM, start), Event("model", spec))
    place = parent.transcript.path.parent / name
    redact = parent.transcript.redact
    transcript = opened(place, begun, inner.objective, redact, inner.listeners)
    with contextlib.closing(transcript):
        profile = replace(profile, budget=_left(parent, inner))
        work = Work(transcript, around.open_model(spec), context, files)
        agent = agent_for(profile, registry_for(profile), work, around, inner.about)
        transcript.append(  # these may differ when it is resumed
            Event("model", spec),
            Event("limits", write_facts(limits_of(profile.budget))),
            prompt_event(agent.system_tokens, profile.policy),
        )
        if transcript.state.tree:  # it was cut off and is resumed
            files.bring_back(transcript.state)
        return Ended(name, run(agent), transcript.state)


def _left(parent: Agent, inner: Inner) -> Budget:
    """Return the nested run's budget, limited to the remaining budget of its parent run."""
    budget, spent = parent.budget, parent.transcript.state.spent
    own = inner.profile.budget
    of_model = own if inner.model else budget
    return replace(
        own,
        prompt_tokens=min(own.prompt_tokens, budget.prompt_tokens - spent.prompt_tokens),
        seconds=min(own.seconds, max(budget.seconds - spent.seconds, 1.0)),
        money=None if budget.money is None else budget.money - (spent.money or 0.0),
        window=of_model.window,
        reply=of_model.reply,
    )


def _delegated(
    parent: Agent, around: Surroundings, path: str, words: str, context: Context
) -> Observation:
    """Let a sub-agent change the file, and return the result of the tool `update_file`."""
    shown = READ_FILE.call(path, context).text
    objective = f"Change {path}, and no other file: {words}\n\nThe file as it is now:\n{shown}"
    try:
        inner = Inner(shipped(UPDATE_FILE.name), objective)
        ended = inner_run(parent, inner, context, parent.files, around)
    except ModelError as error:
        return failed(f"could not ask the model: {error}")
    if ended.stop is Stop.INTERRUPTED:
        raise KeyboardInterrupt
    state = ended.state
    cost = state.spent.facts | {"sub": ended.name}
    lines = state.conclusion.strip().split("\n")[: _LINES - 1]
    said = "\n".join(clip_line(line, _LINE) for line in lines)
    steps = counted(len(state.steps), "step")
    others = ", ".join(sorted(state.wrote - {path}))
    also = f"; it changed {others}, too" if others else ""
    if ended.stop is Stop.CONCLUDED and path in state.wrote:
        paths = tuple(sorted(state.wrote))
        return Observation(f"{path} was changed, in {steps}{also}: {said}", paths=paths, facts=cost)
    parent.files.bring_back(parent.transcript.state)
    why = said or f"it ended as {ended.stop} after {steps}"
    return replace(failed(f"{path} is as it was: {why}"), facts=cost)


_OF_WINDOW = 3  # a part of it is for files


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
    profile: str = ""  # a name, or a file; none: the one of the settings
    procedure: Procedure | None = None
    also: tuple[Event, ...] = ()  # of the header: where it comes from, where its change goes
    recorded: State | None = None  # of the run that is done again


@dataclass(frozen=True, slots=True)
class Run:
    """A run in progress, with its open files and processes."""

    folder: RunFolder
    transcript: Transcript
    workspace: Workspace
    project: Project
    agent: Agent
    commands: Commands

    def close(self) -> None:
        """Close all resources of the run except its transcript."""
        self.commands.close()


def begin(request: Request, around: Surroundings) -> Run:
    """Start a new run. If that fails, its folder is removed again."""
    base, settings = base_of(request.repository, request.revision, around.cuts), around.settings
    own = request.procedure.profile if request.procedure else ""
    named, before = request.profile or own or settings.profile, request.recorded
    if before:
        wanted = Wanted(named, before.header.get("amended", ""), tuple(before.profile))
    else:
        wanted = Wanted(named, model_name(request.model, settings.models))
    project = project_at(base, wanted, request.budget, settings, around.tell)
    project = adapted(project, request.procedure, around.settings.withhold)
    model = around.open_model(request.model)
    spec = before.header["model"] if before else request.model  # its key is not to be shown
    names = request.names or names_of(request.issue, around, spec)
    folder = create(around.runs, names.run)
    with contextlib.ExitStack() as undo:
        undo.callback(disk.remove_all, folder.path)
        header = tuple(_header(request, project, names, around))
        redact = around.redaction(spec)
        transcript = transcripts.create(folder.transcript, header, around.listeners, redact)
        undo.callback(transcript.close)
        workspace = make(
            base,
            root=folder.workspace,
            branch=names.branch,
            cuts=around.cuts,
            built=around.built,
        )
        run = assemble(transcript, workspace, project, model, around, base.commit)
        undo.callback(run.close)
        undo.pop_all()
    return run


def names_of(issue: Issue, around: Surroundings, spec: str = "") -> Names:
    """Return the names of the run and its branch. An issue number always gives the same branch."""
    slug = slug_of(around.redaction(spec)(issue.title))
    token = around.token()
    while (around.runs / (run := f"{around.now():%Y-%m-%d}-{slug}-{token}")).exists():
        token = around.token()
    branch = f"{issue.reference.number}-{slug}" if issue.reference else f"{slug}-{token}"
    return Names(run, f"react-agent/{branch}")


def again(folder: RunFolder, repository: Path | None) -> Request:
    """Return a request that replays the run from its own transcript and creates no branch."""
    entries = transcripts.read(folder.transcript).entries
    state = fold(entries)
    check_header(state, folder)
    assert state.objective is not None
    before = fold(takewhile(lambda entry: not isinstance(entry, Said), entries))
    procedure = of_header(state.procedure)
    is_one_agent = procedure is None or procedure.only_phase  # `said_again` repeats new limits
    return Request(
        issue=Issue(title_of(state.objective), state.objective),
        repository=repository or Path(state.header.get("repository", ".")),
        revision=state.header["base"],
        model=f"replay/{folder.transcript}",
        budget=read_facts((before if is_one_agent else state).header.get("limits", "")),
        publish=False,
        names=Names(Path(state.header["run"]).name, state.header["branch"]),
        profile=state.header["profile"],
        procedure=procedure,
        also=tuple(Event(THREAD, text) for text in state.threads),
        recorded=state,
    )


def check_header(state: State, folder: RunFolder) -> None:
    """Check a transcript header, which the user may have edited. Raises UsageError."""
    missing = {"run", "repository", "base", "branch", "profile", "model"} - state.header.keys()
    if state.objective is None:
        raise UsageError(f"{folder.transcript} ends before its objective: the run never began")
    if missing:
        raise UsageError(f"{folder.transcript} has no line `%% {min(missing)}:` at its beginning")
    for name, value in state.header.items():
        if not can_be_passed(value):
            raise UsageError(
                f"{folder.transcript}: `%% {name}:` contains a character that no name may have"
            )


def assemble(
    transcript: Transcript,
    workspace: Workspace,
    project: Project,
    model: Model,
    around: Surroundings,
    tree: str = "",
) -> Run:
    """Put the parts of a run together. `tree` is given if it has exactly the workspace's files."""
    profile = project.profile
    folder = RunFolder(transcript.path.parent, transcript.path.name)
    own = with_more(project.registry, around.tools)
    commands = prepared(folder, workspace, project.settings, around, profile, tree)
    servers = Servers(commands.context, around.environment)
    commands = replace(commands, servers=servers)
    with commands.closed_on_error():
        registry, listed = with_mcp(own, transcript, around.settings.mcp, servers)
        project = replace(project, registry=registry)
        objective, here = transcript.state.objective or "", replace(commands.context, tree=tree)
        told = transcript.state.about or _found_out(project, commands.about, here, objective)
        about = tuple(map(transcript.redact, told))
        # Without the tools of servers: a call of theirs is never repeated.
        files = WorkTree(
            *(workspace, around.cuts, own, commands.context, around.tell),
            transcript=transcript,
            listed=tree,
        )
        work = Work(transcript, model, commands.context, files)
        agent = agent_for(profile, project.registry, work, around, about)
        gate = gate_for(profile, workspace, project.settings.commands)
        agent = replace(
            agent,
            guards=(lambda state, _: around.said(state), *agent.guards, *map(Once, around.guards)),
            gate=gate if getattr(model, "hears_refusals", True) else None,
        )
        news = () if transcript.state.about else tuple(Event("about", line) for line in about)
        prompt = prompt_event(agent.system_tokens, profile.policy, shows(profile, project.registry))
        chosen = commands.chosen
        warnings = [f"sandbox {chosen.name}: {note}" for note in chosen.notes]
        notes = [Event("note", warning) for warning in warnings]
        reach = reach_event(transcript.state.header.get("model", ""), commands, around)
        transcript.append(*news, *listed, Event("sandbox", chosen.name), *notes, reach, prompt)
        for warning in warnings:
            around.tell(warning)
        run = Run(folder, transcript, workspace, project, agent, commands)
        context = replace(agent.context, baseline=partial(_baseline, run))
        return replace(run, agent=replace(agent, context=context))


def _found_out(
    project: Project, environment: Iterable[str], context: Context, objective: str
) -> Iterator[str]:
    """Yield the paragraphs that describe the repository in a prompt."""
    about = project.profile.about
    if "environment" in about:
        yield from map(quote_lines, environment)
    if "user" in about and (line := user_line(context)):
        yield quote_lines(line)
    if "repo_map" in about:
        yield quote_lines(LIST_FILES.call("", context).text)
    if "issue" in about:
        yield from found_lines(objective, context)
    if "files" in about:
        yield from text_lines(objective, context, project.profile.budget.window // _OF_WINDOW)


def _header(
    request: Request, project: Project, names: Names, around: Surroundings
) -> Iterator[Entry]:
    yield Event("run", names.run)
    yield Event("repository", str(project.base.repository))
    yield Event("base", project.base.commit)
    yield Event("branch", names.branch)
    yield Event("profile", project.profile.name)
    yield from project.wanted.kept
    yield Event("model", request.model)
    yield from (Event("amended", model) for model in (project.amended,) if model)
    yield Event("limits", write_facts(limits_of(project.profile.budget)))
    yield from procedure_header(request.procedure, names.run)
    about = request.recorded.about if request.recorded else ()
    yield from (Event("about", line) for line in about)
    yield from (Event(ISSUE, str(at)) for at in (request.issue.reference,) if at)
    yield from request.also
    yield Objective(request.issue.text, {"at": around.now().isoformat(timespec="seconds")})


def reach_event(spec: str, commands: Commands, around: Surroundings) -> Event:
    """Return an event that records which resources outside its folder the run can access.

    %% reach: endpoint=https://api.openai.com/v1 commands=off web=docs.python.org
    """
    settings = around.settings
    is_open = commands.chosen.name == NONE or commands.places.network
    facts = {
        ENDPOINT: _address(spec, around),
        EMBEDDINGS: _address(settings.embeddings or "", around),
        COMMANDS: ON if is_open else OFF,
        WEB: write_list(settings.web) if settings.web else "",
        MCP: write_list(one.url or one.name for one in settings.mcp),
    }
    return Event(REACH, write_facts({name: text for name, text in facts.items() if text}))


def _address(spec: str, around: Surroundings) -> str:
    """Return the URL of the model's endpoint, or an empty string if it has none."""
    try:
        found = find_endpoint(spec, around.settings.models, around.environment) if spec else None
    except (UsageError, ConfigError):
        return ""
    return found.base_url if found else ""


def _baseline(
    run: Run, tree: str
) -> tuple[NewTests, Callable[[], AbstractContextManager[Context]]]:
    """Return the new tests, and a function that checks out the base commit with these tests."""
    place, base = run.workspace, run.workspace.base.commit
    tree = tree or take(place).tree
    diffs = tree_diffs(place.root, [Pair(base, tree)], base)
    files = read_git_diff("".join(diffs.values()))
    found = new_tests(files, partial(place.store.file, tree))
    return found, partial(tests_on, run, base, tree, files)


@contextlib.contextmanager
def tests_on(run: Run, source: str, tests: str, files: Iterable[FileDiff]) -> Iterator[Context]:
    """Check out `source`, but with the changed test files from the tree or commit `tests`."""
    of_tests = {path for one in files for path in (one.old, one.new) if is_of_tests(path)}
    store = run.workspace.store
    there = store.at(tests, of_tests)
    tree = store.with_files(source, {path: there.get(path) for path in of_tests})
    with checkout(run, tree) as (context, _):
        yield context


@contextlib.contextmanager
def checkout(
    run: Run, tree: str, *, has_git: bool = False
) -> Iterator[tuple[Context, CheckedFiles]]:
    """Check out `tree` in a temporary folder to run commands in, and remove the folder afterwards.

    With `has_git`, the folder is a git repository with the change staged on the base commit.
    """
    place = run.folder.checkout
    try:
        files = check_out(run.workspace, tree, place)
        context = replace(run.commands.in_checkout(place), tree=tree)
        if has_git:
            files.make_git(place / ".git")
        yield context, files
    finally:
        remove_tree(place)
