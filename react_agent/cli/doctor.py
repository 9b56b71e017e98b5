"""react-agent doctor"""

import sys
import textwrap
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from react_agent.cli.options import BaseUrl, Key, ModelName, Sandbox
from react_agent.cli.screen import console
from react_agent.doctor import Mark, Row, of_key, of_machine, of_model
from react_agent.edge import own_endpoints, own_settings
from react_agent.errors import UsageError
from react_agent.models.endpoint import REPLAY, Endpoint, find_endpoint, spelled
from react_agent.parsers.transcript.quoting import escape
from react_agent.places import cache_folder
from react_agent.profiles.settings import Settings
from react_agent.runs.commands import Outer, chosen_here
from react_agent.tools import variables

_STYLES = {Mark.GOOD: "green", Mark.SO_SO: "yellow", Mark.BAD: "bold red"}
_NAME = 9  # columns of it
_INDENT = 15


def command(
    model: ModelName = None,
    base_url: BaseUrl = None,
    key: Key = None,
    relearn: Annotated[
        bool, typer.Option("--relearn", help="forget what was learned of this model, and ask anew")
    ] = False,
    sandbox: Sandbox = None,
) -> None:
    """Look at this machine and a model: what is there, what it takes, what to do about the rest.

    The model is asked for one small step, which costs a few hundred tokens. What was learned of
    it is kept for all runs, in endpoints.txt of the cache folder.

    \b
    Example:
      react-agent doctor --model openai/gpt-6
    """
    screen = console()
    rows = []
    own = own_settings()
    settings = replace(own, sandbox=sandbox or own.sandbox)
    endpoint = _endpoint(model, base_url, key, settings)
    for row in _rows(endpoint, settings, relearn):
        rows.append(row)
        for line in _lines(row, screen):
            screen.print(line, soft_wrap=True)
    if any(row.mark is Mark.BAD for row in rows):
        raise typer.Exit(1)


def _endpoint(
    model: str | None, base_url: str | None, key: str | None, settings: Settings
) -> Endpoint | None:
    spec = model or settings.model or ""
    if spec.startswith(REPLAY):
        raise UsageError("a replay has no endpoint to look at")
    full = spelled(spec, base_url, key)
    return find_endpoint(full, settings.models, variables.all_of_them()) if spec else None


def _rows(endpoint: Endpoint | None, settings: Settings, relearn: bool) -> Iterator[Row]:
    yield from of_machine(cache_folder(), lambda: chosen_here(_outer(settings)))
    if endpoint is None:
        yield Row(Mark.SO_SO, "model", "none", "name one with --model, or in the settings file")
        return
    row = of_key(endpoint)
    yield row
    if row.mark is Mark.BAD:
        return
    with closing(own_endpoints()) as endpoints:
        if relearn:
            endpoints.memory.forget(endpoint.base_url, endpoint.model)
        yield from of_model(endpoint, endpoints.line(endpoint))


def _outer(settings: Settings) -> Outer:
    return Outer(variables.all_of_them(), Path(sys.prefix), cache_folder() / "cuts", settings)


def _lines(row: Row, screen: Console) -> Iterator[Text]:
    head = Text.assemble((f" {row.mark:2} ", _STYLES[row.mark]), (f" {row.what:<{_NAME}}", "bold"))
    yield from _beside(head, escape(row.found), screen)
    if row.advice:
        yield from _beside(Text(" " * (_INDENT - 3)), f"-> {row.advice}", screen)


def _beside(head: Text, text: str, screen: Console) -> Iterator[Text]:
    """Folded on a terminal, in one line anywhere else."""
    width = max(screen.width - _INDENT, 30)
    first, *others = textwrap.wrap(text, width) if screen.is_terminal else [text]
    yield head + Text(" ") + Text(first)
    yield from (Text(" " * _INDENT + other) for other in others)
