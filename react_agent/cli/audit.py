"""react-agent audit"""

import textwrap
from collections.abc import Iterator
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from react_agent.cli.screen import console
from react_agent.errors import UsageError
from react_agent.gone import AUDIT
from react_agent.parsers.transcript.quoting import escape
from react_agent.places import runs_folder
from react_agent.runs.audit import SECTIONS, Line, audit, audited, is_whole
from react_agent.runs.run_folder import find

_WORD = 8  # columns of a section's name
_NARROW = 30


def command(
    runs: Annotated[
        list[str],
        typer.Argument(metavar="RUN", help="folders, transcripts, or starts of names"),
    ],
    only: Annotated[
        str | None,
        typer.Option("--only", metavar="PART", help=f"one of {', '.join(SECTIONS)}"),
    ] = None,
) -> None:
    """Tell what a run read, wrote, ran and reached, and what was refused.

    From its transcript alone: a copy of the file will do. Each line begins with the part that it
    belongs to, so that grep finds it. The exit code is 1 where the transcript does not tell all:
    what is not told stands under `missing`.

    \b
    Example:
      react-agent audit 2026-11-20-fix --only ran
    """
    if only is not None and only not in SECTIONS:
        if only in AUDIT:
            raise UsageError(f"the part {only!r} is gone: {AUDIT[only]} RUN tells it")
        raise UsageError(f"there is no part {only!r}; there are {', '.join(SECTIONS)}")
    found = [audited(find(runs_folder(), name).transcript) for name in runs]
    screen = console()
    for run in found:
        for line in audit(run, only or ""):
            for row in _rows(line, screen):
                screen.print(row, soft_wrap=True)
    if not all(map(is_whole, found)):
        raise typer.Exit(1)


def _rows(line: Line, screen: Console) -> Iterator[Text]:
    """Folded on a terminal, in one line anywhere else."""
    text = escape(line.text.replace("\n", "<U+000A>"))
    width = max(screen.width - _WORD - 1, _NARROW)
    first, *others = textwrap.wrap(text, width) if screen.is_terminal else [text]
    yield Text.assemble((f"{line.section:<{_WORD}}", "bold"), " ", first)
    yield from (Text(" " * (_WORD + 1) + other) for other in others)
