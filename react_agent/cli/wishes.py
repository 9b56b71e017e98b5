"""react-agent inspect wishes"""

from collections.abc import Iterator
from typing import Annotated

import typer
from rich.text import Text

from react_agent.cli.screen import console
from react_agent.errors import TranscriptError
from react_agent.loop.state import State, fold
from react_agent.loop.transcript import read
from react_agent.parsers.transcript.quoting import escape
from react_agent.places import runs_folder, settings_file
from react_agent.runs.report import Wish, answered, wishes
from react_agent.runs.run_folder import RunFolder, every, find
from react_agent.tools.clip import clip_line, counted

_INPUT = 60  # characters


def command(
    runs: Annotated[
        list[str] | None,
        typer.Argument(metavar="RUN", help="folders, transcripts, or starts of names; none: all"),
    ] = None,
) -> None:
    """Tell which tools agents asked for that there are not, and what they did then.

    Ends with lines for your settings file that would answer them.

    \b
    Example:
      react-agent inspect wishes
    """
    folders = [find(runs_folder(), name) for name in runs or ()] or every(runs_folder())
    states = [state for folder in folders if (state := _state(folder, bool(runs)))]
    screen = console()
    for line in _lines(wishes(states), states):
        screen.print(Text(line), soft_wrap=True)


def _state(folder: RunFolder, asked_for: bool) -> State | None:
    """Of all runs, one that can't be read is passed over."""
    try:
        return fold(read(folder.transcript).entries)
    except TranscriptError:
        if asked_for:
            raise
        return None


def _lines(found: list[Wish], states: list[State]) -> Iterator[str]:
    if not found:
        yield f"No wish in {counted(len(states), 'run')}: every tool that was called answers."
    for wish in found:
        yield f"{escape(wish.name)}: {_times(wish.times)} in {counted(len(wish.runs), 'run')}"
        then = ", ".join(f"{tool} ({times})" for tool, times in wish.then.most_common())
        yield f"    then came: {then}"
        yield from (f"    input: {escape(clip_line(one, _INPUT))}" for one in wish.inputs)
    if hidden := answered(states):
        yield "Hidden tools that answered:"
        yield from (
            f"    {escape(name)} ({how}): {_times(times)}"
            for (name, how), times in hidden.most_common()
        )
    if entries := [wish.entry for wish in found if wish.entry]:
        yield f"To answer these wishes, put what you agree with into {settings_file()}:"
        yield "[react_agent:hidden]"
        yield from entries


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number:,} times"
