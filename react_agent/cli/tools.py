"""react-agent tools"""

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from react_agent.parsers.hidden import Alias, Hidden, Protocol, Redirect
from react_agent.profile import shipped
from react_agent.run_setup import registry_for


def command(
    profile: Annotated[str, typer.Option("--profile", help="whose tools")] = "issue",
) -> None:
    """List the tools: the ones a model is offered, and the hidden ones that answer all the same.

    Example: react-agent tools
    """
    registry = registry_for(shipped(profile))
    console = Console(highlight=False)
    console.print("Offered to the model:", style="bold")
    table = _table()
    for tool in registry.visible.values():
        table.add_row(tool.name, tool.kind.value, tool.usage)
    console.print(table)
    console.print("Hidden: never offered, but they answer when called:", style="bold")
    table = _table()
    for name, entry in registry.hidden.items():
        table.add_row(name, *_answer(entry))
    console.print(table)
    console.print("Any other name is a wish: answered with what there is, and counted.")


def _table() -> Table:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 1))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, style="dim")
    table.add_column()
    return table


def _answer(entry: Hidden) -> tuple[str, str]:
    match entry:
        case Alias(target):
            return "alias", f"as {target}"
        case Redirect(text):
            return "redirect", text
        case Protocol(text):
            return "protocol", text
