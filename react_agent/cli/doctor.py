"""react-agent doctor"""

import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from rich.text import Text

from react_agent.cli.arguments import Doctor
from react_agent.cli.terminal.screen import console
from react_agent.cli.terminal.table import print_table
from react_agent.doctor import Mark, Row, of_key, of_machine, of_model
from react_agent.edge import own_endpoints, own_settings
from react_agent.errors import UsageError
from react_agent.models.endpoint import REPLAY, Endpoint, find_endpoint, spelled
from react_agent.places import cache_folder
from react_agent.profiles.settings import Settings
from react_agent.runs.commands import Outer, chosen_here
from react_agent.tools import variables

_STYLES = {Mark.GOOD: "green", Mark.SO_SO: "yellow", Mark.BAD: "bold red"}
_NAME = 9  # columns of it


def command(given: Doctor) -> int:
    screen = console()
    own = own_settings()
    settings = replace(own, sandbox=given.sandbox or own.sandbox)
    endpoint = _endpoint(given, settings)
    is_well = True
    for row in _rows(endpoint, settings, given.relearn):
        is_well &= row.mark is not Mark.BAD
        mark = Text(f" {row.mark:2} ", _STYLES[row.mark])
        lines: list[tuple[str | Text, ...]] = [
            (mark, Text(f"{row.what:<{_NAME}}", "bold"), row.found)
        ]
        lines += [("", "", f"-> {row.advice}")] if row.advice else []
        print_table(lines, screen)
    return int(not is_well)


def _endpoint(given: Doctor, settings: Settings) -> Endpoint | None:
    spec = given.model or settings.model or ""
    if spec.startswith(REPLAY):
        raise UsageError("a replay has no endpoint to check")
    full = spelled(spec, given.base_url, given.key)
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
