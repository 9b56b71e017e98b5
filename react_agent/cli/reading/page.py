"""The command `react-agent page`, which writes a run as an HTML page."""

from pathlib import Path

import typer

from react_agent.cli.arguments import Page
from react_agent.cli.terminal.streams import redact_for
from react_agent.edge import own_settings
from react_agent.page.run import write_page
from react_agent.places import runs_folder
from react_agent.runs.run_folder import find
from react_agent.tools import variables


def command(given: Page) -> None:
    settings = own_settings()  # first, since it adds the keys of `env_file`
    redact = redact_for(variables.all_of_them())
    run = find(runs_folder(), given.run)
    typer.echo(write_page(run, given.out or Path(), redact, settings))
