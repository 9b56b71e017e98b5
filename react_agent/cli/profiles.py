"""react-agent inspect profiles"""

import textwrap
from collections.abc import Iterator
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from react_agent.cli.options import ModelName
from react_agent.cli.profile_told import Told, origins, told
from react_agent.cli.screen import console
from react_agent.edge import own_settings
from react_agent.errors import ConfigError
from react_agent.models.endpoint import model_name
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.quoting import escape
from react_agent.profiles.profile_file import SUFFIX, Wanted, shipped_names
from react_agent.profiles.settings import Settings

_INDENT = "    "
_LEAST = 20  # columns


def command(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="a profile's name, or a file; none: all")
    ] = None,
    model: ModelName = None,
) -> None:
    """List the profiles; or show one: the whole prompt, and where each setting comes from.

    \b
    Example:
      react-agent inspect profiles
      react-agent inspect profiles small --model openai/qwen3
    """
    screen, settings = console(), own_settings()
    of_model = model_name(model, settings.models) or model if model else ""
    if name is None:
        _list(settings, of_model, screen)
    else:
        _show(told(Wanted(name, of_model), settings), screen)


def _list(settings: Settings, model: str, screen: Console) -> None:
    for heading, names in _all(settings):
        _print_filled(heading, screen, "bold", indent="")
        width = max(map(len, names))
        _print(Text(f"  {'':{width}}  tools  prompt  steps", style="dim"), screen)
        for name in names:
            _print_row(name, width, settings, model, screen)
    _print_filled(
        "`react-agent inspect profiles NAME` shows the whole prompt of one.", screen, indent=""
    )


def _all(settings: Settings) -> Iterator[tuple[str, list[str]]]:
    yield "Shipped:", shipped_names()
    folder = settings.profiles
    own = sorted(file.stem for file in list(folder.glob(f"*{SUFFIX}"))) if folder.is_dir() else []
    if own:
        yield f"Yours, in {folder}:", own


def _print_row(name: str, width: int, settings: Settings, model: str, screen: Console) -> None:
    """What is wrong with one is no reason to be silent about the others."""
    try:
        found = told(Wanted(name, model), settings)
    except ConfigError as error:
        _print(Text(f"  {escape(name)}"), screen)
        _print_filled(str(error), screen, style="yellow")
        return
    tools, steps = len(found.profile.tools), found.profile.budget.steps
    mark = "*" if name == settings.profile else " "
    tokens = estimate_tokens(found.prompt)
    _print(Text(f"{mark} {escape(name):{width}}  {tools:>5}  {tokens:>6}  {steps:>5}"), screen)
    if summary := found.profile.summary:
        _print_filled(summary, screen, style="dim")


def _show(found: Told, screen: Console) -> None:
    profile = found.profile
    tokens = estimate_tokens(found.prompt)
    head = f"{profile.name}: {len(profile.tools)} tools, a prompt of about {tokens} tokens"
    _print_filled(head, screen, "bold", indent="")
    _print(Text(f"The prompt{f', for {escape(found.model)}' if found.model else ''}:\n"), screen)
    for line in found.prompt.rstrip("\n").split("\n"):
        _print_filled(line, screen)
    if profile.about:
        told_too = f"(A run tells of the repository, too: {', '.join(profile.about)}.)"
        _print(Text(), screen)
        _print_filled(told_too, screen, "dim", indent="")
    _print(Text("\nWhere it comes from:", style="bold"), screen)
    for where, names in origins(found):
        _print_filled(where, screen, indent="  ")
        _print_filled(", ".join(names), screen, style="dim")


def _print(line: Text, screen: Console) -> None:
    screen.print(line, soft_wrap=True)


def _print_filled(line: str, screen: Console, style: str = "", indent: str = _INDENT) -> None:
    """Indented; on a terminal no line is wider than it is."""
    width = max(screen.width - len(indent), _LEAST)
    lines = textwrap.wrap(line, width, break_on_hyphens=False) if screen.is_terminal else [line]
    for one in lines or [""]:
        _print(Text(f"{indent}{escape(one)}".rstrip(), style=style), screen)
