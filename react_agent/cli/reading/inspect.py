"""The command `react-agent inspect`, which shows profiles, tools, procedures and missing tools."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.text import Text

from react_agent.cli.arguments import Procedures, Profiles, Tools, Wishes
from react_agent.cli.terminal.screen import console
from react_agent.cli.terminal.table import print_table, wrapped
from react_agent.edge import confined, own_settings, surroundings
from react_agent.errors import ConfigError, TranscriptError, UsageError
from react_agent.models.endpoint import model_name
from react_agent.parsers.settings.hidden import Hidden, HiddenKind
from react_agent.parsers.settings.procedure import END, Procedure
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.quoting import escape
from react_agent.parsers.turn.tool_name import read_name
from react_agent.places import runs_folder, settings_file
from react_agent.procedure.roles import find_procedure, shipped
from react_agent.profiles.profile import Profile
from react_agent.profiles.profile_file import SUFFIX, Wanted, shipped_names
from react_agent.profiles.settings import Settings
from react_agent.profiles.toolbox import profile_for, registry_for
from react_agent.prompt.view import instructions, limits_now
from react_agent.runs.commands import Surroundings, prepared
from react_agent.runs.project import project_at
from react_agent.runs.report import Wish
from react_agent.runs.report import wishes as wishes_in
from react_agent.runs.run_folder import RunFolder, every, find
from react_agent.state.state import State, fold
from react_agent.state.transcript import read
from react_agent.tools import disk
from react_agent.tools.clip import clip_line, counted
from react_agent.tools.disk import remove_tree
from react_agent.tools.git.repository import find_base
from react_agent.tools.git.workspace import make
from react_agent.tools.observation import Status
from react_agent.tools.registry import Answer, Registry, named


def _prompt(profile: Profile) -> str:
    return instructions(profile, registry_for(profile), profile.limits)


def tried(name: str, given: str, repo: Path, profile: str, around: Surroundings) -> Answer:
    """Call a tool on the repository's last commit, in a workspace that is removed afterwards."""
    base = find_base(repo)
    project = project_at(base, Wanted(profile), {}, around.settings, around.tell)
    meant = _as_in_a_run(name, project.registry)
    with contextlib.ExitStack() as undo:
        folder = RunFolder(disk.new_folder("react-agent-try-").resolve())
        undo.callback(remove_tree, folder.path)  # even if a command has closed it to writing
        workspace = make(base, root=folder.workspace, branch="react-agent/try", cuts=around.cuts)
        commands = prepared(folder, workspace, project.settings, around, project.profile)
        undo.callback(commands.close)
        return project.registry.call(meant, given, commands.context)


def _as_in_a_run(name: str, registry: Registry) -> str:
    """Normalize a tool's name as a run does: ignore case and accept `-` for `_`."""
    read = read_name(name, registry.names)
    if read is None:
        raise UsageError(f"{name!r} is not a name: write the name of a tool")
    return name if read.given or read.name not in registry.names else read.name


def why(name: str, profile: Profile, settings: Settings) -> str:
    """Explain how a call of this tool or command is answered, and which setting decides that."""
    registry, limits = registry_for(profile), limits_now(profile.limits, profile, State())
    name = _as_in_a_run(name, registry)
    if tool := registry.visible.get(name):
        return f"{name} is offered with the profile {profile.name}.\n{tool.usage_at(limits)}"
    if tool := registry.unoffered.get(name):
        return f"{name} is not offered, but works when called.\n{tool.usage_at(limits)}"
    for key in (name, name.replace(" ", "_")):
        if entry := registry.hidden.get(key):
            return f"{key} is hidden, by {_origin(key, profile, settings)}.\n{_answered(entry)[2]}"
    if barred := registry.barred(name):
        key, _ = barred
        where = _origin(key, profile, settings)
        return (
            f"A command like {key!r} is not run, by {where}.\n{_answered(registry.hidden[key])[2]}"
        )
    return f"{name} is neither offered nor hidden: a call to it would be counted as a wish\n" + (
        registry.wish(name)
    )


