"""react-agent show"""

import sys
from collections.abc import Iterator, Sequence
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
from react_agent.cli.show_tokens import drawn
from react_agent.errors import TranscriptError, UsageError
from react_agent.meter import Call, meter
from react_agent.parsers.entries import Reading, Seen
from react_agent.parsers.quoting import escape, unescape
from react_agent.run_folder import find
from react_agent.state import State
from react_agent.state import fold as folded
from react_agent.steps import Step
from react_agent.sub_transcript import sub_name
from react_agent.tools import on_disk, variables
from react_agent.transcript import contents, read


def command(
    run: Run,
    full: Annotated[bool, typer.Option("--full", help="do not fold long observations")] = False,
    raw: Annotated[bool, typer.Option("--raw", help="the file as it is")] = False,
    tokens: Annotated[
        bool, typer.Option("--tokens", help="what each prompt was made of, as a bar")
    ] = False,
) -> None:
    """Read the transcript of a run, page by page on a terminal.

    \b
    Example:
      react-agent show 2026-11-20-fix --full
    """
    if tokens and (full or raw):
        raise UsageError("--tokens shows no text: leave out --raw and --full")
    path = find(runs_folder(), run).transcript
    screen = console()
    if raw and not screen.is_terminal and sys.stdout:
        sys.stdout.buffer.write(contents(path))
        return
    if tokens:
        lines = _bars(path, screen.width)
    else:
        lines = _raw_lines(path) if raw else _lines(_whole(path), None if full else FOLD)
    with _paged(screen):
        for line in lines:
            screen.print(line, soft_wrap=not tokens)


def _bars(path: Path, columns: int) -> Iterator[Text]:
    rows = list(meter(_whole(path).entries))
    if not any(isinstance(row, Call) for row in rows):
        turns = ""
        if on_disk.is_dir(path.parent / sub_name(1)):
            turns = f"; its turns do: show --tokens {path.parent.name}/{sub_name(1)}"
        raise TranscriptError(f"{path} holds no reply of a model: there is nothing to count{turns}")
    return drawn(rows, columns)


def _whole(path: Path) -> Reading:
    reading = read(path)
    if not reading.entries:
        raise TranscriptError(f"{path} holds no whole entry: there is nothing to show")
    return reading


def _lines(reading: Reading, fold: int | None) -> Iterator[Text]:
    steps, state = folded(reading.entries).steps, State()
    for entry in reading.entries:
        state.take(entry)
        yield from painted(entry, fold)
        if isinstance(entry, Seen):
            yield from _numbered(steps[: len(state.steps)])
            yield Text()
    if reading.torn:
        yield note("the last entry is torn and not shown")


def _numbered(steps: Sequence[Step]) -> Iterator[Text]:
    """What `fork --at` calls the step that ends here."""
    for step in steps[-1:]:
        yield note(f"step {step.number}{'' if step.stands else ', taken back later'}")


def _raw_lines(path: Path) -> Iterator[Text]:
    """Nobody has checked the file: on a terminal its control characters are shown, not obeyed."""
    text = contents(path).decode(errors="surrogateescape").removesuffix("\n")
    return (Text(escape(unescape(line))) for line in text.split("\n"))


def _paged(console: Console) -> AbstractContextManager[object]:
    if not console.is_terminal:
        return nullcontext()
    variables.suggest("LESS", "-RFX")  # colours; and no page for what fits on one
    return console.pager(styles=True)
