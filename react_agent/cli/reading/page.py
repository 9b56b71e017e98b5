"""The command `react-agent page`, which writes runs as HTML pages or serves them."""

import secrets
from pathlib import Path

import typer

from react_agent import loopback
from react_agent.cli.arguments import Page
from react_agent.cli.options import whole
from react_agent.cli.terminal.streams import redact_for
from react_agent.edge import own_settings
from react_agent.errors import UsageError
from react_agent.page.index import file_names, names_of, write_pages
from react_agent.page.server import Shelf
from react_agent.places import runs_folder
from react_agent.runs.run_folder import find, lying_in
from react_agent.tools import clock, variables
from react_agent.tools.shell.this_process import end_like_ctrl_c

_LAST_PORT = 65_535
_LONG = 3600.0  # seconds


def command(given: Page) -> None:
    folder, settings = runs_folder(), own_settings()
    redact = redact_for(variables.all_of_them())
    found = [find(folder, name) for name in given.runs or ()]
    if given.serve:
        if given.out is not None:
            raise UsageError("--serve writes no file: leave out --out")
        port = 0 if given.port is None else whole("--port", given.port, _LAST_PORT)
        shelf = Shelf(
            runs=lambda: found or [run for _, run in lying_in(folder)],
            secret=secrets.token_urlsafe(12),
            redact=redact,
            sleep=clock.sleep,
            settings=settings,
        )
        first = file_names(names_of(found))[0] if len(found) == 1 else ""
        _serve(shelf, first, port)
    elif not found:
        raise UsageError("name a run, or use --serve to show all runs")
    elif given.port is not None:
        raise UsageError("--port is for --serve")
    else:
        typer.echo(write_pages(found, given.out or Path(), redact, settings))


def _serve(shelf: Shelf, first: str, port: int) -> None:
    """Serve pages until Ctrl-C. `first` is the page in the printed address; empty for the index."""
    end_like_ctrl_c("SIGTERM", "SIGHUP")
    try:
        with loopback.served(shelf.answer, port) as at:
            typer.echo(f"http://{loopback.ADDRESS}:{at}/{shelf.secret}/{first}")
            typer.echo(
                "Anyone on this machine who has this address can read it. Ctrl-C stops the server."
            )
            while True:
                clock.sleep(_LONG)
    except KeyboardInterrupt:  # that is how it ends
        typer.echo("")