def _origin(name: str, profile: Profile, settings: Settings) -> str:
    return "your settings" if name in settings.hidden else f"the profile {profile.name}"


_INDENT = 4
_INPUT = 60  # characters of what a tool was asked


def _print(lines: str, screen: Console, style: str = "", indent: int = 0) -> None:
    """Print indented lines, wrapped on a terminal."""
    for line in lines.split("\n"):
        text = Text(f"{' ' * indent}{escape(line)}".rstrip(), style)
        for row in wrapped(text, screen, 0):
            screen.print(row)


def profiles(given: Profiles) -> None:
    screen, settings = console(), own_settings()
    of_model = model_name(given.model, settings.models) or given.model if given.model else ""
    if given.name is not None:
        _show_profile(profile_for(Wanted(given.name, of_model), settings), of_model, screen)
        return
    folder = settings.profiles
    own = sorted(file.stem for file in list(folder.glob(f"*{SUFFIX}"))) if folder.is_dir() else []
    listed = {"Shipped:": shipped_names(), f"Yours, in {folder}:": own}
    for heading, names in listed.items() if own else list(listed.items())[:1]:
        _print(heading, screen, "bold")
        heads = [Text(head, "dim") for head in ("", "name", "tools", "prompt", "steps", "")]
        rows = [heads, *(_profile_row(name, settings, of_model) for name in names)]
        print_table(rows, screen, right={2, 3, 4})
    _print("`react-agent inspect profiles NAME` shows the whole prompt of one.", screen)


def _profile_row(name: str, settings: Settings, model: str) -> list[Text]:
    """Return the row of a profile. If the profile is invalid, the row shows the error."""
    mark = Text("*" if name == settings.profile else " ")
    try:
        profile = profile_for(Wanted(name, model), settings)
    except ConfigError as error:
        return [mark, Text(escape(name)), *[Text()] * 3, Text(escape(str(error)), "yellow")]
    numbers = (len(profile.tools), estimate_tokens(_prompt(profile)), profile.budget.steps)
    about = Text(escape(profile.summary or ""), "dim")
    return [mark, Text(escape(name)), *(Text(str(number)) for number in numbers), about]


def _show_profile(profile: Profile, model: str, screen: Console) -> None:
    prompt = _prompt(profile)
    offered, tokens = counted(len(profile.tools), "tool"), estimate_tokens(prompt)
    size = f"{offered}, a prompt of about {tokens} tokens"
    _print(f"{profile.name}: {size}", screen, "bold")
    _print(f"The prompt{f', for {model}' if model else ''}:\n", screen)
    _print(prompt.rstrip("\n"), screen, indent=_INDENT)
    if profile.about:
        about = ", ".join(profile.about)
        _print(f"\n(A run also describes the repository: {about}.)", screen, "dim")


def tools(given: Tools) -> int:
    screen, settings = console(), own_settings()
    wanted = given.profile or settings.profile
    match given.do, given.name:
        case None, None:
            _list_tools(profile_for(Wanted(wanted), settings), screen)
        case "try", str() as name:
            around = surroundings(lambda text: _print(text, screen))
            return _try(name, wanted, given.repo, confined(around, given.sandbox, False), screen)
        case "why", str() as name:
            _print(why(name, profile_for(Wanted(wanted), settings), settings), screen)
        case (("try" | "why") as do, None):
            raise UsageError(f"name a tool: react-agent inspect tools {do} NAME")
        case do, _:
            raise UsageError(f"there is no `tools {do}`; write try NAME, why NAME, or nothing")
    return 0


