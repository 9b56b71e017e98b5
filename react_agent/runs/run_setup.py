"""Start a run from a request, and manage the resources that are open during the run."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import takewhile
from pathlib import Path

from react_agent.errors import ConfigError, UsageError
from react_agent.guards.gate import gate_for
from react_agent.issue_to_pr.issue import Issue
from react_agent.issue_to_pr.places import found_lines, text_lines
from react_agent.issue_to_pr.target import ISSUE
from react_agent.loop.agent import Agent
from react_agent.loop.guards import Once
from react_agent.models.contract import Model, hears_refusals
from react_agent.models.endpoint import find_endpoint, model_name
from react_agent.parsers.issue.title import slug_of, title_of
from react_agent.parsers.repo.file_roles import is_of_tests
from react_agent.parsers.repo.git_diff import FileDiff, read_git_diff
from react_agent.parsers.settings.procedure import Procedure
from react_agent.parsers.transcript.entries import Entry, Event, Objective, Said
from react_agent.parsers.transcript.facts import read_facts, write_facts, write_list
from react_agent.parsers.transcript.quoting import quote_lines
from react_agent.procedure.roles import adapted, of_header
from react_agent.procedure.roles import header as procedure_header
from react_agent.profiles.profile import limits_of
from react_agent.profiles.profile_file import Wanted
from react_agent.profiles.toolbox import with_more
from react_agent.prompt.room import prompt_event
from react_agent.prompt.view import shows
from react_agent.runs.agents import Work, agent_for
from react_agent.runs.commands import Commands, Outer, Surroundings, prepared
from react_agent.runs.mcp_tools import with_mcp
from react_agent.runs.project import Project, project_at
from react_agent.runs.run_folder import RunFolder, create
from react_agent.runs.work_tree import WorkTree
from react_agent.state import transcript as transcripts
from react_agent.state.events import COMMANDS, EMBEDDINGS, ENDPOINT, OFF, ON, REACH, WEB
from react_agent.state.state import MCP, THREAD, State, fold
from react_agent.state.transcript import Transcript
from react_agent.tools import disk
from react_agent.tools.context import Context
from react_agent.tools.disk import remove_tree
from react_agent.tools.files.list_files import LIST_FILES
from react_agent.tools.files.paths import can_be_passed
from react_agent.tools.git.checkout import CheckedFiles, check_out
from react_agent.tools.git.checkpoint import take
from react_agent.tools.git.repository import base_of
from react_agent.tools.git.tree_diffs import Pair, tree_diffs
from react_agent.tools.git.workspace import Workspace, make
from react_agent.tools.mcp import Servers
from react_agent.tools.sandbox.sandbox import NONE
from react_agent.tools.shell.shell import user_line
from react_agent.tools.testing.new_tests import NewTests, new_tests

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
    about: tuple[str, ...] = ()  # what the prompt tells of the repository; none: found out
    profile: str = ""  # a name, or a file; none: the one of the settings
    kept: tuple[Event, ...] = ()  # its text, of a run that is done again
    amended: str | None = None  # the model whose amendments it has; none: the one above
    procedure: Procedure | None = None
    hint: str = ""  # for the first prompt
    was: str = ""  # the model whose words are said again: its key is not to be shown, either
    also: tuple[Event, ...] = ()  # of the header: where it comes from, where its change goes


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
    named = model_name(request.model, settings.models)
    amended = named if request.amended is None else request.amended
    own = request.procedure.profile if request.procedure else ""
    wanted = Wanted(request.profile or own or settings.profile, amended, request.kept)
    project = project_at(base, wanted, request.budget, settings, around.tell)
    project = adapted(project, request.procedure, around.settings.withhold)
    model = around.open_model(request.model)
    names = request.names or names_of(request.issue, around, request.was or request.model)
    folder = create(around.runs, names.run)
    with contextlib.ExitStack() as undo:
        undo.callback(disk.remove_all, folder.path)
        header = tuple(_header(request, project, names, around))
        redact = around.redaction(request.was or request.model)
        transcript = transcripts.create(folder.transcript, header, around.listeners, redact)
        undo.callback(transcript.close)
        workspace = make(
            base,
            root=folder.workspace,
            branch=names.branch,
            cuts=around.cuts,
            built=around.built,
        )
        run = assemble(folder, transcript, workspace, project, model, around)
        undo.callback(run.close)
        run.agent.files.listed = base.commit
        if request.hint:
            transcript.append(Event("hint", request.hint))
        undo.pop_all()
    return run


def names_of(issue: Issue, around: Surroundings, spec: str = "") -> Names:
    """Return the names of the run and its branch. An issue number always gives the same branch."""
    slug, token = slug_of(around.redaction(spec)(issue.title)), around.token()
    branch = f"{issue.reference.number}-{slug}" if issue.reference else f"{slug}-{token}"
    return Names(f"{around.now():%Y-%m-%d}-{slug}-{token}", f"react-agent/{branch}")


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
        was=state.header["model"],
        budget=read_facts((before if is_one_agent else state).header.get("limits", "")),
        publish=False,
        names=Names(Path(state.header["run"]).name, state.header["branch"]),
        about=tuple(state.about),
        profile=state.header["profile"],
        kept=tuple(state.profile),
        amended=state.header.get("amended", ""),
        procedure=procedure,
        hint=before.hint,
        also=tuple(Event(THREAD, text) for text in state.threads),
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
    folder: RunFolder,
    transcript: Transcript,
    workspace: Workspace,
    project: Project,
    model: Model,
    around: Surroundings,
) -> Run:
    profile = project.profile
    commands = prepared(folder, workspace, project.settings, outer(around), profile)
    registry = own = with_more(project.registry, around.tools)
    servers = Servers(commands.context, around.environment)
    commands = replace(commands, servers=servers)
    try:
        registry, listed = with_mcp(registry, transcript, around.settings.mcp, servers)
    except BaseException:
        commands.close()
        raise
    project = replace(project, registry=registry)
    told = transcript.state.about or _found_out(project, commands, transcript.state.objective or "")
    about = tuple(map(transcript.redact, told))

    def note(state: State, events: Sequence[Event]) -> None:
        if events and state is transcript.state:  # the file of a sub-agent is left as it is
            transcript.append(*events)

    # Without the tools of servers: a call of theirs is never repeated.
    files = WorkTree(workspace, around.cuts, own, commands.context, around.tell, note=note)
    work = Work(transcript, model, commands.context, files)
    agent = agent_for(profile, project.registry, work, around, about)
    agent = replace(
        agent,
        guards=(lambda state, _: around.said(state), *agent.guards, *map(Once, around.guards)),
        gate=gate_for(profile, workspace, project.settings.commands)
        if hears_refusals(model)
        else None,
    )
    news = () if transcript.state.about else tuple(Event("about", line) for line in about)
    also = shows(profile, project.registry)
    prompt = prompt_event(agent.system_tokens, profile.policy, also)
    chosen = commands.chosen
    notes = [Event("note", warning) for warning in chosen.warnings]
    reach = reach_event(transcript.state.header.get("model", ""), commands, around)
    transcript.append(*news, *listed, Event("sandbox", chosen.name), *notes, reach, prompt)
    for warning in chosen.warnings:
        around.tell(warning)
    run = Run(folder, transcript, workspace, project, agent, commands)
    context = replace(agent.context, baseline=partial(_baseline, run))
    return replace(run, agent=replace(agent, context=context))


def _found_out(project: Project, commands: Commands, objective: str) -> Iterator[str]:
    """Yield the paragraphs that describe the repository in a prompt."""
    about, root = project.profile.about, commands.context.root
    if "environment" in about:
        yield from map(quote_lines, commands.about)
    if "user" in about and (line := user_line(commands.context)):
        yield quote_lines(line)
    if "repo_map" in about:
        yield quote_lines(LIST_FILES.call("", commands.context).text)
    if "issue" in about:
        yield from found_lines(objective, root)
    if "files" in about:
        yield from text_lines(objective, root, project.profile.budget.window // _OF_WINDOW)


def outer(around: Surroundings) -> Outer:
    given = around.environment, around.own_prefix, around.cuts, around.settings
    return Outer(*given, probe=around.probe)


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
    yield from (Event("about", line) for line in request.about)
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
    with checkout(run, source) as (context, there):
        if of_tests and tests != source:
            there.take(tests, of_tests)
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
        context = run.commands.in_checkout(place)
        if has_git:
            files.make_git(place / ".git")
        yield context, files
    finally:
        remove_tree(place)
