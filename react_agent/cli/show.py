"""react-agent show"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from react_agent.cli.options import Plain, Run, whole
from react_agent.cli.paint import FOLD, note, wrapped
from react_agent.cli.screen import console
from react_agent.cli.show_story import Line, Look, story_lines
from react_agent.cli.show_tokens import drawn
from react_agent.cli.streams import say
from react_agent.errors import TranscriptError, UsageError
from react_agent.loop.transcript import contents, read, sub_name
from react_agent.parsers.transcript.entries import Reading
from react_agent.parsers.transcript.facts import write_numbers
from react_agent.parsers.transcript.labels import strict
from react_agent.parsers.transcript.quoting import escape, unescape, visible
from react_agent.places import runs_folder, settings_file
from react_agent.profiles.settings import read_settings
from react_agent.runs.history import Call, Kind, Prompts, Story, meter, prompts, story
from react_agent.runs.run_folder import RunFolder, find
from react_agent.runs.work_tree import changes
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


_KINDS = ", ".join(Kind)
_MOST = 10**6  # steps of a run

Full = Annotated[bool, typer.Option("--full", help="do not fold long observations")]
Only = Annotated[
    str | None,
    typer.Option("--only", metavar="KINDS", help=f"some of {_KINDS}, with commas"),
]
Search = Annotated[
    str | None, typer.Option("--search", metavar="WORDS", help="the lines that hold it, by step")
]
Diff = Annotated[bool, typer.Option("--diff", help="what each step changed in the files")]
Prompt = Annotated[
    str | None, typer.Option("--step", metavar="N", help="what the model saw at it, exactly")
]
Tokens = Annotated[bool, typer.Option("--tokens", help="what each prompt was made of, as a bar")]
Raw = Annotated[bool, typer.Option("--raw", help="the file as it is")]


@dataclass(frozen=True, slots=True)
class Asked:
    full: Full = False
    only: Only = None
    search: Search = None
    diff: Diff = False
    step: Prompt = None
    tokens: Tokens = False
    raw: Raw = False

    @property
    def kinds(self) -> frozenset[Kind]:
        """Raises UsageError."""
        if self.only is None:
            return frozenset()
        words = self.only.replace(",", " ").split()
        for word in words or [self.only]:
            if word not in tuple(Kind):
                raise UsageError(f"--only is some of {_KINDS}, not {word!r}")
        return frozenset(map(Kind, words))

    @property
    def sought(self) -> str:
        """What may not be there, in words."""
        kinds = " or ".join(sorted(self.kinds))
        return f"line with {self.search!r}" if self.search else kinds or "change of a file"

    def check(self, at: str | None) -> None:
        """What shows one thing by itself takes nothing that is about steps. Raises UsageError."""
        alone = {"--raw": self.raw, "--tokens": self.tokens, "--step": self.step is not None}
        chosen = [name for name, given in alone.items() if given]
        if not chosen:
            return
        steps = {"--full": self.full, "--only": self.only is not None, "--diff": self.diff}
        steps |= {"--search": self.search is not None, "STEP": at is not None}
        too_many = [*chosen[:-1], *(name for name, given in steps.items() if given)]
        if too_many:
            raise UsageError(f"{chosen[-1]} stands alone: leave out {' and '.join(too_many)}")


def step_of(option: str, given: str) -> int:
    return whole(option, given, _MOST)


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
        from react_agent.cli.show import show_prompt

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
