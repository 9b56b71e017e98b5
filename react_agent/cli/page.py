"""react-agent page"""

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from react_agent import loopback
from react_agent.cli.options import whole
from react_agent.cli.streams import redact_for
from react_agent.errors import UsageError
from react_agent.loop.transcript import Redact
from react_agent.page.pages import file_names, names_of, write_pages
from react_agent.page.shelf import Shelf
from react_agent.places import runs_folder, settings_file
from react_agent.profiles.settings import Settings, read_settings
from react_agent.runs.run_folder import RunFolder, find, lying_in
from react_agent.tools import clock, variables
from react_agent.tools.shell.this_process import end_like_ctrl_c

_LAST_PORT = 65_535
_LONG = 3600.0  # seconds


def command(
    runs: Annotated[
        list[str] | None,
        typer.Argument(metavar="RUN", help="folders, transcripts, or starts of names"),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR|FILE", help="where to; a file's name ends in .html"),
    ] = None,
    serve: Annotated[
        bool, typer.Option("--serve", help="serve it to a browser here, live while a run goes on")
    ] = False,
    port: Annotated[
        str | None, typer.Option("--port", metavar="N", help="where to serve it")
    ] = None,
) -> None:
    """Write a run as a page: one file, which needs no network and no program but a browser.

    It holds the transcript, every prompt to the letter, what each step changed, and what it cost.
    Of several runs there is a page each, and an index. What is printed is the one to open.
    With --serve nothing is written: pages are made when this machine asks for them, of all runs
    if none is named, and what a run does appears as it comes.

    \b
    Example:
      react-agent page 2026-11-20-fix --out fix.html
    """
    folder = runs_folder()
    found = [find(folder, name) for name in runs or ()]
    if serve:
        if out is not None:
            raise UsageError("--serve writes no file: leave out --out")
        _serve(found, folder, 0 if port is None else whole("--port", port, _LAST_PORT))
    elif not found:
        raise UsageError("name a run, or --serve all of them")
    elif port is not None:
        raise UsageError("--port is for --serve")
    else:
        typer.echo(write_pages(found, out or Path(), *_how()))


def _how() -> tuple[Redact, Settings]:
    """What is taken out of a run, and what it may have been made with."""
    return redact_for(variables.all_of_them()), read_settings(settings_file())


def _serve(runs: Sequence[RunFolder], folder: Path, port: int) -> None:
    """Until Ctrl-C."""
    end_like_ctrl_c("SIGTERM", "SIGHUP")
    redact, settings = _how()
    shelf = Shelf(
        runs=lambda: runs or [run for _, run in lying_in(folder)],
        secret=secrets.token_urlsafe(12),
        redact=redact,
        sleep=clock.sleep,
        settings=settings,
    )
    first = file_names(names_of(runs))[0] if len(runs) == 1 else ""
    try:
        with loopback.served(shelf.answer, port) as at:
            typer.echo(f"http://{loopback.ADDRESS}:{at}/{shelf.secret}/{first}")
            typer.echo("Whoever has this address can read it, on this machine. Ctrl-C ends it.")
            while True:
                clock.sleep(_LONG)
    except KeyboardInterrupt:  # that is how it ends
        typer.echo("")