def _try(name: str, profile: str, repo: Path, around: Surroundings, screen: Console) -> int:
    """Print the observation of a call. Return 1 if the call failed, and 0 otherwise."""
    if sys.stdin and sys.stdin.isatty():
        _print(f"The input of {name}; end it with Ctrl-D:", screen)
    given = sys.stdin.buffer.read().decode(errors="replace") if sys.stdin else ""
    answer = tried(name, given.removesuffix("\n"), repo, profile, around)
    for line in answer.observation.text.split("\n"):
        screen.print(Text(escape(line)))
    ran = f", by {answer.tool}" if answer.tool else ""
    entry = f" {answer.entry!r}" if answer.entry else ""
    _print(f"({answer.how}{entry}: {answer.observation.status}{ran})", screen, "dim")
    return int(answer.observation.status is Status.FAILED)


def _list_tools(profile: Profile, screen: Console) -> None:
    registry, limits = registry_for(profile), limits_now(profile.limits, profile, State())
    offered, unoffered = (
        [(tool.name, tool.kind.value, tool.usage_at(limits)) for tool in tools.values()]
        for tools in (registry.visible, registry.unoffered)
    )
    _print("Offered to the model:", screen, "bold")
    print_table(offered, screen, styles=("", "dim", ""))
    _print("Hidden: never offered, but they work when called:", screen, "bold")
    print_table(unoffered, screen, styles=("", "dim", ""))
    print_table(list(_hidden(registry)), screen, styles=("dim", ""))
    _print(
        "Any other name is a wish: the call is counted, and the answer lists the existing tools.",
        screen,
    )


def _hidden(registry: Registry) -> Iterator[tuple[str, str]]:
    """Yield the hidden tools, grouped by how calls of them are answered."""
    alike = dict[tuple[str, str], list[str]]()
    for name, entry in registry.hidden.items():
        kind, text, _ = _answered(entry)
        alike.setdefault((kind, text.replace("\n", " ")), []).append(name)
    for (kind, text), names in alike.items():
        yield kind, ": ".join(filter(None, (", ".join(names), text)))


def _answered(entry: Hidden) -> tuple[str, str, str]:
    """Return the kind and the text of a hidden tool, and a sentence on how it is answered."""
    kind, text = entry.kind.value, entry.text
    match entry.kind:
        case HiddenKind.ALIAS:
            return f"as {text}", "", f"It is {named(text)} by another name."
        case HiddenKind.REDIRECT:
            return kind, text, f"Nothing runs. The answer is: {text}"
        case HiddenKind.PROTOCOL:
            return kind, text, f"It is part of the format. The answer is: {text}"
        case _:
            return kind, "", f"Its input is read as {kind}; the matching tool runs."


def procedures(given: Procedures) -> None:
    screen = console()
    if given.name is None:
        print_table([(one, _states(find_procedure(one))) for one in shipped()], screen)
        return
    procedure = find_procedure(given.name)
    _print(f"{procedure.name}: {_states(procedure)}\n", screen, "bold")
    _print(procedure.text, screen)


def _states(procedure: Procedure) -> str:
    return " -> ".join((*(phase.name for phase in procedure.phases), END))


def wishes(given: Wishes) -> None:
    named = given.runs or ()
    folders = [find(runs_folder(), name) for name in named] or every(runs_folder())
    states, screen = list[State](), console()
    for folder in folders:
        try:
            states.append(fold(read(folder.transcript).entries))
        except TranscriptError:
            if named:
                raise
    for line in _wish_lines(wishes_in(states), states):
        screen.print(Text(line))


def _wish_lines(found: list[Wish], states: list[State]) -> Iterator[str]:
    if not found:
        yield f"No wish in {counted(len(states), 'run')}: every tool that was called answers."
    for wish in found:
        times = "once" if wish.times == 1 else f"{wish.times:,} times"
        yield f"{escape(wish.name)}: {times} in {counted(len(wish.runs), 'run')}"
        then = ", ".join(f"{tool} ({times})" for tool, times in wish.then.most_common())
        yield f"    then came: {then}"
        yield from (f"    input: {escape(clip_line(one, _INPUT))}" for one in wish.inputs)
    if entries := [wish.entry for wish in found if wish.entry]:
        yield f"To handle these wishes, add the lines you agree with to {settings_file()}:"
        yield "[react_agent:hidden]"
        yield from entries
