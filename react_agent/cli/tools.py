"""react-agent inspect tools"""

import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from react_agent.cli.options import Repository, Sandbox
from react_agent.cli.profile_told import tried, why
from react_agent.cli.screen import console
from react_agent.edge import confined, own_settings, surroundings
from react_agent.errors import UsageError
from react_agent.parsers.settings.hidden import Alias, Hidden, Protocol, Redirect, Translated
from react_agent.parsers.transcript.quoting import escape
from react_agent.profiles.profile import Profile
from react_agent.profiles.profile_file import Wanted, profile_of, written_for
from react_agent.profiles.settings import Settings
from react_agent.profiles.toolbox import check_all, registry_for, with_settings
from react_agent.runs.commands import Surroundings
from react_agent.tools.registry import Answer, Registry

_Row = tuple[str, str, str]  # name, kind, how it answers
_LEAST = 30  # columns for the answer; on less, it stands below the name
_INDENT = 5


def command(
    do: Annotated[
        str | None, typer.Argument(metavar="DO", help="try, why, or nothing: list them")
    ] = None,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="of a tool")] = None,
    profile: Annotated[
        str | None, typer.Option("--profile", metavar="NAME", help="whose tools: a name, or a file")
    ] = None,
    repo: Repository = Path(),
    sandbox: Sandbox = None,
) -> None:
    """List the tools: the ones a model is offered, and the hidden ones that answer all the same.

    `try NAME` reads an input and shows the observation; it works on a copy of the repository that
    is thrown away. `why NAME` says how a name, or a command, is answered and where that is set.

    \b
    Example:
      react-agent inspect tools
      echo README.md:1-10 | react-agent inspect tools try read_file
      react-agent inspect tools why "git push"
    """
    screen = console()
    settings = own_settings()
    wanted = profile or settings.profile
    match do, name:
        case None, None:
            _list(registry_for(_with(settings, wanted)), screen)
        case "try", str():
            around = surroundings(lambda text: _print(text, screen))
            _try(name, wanted, repo, confined(around, sandbox, network=False), screen)
        case "why", str():
            _print(why(name, _with(settings, wanted), settings), screen)
        case (("try" | "why"), None):
            raise UsageError(f"name a tool: react-agent inspect tools {do} NAME")
        case _:
            raise UsageError(f"there is no `tools {do}`; write try NAME, why NAME, or nothing")


def _with(settings: Settings, profile: str) -> Profile:
    written = written_for(Wanted(profile), settings.profiles)
    check_all(written)
    return with_settings(profile_of(written), settings)


def _try(name: str, profile: str, repo: Path, around: Surroundings, screen: Console) -> None:
    if sys.stdin and sys.stdin.isatty():
        screen.print(Text(f"The input of {name}; end it with Ctrl-D:"), soft_wrap=True)
    given = sys.stdin.buffer.read().decode(errors="replace") if sys.stdin else ""
    answer = tried(name, given.removesuffix("\n"), repo, profile, around)
    _print(escape(answer.observation.text), screen)
    screen.print(Text(f"({_said(answer)})", style="dim"), soft_wrap=True)


def _said(answer: Answer) -> str:
    ran = f", by {answer.tool}" if answer.tool else ""
    entry = f" {answer.entry!r}" if answer.entry else ""
    return f"{answer.how}{entry}: {answer.observation.status}{ran}"


def _print(text: str, screen: Console) -> None:
    for line in text.split("\n"):
        screen.print(Text(line), soft_wrap=True)


def _list(registry: Registry, screen: Console) -> None:
    screen.print(Text("Offered to the model:", style="bold"), soft_wrap=True)
    _print_rows(list(_offered(registry)), screen)
    heading = "Hidden: never offered, but they answer when called:"
    screen.print(Text(heading, style="bold"), soft_wrap=True)
    if unoffered := list(_unoffered(registry)):
        _print_rows(unoffered, screen)
    _print_rows(list(_hidden(registry)), screen)
    last = "Any other name is a wish: answered with what there is, and counted."
    screen.print(Text(last), soft_wrap=True)


def _offered(registry: Registry) -> Iterator[_Row]:
    for tool in registry.visible.values():
        yield tool.name, tool.kind.value, tool.usage


def _unoffered(registry: Registry) -> Iterator[_Row]:
    for tool in registry.unoffered.values():
        yield tool.name, tool.kind.value, tool.usage


def _hidden(registry: Registry) -> Iterator[_Row]:
    """Names that are answered alike stand together."""
    alike = dict[tuple[str, str], list[str]]()
    for name, entry in registry.hidden.items():
        alike.setdefault(_answer(entry), []).append(escape(name))
    for (kind, text), names in alike.items():
        listed = ", ".join(names)
        yield "", kind, f"{listed}: {text}" if text else listed


def _answer(entry: Hidden) -> tuple[str, str]:
    match entry:
        case Alias(target):
            return f"as {target}", ""
        case Translated(how):
            return how.value, ""
        case Redirect(text):
            return "redirect", escape(text.replace("\n", " "))
        case Protocol(text):
            return "protocol", escape(text.replace("\n", " "))


def _print_rows(rows: list[_Row], screen: Console) -> None:
    widths = [max((len(row[column]) for row in rows), default=0) for column in (0, 1)]
    for name, kind, answer in rows:
        named = f" {name:<{widths[0]}} " if widths[0] else ""
        head = Text.assemble(named, (f" {kind:<{widths[1]}}", "dim"), "  ")
        for line in _wrapped(head, answer, screen):
            screen.print(line, soft_wrap=True)


def _filled(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_on_hyphens=False, break_long_words=False)


def _wrapped(head: Text, answer: str, screen: Console) -> Iterator[Text]:
    """In the second column on a terminal, below where that is narrow; unbroken anywhere else."""
    if not screen.is_terminal:
        yield head + Text(answer)
        return
    beside = screen.width - len(head) >= _LEAST
    indent = len(head) if beside else _INDENT
    lines = [Text(" " * indent + line) for line in _filled(answer, screen.width - indent)]
    yield head + lines[0][indent:] if beside and lines else head
    yield from lines[1:] if beside else lines
