"""react-agent show"""

import os
from contextlib import AbstractContextManager, nullcontext
from typing import Annotated

import typer
from rich.console import Console

from react_agent.cli.paint import FOLD, painted
from react_agent.cli.surroundings import runs_folder
from react_agent.parsers.entries import Seen
from react_agent.run_folder import find
from react_agent.transcript import read


def command(
    run: Annotated[
        str, typer.Argument(help="its folder, its transcript, or the start of its name")
    ],
    full: Annotated[bool, typer.Option("--full", help="do not fold long observations")] = False,
    raw: Annotated[bool, typer.Option("--raw", help="the file as it is")] = False,
) -> None:
    """Read the transcript of a run, page by page on a terminal.

    Example: react-agent show 2026-11-20-fix --full
    """
    path = find(runs_folder(), run).transcript
    console = Console(highlight=False)
    if raw:
        console.print(
            path.read_bytes().decode(errors="replace"), markup=False, end="", soft_wrap=True
        )
        return
    reading = read(path)
    with _paged(console):
        for entry in reading.entries:
            for text in painted(entry, None if full else FOLD):
                console.print(text, soft_wrap=True)
            if isinstance(entry, Seen):
                console.print()
        if reading.torn:
            console.print("%% the last entry is torn and not shown", style="dim italic")


def _paged(console: Console) -> AbstractContextManager[object]:
    if not console.is_terminal:
        return nullcontext()
    os.environ.setdefault("LESS", "-RFX")  # colours; and no page for what fits on one
    return console.pager(styles=True)
