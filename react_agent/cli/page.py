"""react-agent page"""

from pathlib import Path
from typing import Annotated

import typer

from react_agent.cli.places import runs_folder
from react_agent.cli.redacted_streams import redact_for
from react_agent.page.pages import write_pages
from react_agent.run_folder import find
from react_agent.tools import variables


def command(
    runs: Annotated[
        list[str],
        typer.Argument(metavar="RUN", help="folders, transcripts, or starts of names"),
    ],
    out: Annotated[
        Path,
        typer.Option("--out", metavar="DIR|FILE", help="where to; a file's name ends in .html"),
    ] = Path(),
) -> None:
    """Write a run as a page: one file, which needs no network and no program but a browser.

    It holds the transcript, every prompt to the letter, what each step changed, and what it cost.
    Of several runs there is a page each, and an index. What is printed is the one to open.

    \b
    Example:
      react-agent page 2026-11-20-fix --out fix.html
    """
    folder = runs_folder()
    found = [find(folder, name) for name in runs]
    typer.echo(write_pages(found, out, redact_for(variables.all_of_them())))
