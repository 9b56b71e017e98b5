"""The command `react-agent page`, which writes runs as HTML pages."""

from pathlib import Path

import typer

from react_agent.cli.arguments import Page
from react_agent.cli.terminal.streams import redact_for
from react_agent.edge import own_settings
from react_agent.page.index import write_pages
from react_agent.places import runs_folder
from react_agent.runs.run_folder import find
from react_agent.tools import variables


def command(given: Page) -> None:
    folder, settings = runs_folder(), own_settings()
    redact = redact_for(variables.all_of_them())
    found = [find(folder, name) for name in given.runs]
    typer.echo(write_pages(found, given.out or Path(), redact, settings))
