"""react-agent show"""

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from react_agent.cli.options import Run
from react_agent.cli.paint import FOLD, note, painted
from react_agent.cli.places import runs_folder
from react_agent.cli.screen import console
from react_agent.errors import TranscriptError
from react_agent.parsers.entries import Reading, Seen
from react_agent.parsers.quoting import escape, unescape
from react_agent.run_folder import find
from react_agent.transcript import contents, read


def command(
    run: Run,
    full: Annotated[bool, typer.Option("--full", help="do not fold long observations")] = False,
    raw: Annotated[bool, typer.Option("--raw", help="the file as it is")] = False,
) -> None:
    """Read the transcript of a run, page by page on a terminal.

    \b
    Example:
      react-agent show 2026-11-20-fix --full
    """
    path = find(runs_folder(), run).transcript
    screen = console()
    if raw and not screen.is_terminal and sys.stdout:
        sys.stdout.buffer.write(contents(path))
        return
    lines = _raw_lines(path) if raw else _lines(_whole(path), None if full else FOLD)
    with _paged(screen):
        for line in lines:
            screen.print(line, soft_wrap=True)


def _whole(path: Path) -> Reading:
    reading = read(path)
    if not reading.entries:
        raise TranscriptError(f"{path} holds no whole entry: there is nothing to show")
    return reading


def _lines(reading: Reading, fold: int | None) -> Iterator[Text]:
    for entry in reading.entries:
        yield from painted(entry, fold)
        if isinstance(entry, Seen):
            yield Text()
    if reading.torn:
        yield note("the last entry is torn and not shown")


def _raw_lines(path: Path) -> Iterator[Text]:
    """Nobody has checked the file: on a terminal its control characters are shown, not obeyed."""
    text = contents(path).decode(errors="surrogateescape").removesuffix("\n")
    return (Text(escape(unescape(line))) for line in text.split("\n"))


def _paged(console: Console) -> AbstractContextManager[object]:
    if not console.is_terminal:
        return nullcontext()
    os.environ.setdefault("LESS", "-RFX")  # colours; and no page for what fits on one
    return console.pager(styles=True)
