"""react-agent show --step: what the model saw, to the letter, and whether it is."""

from collections.abc import Iterator

import typer
from rich.console import Console
from rich.text import Text

from react_agent.cli.paint import note
from react_agent.cli.show_pages import paged
from react_agent.cli.show_reading import whole_run
from react_agent.cli.streams import say
from react_agent.errors import UsageError
from react_agent.parsers.transcript.labels import strict
from react_agent.parsers.transcript.quoting import visible
from react_agent.parsers.transcript.step_numbers import write_numbers
from react_agent.places import settings_file
from react_agent.profiles.settings import read_settings
from react_agent.runs.prompts_again import Prompts, prompts
from react_agent.runs.run_folder import RunFolder

_OTHERWISE = (
    "not to the letter: its instructions or its last lines were others, by another version of "
    "react-agent or with other settings"
)


def show_prompt(folder: RunFolder, number: int, screen: Console) -> None:
    """Where it is no terminal, nothing stands with it that is ours."""
    seen = prompts(folder.path, whole_run(folder.transcript), read_settings(settings_file()))
    _check_there(seen, number, folder.path.name)
    text, exact = seen.text(number), _how_exact(seen, number)
    if screen.is_terminal:
        told = note(f"what the model saw at step {number}, {exact}")
        paged([told, *_lines(text)], screen)
        return
    if not seen.is_exact(number):
        say([f"react-agent: {exact}"])
    typer.echo(visible(text), nl=False)


def _check_there(found: Prompts, number: int, run: str) -> None:
    """Raises UsageError."""
    if number in found.tails:
        return
    there = write_numbers(found.numbers)
    those = f"there are those of {there}" if there else "its turns do, each a run of its own"
    raise UsageError(f"the run {run} has no prompt of a step {number}: {those}")


def _how_exact(found: Prompts, number: int) -> str:
    """In a line, for a person."""
    is_exact = found.is_exact(number)
    if is_exact:
        return "to the letter"
    if is_exact is None:
        return "as it would be now: the transcript does not say what it was"
    if found.problem:
        return f"without its instructions, which can't be made again: {found.problem}"
    return _OTHERWISE


def _lines(text: str) -> Iterator[Text]:
    for line in text.split("\n"):
        labelled = strict(line)
        shown = Text(line)
        if labelled:
            shown.stylize("bold", 0, len(labelled.label) + 1)
        yield shown
