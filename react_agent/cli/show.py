"""react-agent show"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import typer
from rich.console import Console
from rich.text import Text

from react_agent.cli.arguments import Show
from react_agent.cli.options import whole
from react_agent.cli.paint import FOLD, note
from react_agent.cli.screen import console
from react_agent.cli.show_story import Line, Look, story_lines
from react_agent.cli.streams import say
from react_agent.cli.table import wrapped
from react_agent.errors import TranscriptError, UsageError
from react_agent.loop.transcript import contents, read
from react_agent.parsers.transcript.entries import Reading
from react_agent.parsers.transcript.facts import write_numbers
from react_agent.parsers.transcript.labels import strict
from react_agent.parsers.transcript.quoting import escape, unescape, visible
from react_agent.places import runs_folder, settings_file
from react_agent.profiles.settings import read_settings
from react_agent.runs.changes import changes
from react_agent.runs.history import Kind, Story, story
from react_agent.runs.prompts_again import Prompts, prompts
from react_agent.runs.run_folder import RunFolder, find
from react_agent.tools import variables


def whole_run(path: Path) -> Reading:
    reading = read(path)
    if not reading.entries:
        raise TranscriptError(f"{path} holds no whole entry: there is nothing to show")
    return reading


_STYLE = "reverse"


def found(lines: Iterable[Line], wanted: str) -> Iterator[Text]:
    """In any case."""
    for step, text in lines:
        if wanted.casefold() in text.plain.casefold():
            shown = text.copy()
            shown.highlight_words([wanted], _STYLE, case_sensitive=False)
            yield Text.assemble((f"{step:>4}  ", "bold"), shown)


_LESS = "less"
_AS_WE_PAGE = "-RFX"  # colours; and no page for what fits on one


def paged(lines: Sequence[Text], screen: Console, begin: int = 0) -> None:
    """From this line on; a pager that can go back to those before it is given them, too."""
    if not screen.is_terminal:  # in one go: line by line takes twice as long
        screen.print(Text("\n".join(line.plain for line in lines[begin:])), soft_wrap=True)
        return
    goes_back = _pager() == _LESS
    before = _rows(lines[:begin], screen) if goes_back else []
    with pages(screen, first=len(before) + 1):
        _print([*before, *_rows(lines[begin:], screen)], screen)


def pages(screen: Console, first: int = 1) -> AbstractContextManager[object]:
    """Beginning at this row, if the pager is `less`."""
    if not screen.is_terminal:
        return nullcontext()
    variables.suggest("LESS", _AS_WE_PAGE)
    if first > 1:
        variables.extend("LESS", f" +{first}g")
    return screen.pager(styles=True)


def _pager() -> str:
    """Without the folder it is in and its options; where none is named, it is that one."""
    named = variables.value("MANPAGER") or variables.value("PAGER") or _LESS
    return Path(named.split()[0]).name if named.split() else _LESS


def _rows(lines: Sequence[Text], screen: Console) -> list[Text]:
    return [row for line in lines for row in wrapped(line, screen.width)]


def _print(lines: Sequence[Text], screen: Console) -> None:
    for line in lines:
        screen.print(line, soft_wrap=True)


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


_MOST = 10**6  # steps of a run


def command(given: Show) -> int:
    _check(given)
    folder, screen = find(runs_folder(), given.run), console(plain=given.plain)
    if given.raw:
        _show_raw(folder.transcript, screen)
    elif given.step is not None:
        show_prompt(folder, whole("--step", given.step, _MOST), screen)
    else:
        return _show_steps(folder, given, screen)
    return 0


def _check(given: Show) -> None:
    """What shows one thing by itself takes nothing that is about steps. Raises UsageError."""
    alone = {"--raw": given.raw, "--step": given.step is not None}
    chosen = [name for name, is_given in alone.items() if is_given]
    if not chosen:
        return
    steps = {"--full": given.full, "--only": given.only is not None, "--diff": given.diff}
    steps |= {"--search": given.search is not None, "STEP": given.at is not None}
    too_many = [*chosen[:-1], *(name for name, is_given in steps.items() if is_given)]
    if too_many:
        raise UsageError(f"{chosen[-1]} stands alone: leave out {' and '.join(too_many)}")


def _kinds(only: str | None) -> frozenset[Kind]:
    """Raises UsageError."""
    if only is None:
        return frozenset()
    words = only.replace(",", " ").split()
    for word in words or [only]:
        if word not in tuple(Kind):
            raise UsageError(f"--only is some of {', '.join(Kind)}, not {word!r}")
    return frozenset(map(Kind, words))


def _show_steps(folder: RunFolder, given: Show, screen: Console) -> int:
    told, only = story(whole_run(folder.transcript)), _kinds(given.only)
    changed = changes(folder, told.state) if given.diff else None
    look = Look(None if given.full or given.search else FOLD, only, changed)
    lines = list(story_lines(told, look))
    first = _first(lines, told, whole("STEP", given.at, _MOST), folder) if given.at else 0
    if given.search:
        shown, first = list(found(lines[first:], given.search)), 0
    else:
        shown = [line.text for line in lines]
    if shown[first:]:
        paged(shown, screen, first)
        return 0
    sought = " or ".join(sorted(only)) or "change of a file"
    sought = f"line with {given.search!r}" if given.search else sought
    since = f", from step {given.at} on" if given.at else ""
    screen.print(note(f"no {sought} in {folder.path.name}{since}"))
    return 1


def _first(lines: Sequence[Line], told: Story, step: int, folder: RunFolder) -> int:
    """Where the step begins, or the next one that is shown."""
    last = max(len(told.scenes) + bool(told.pending), 1)
    if step > last:
        raise UsageError(f"the run {folder.path.name} has no step {step}: its last is {last}")
    return next((at for at, line in enumerate(lines) if line.step >= step), len(lines))


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
