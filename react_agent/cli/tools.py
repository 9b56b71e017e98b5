"""react-agent tools"""

import textwrap
from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from react_agent.cli.screen import console
from react_agent.cli.surroundings import own_settings
from react_agent.parsers.hidden import Alias, Hidden, Protocol, Redirect
from react_agent.parsers.quoting import escape
from react_agent.profile import shipped
from react_agent.run_setup import registry_for
from react_agent.tools.registry import Registry

_Row = tuple[str, str, str]  # name, kind, how it answers
_LEAST = 30  # columns for the answer; on less, it stands below the name
_INDENT = 5


def command(
    profile: Annotated[
        str | None, typer.Option("--profile", metavar="NAME", help="whose tools")
    ] = None,
) -> None:
    """List the tools: the ones a model is offered, and the hidden ones that answer all the same.

    Yours are among them: hidden tools of your settings file.

    \b
    Example:
      react-agent tools
    """
    settings = own_settings()
    whole = shipped(profile or settings.profile)
    registry = registry_for(replace(whole, hidden={**whole.hidden, **settings.hidden}))
    screen = console()
    screen.print(Text("Offered to the model:", style="bold"), soft_wrap=True)
    _print_rows(list(_offered(registry)), screen)
    heading = "Hidden: never offered, but they answer when called:"
    screen.print(Text(heading, style="bold"), soft_wrap=True)
    _print_rows(list(_hidden(registry)), screen)
    last = "Any other name is a wish: answered with what there is, and counted."
    screen.print(Text(last), soft_wrap=True)


def _offered(registry: Registry) -> Iterator[_Row]:
    for tool in registry.visible.values():
        yield tool.name, tool.kind.value, tool.usage


def _hidden(registry: Registry) -> Iterator[_Row]:
    for name, entry in registry.hidden.items():
        yield escape(name), *_answer(entry)


def _answer(entry: Hidden) -> tuple[str, str]:
    match entry:
        case Alias(target):
            return "alias", f"as {target}"
        case Redirect(text):
            return "redirect", escape(text.replace("\n", " "))
        case Protocol(text):
            return "protocol", escape(text.replace("\n", " "))


def _print_rows(rows: list[_Row], screen: Console) -> None:
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    for name, kind, answer in rows:
        head = Text.assemble(f" {name:<{widths[0]}}  ", (f"{kind:<{widths[1]}}", "dim"), "  ")
        for line in _wrapped(head, answer, screen):
            screen.print(line, soft_wrap=True)


def _wrapped(head: Text, answer: str, screen: Console) -> Iterator[Text]:
    """In the second column on a terminal, below where that is narrow; unbroken anywhere else."""
    if not screen.is_terminal:
        yield head + Text(answer)
        return
    beside = screen.width - len(head) >= _LEAST
    indent = len(head) if beside else _INDENT
    lines = [Text(" " * indent + line) for line in textwrap.wrap(answer, screen.width - indent)]
    yield head + lines[0][indent:] if beside and lines else head
    yield from lines[1:] if beside else lines
