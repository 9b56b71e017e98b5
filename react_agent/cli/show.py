"""react-agent show"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from react_agent.cli.options import Plain, Run
from react_agent.cli.paint import FOLD, note
from react_agent.cli.screen import console
from react_agent.cli.show_asked import Asked, step_of
from react_agent.cli.show_found import found
from react_agent.cli.show_pages import paged, pages
from react_agent.cli.show_reading import whole_run
from react_agent.cli.show_story import Line, Look, story_lines
from react_agent.cli.show_tokens import drawn
from react_agent.errors import TranscriptError, UsageError
from react_agent.loop.sub_transcript import sub_name
from react_agent.loop.transcript import contents
from react_agent.parsers.transcript.quoting import escape, unescape
from react_agent.places import runs_folder
from react_agent.runs.changes import changes
from react_agent.runs.history import Call, Story, meter, story
from react_agent.runs.run_folder import RunFolder, find

At = Annotated[str | None, typer.Argument(metavar="STEP", help="the step to begin at")]


def command(run: Run, at: At = None, *, asked: Asked, plain: Plain = False) -> None:
    """Read the transcript of a run, page by page on a terminal.

    \b
    Example:
      react-agent show 2026-11-20-fix
      react-agent show 2026-11-20-fix 7 --diff
      react-agent show 2026-11-20-fix --only errors,repairs
      react-agent show 2026-11-20-fix --step 7
    """
    asked.check(at)
    folder, screen = find(runs_folder(), run), console(plain=plain)
    if asked.raw:
        _show_raw(folder.transcript, screen)
    elif asked.tokens:
        _show_bars(folder.transcript, screen)
    elif asked.step is not None:
        # with tools and profiles: to import them takes as long as all the rest
        from react_agent.cli.show_prompt import show_prompt

        show_prompt(folder, step_of("--step", asked.step), screen)
    else:
        _show_steps(folder, asked, at, screen)


def _show_steps(folder: RunFolder, asked: Asked, at: str | None, screen: Console) -> None:
    told, only = story(whole_run(folder.transcript)), asked.kinds
    changed = changes(folder, told.state) if asked.diff else None
    look = Look(None if asked.full or asked.search else FOLD, only, changed)
    lines = list(story_lines(told, look))
    first = _first(lines, told, step_of("STEP", at), folder) if at else 0
    if asked.search:
        shown, first = list(found(lines[first:], asked.search)), 0
    else:
        shown = [line.text for line in lines]
    if not shown[first:]:
        since = f", from step {at} on" if at else ""
        screen.print(note(f"no {asked.sought} in {folder.path.name}{since}"))
        raise typer.Exit(1)
    paged(shown, screen, first)


def _first(lines: Sequence[Line], told: Story, step: int, folder: RunFolder) -> int:
    """Where the step begins, or the next one that is shown."""
    last = max(len(told.scenes) + bool(told.pending), 1)
    if step > last:
        raise UsageError(f"the run {folder.path.name} has no step {step}: its last is {last}")
    return next((at for at, line in enumerate(lines) if line.step >= step), len(lines))


def _bars(path: Path, columns: int) -> Iterator[Text]:
    rows = list(meter(whole_run(path).entries))
    if not any(isinstance(row, Call) for row in rows):
        turns = ""
        if (path.parent / sub_name(1)).is_dir():
            turns = f"; its turns do: show --tokens {path.parent.name}/{sub_name(1)}"
        raise TranscriptError(f"{path} holds no reply of a model: there is nothing to count{turns}")
    return drawn(rows, columns)


def _show_bars(path: Path, screen: Console) -> None:
    with pages(screen):
        for line in _bars(path, screen.width):
            screen.print(line)


def _show_raw(path: Path, screen: Console) -> None:
    if not screen.is_terminal and sys.stdout and not sys.stdout.isatty():
        sys.stdout.buffer.write(contents(path))
    else:
        with pages(screen):
            for line in _raw_lines(path):
                screen.print(line, soft_wrap=True)


def _raw_lines(path: Path) -> Iterator[Text]:
    """Nobody has checked the file: on a terminal its control characters are shown, not obeyed."""
    text = contents(path).decode(errors="surrogateescape").removesuffix("\n")
    return (Text(escape(unescape(line))) for line in text.split("\n"))
