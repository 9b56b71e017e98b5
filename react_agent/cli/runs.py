"""react-agent runs"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from react_agent.cli import streams
from react_agent.cli.options import whole
from react_agent.cli.paint import wrapped
from react_agent.cli.screen import console
from react_agent.errors import UsageError
from react_agent.loop.stop import Stop
from react_agent.parsers.text.counted import counted, read_age, write_age
from react_agent.parsers.transcript.quoting import escape
from react_agent.places import cache_folder, runs_folder
from react_agent.runs.run_folder import (
    OUTCOMES,
    Listed,
    Standing,
    Wanted,
    listed,
    lying_in,
    remove,
    remove_half_gone,
    size_of,
    unneeded_cuts,
)
from react_agent.tools import clock
from react_agent.tools.disk import remove_tree

_GAP = "  "
_LEAST_TITLE = 20  # columns that are worth one
_STYLES: Mapping[str, str] = {Stop.CONCLUDED: "green", Standing.RUNNING: "bold cyan"}
_OTHERWISE = "yellow"


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    of: Callable[[Listed], str]
    is_number: bool = True

    def laid(self, text: str, width: int) -> str:
        return text.rjust(width) if self.is_number else text.ljust(width)


def _cost(one: Listed) -> str:
    return "" if one.run.money is None else f"{one.run.money:.4f} $"


AGE = Column("age", lambda one: write_age(one.age))
OUTCOME = Column("outcome", lambda one: one.run.told, is_number=False)
STEPS = Column("steps", lambda one: "" if _is_unreadable(one) else str(one.run.steps))
COST = Column("cost", _cost)


def _is_unreadable(one: Listed) -> bool:
    return one.run.outcome == Standing.UNREADABLE


def rows(found: Sequence[Listed], columns: Sequence[Column], room: int | None) -> Iterator[Text]:
    """No name of a run is cut: it is what other commands take. No room: as wide as they are."""
    filled = [column for column in columns if any(map(column.of, found))]
    widths = [max(len(column.name), *(len(column.of(one)) for one in found)) for column in filled]
    before = sum(widths) + len(_GAP) * len(widths)
    names = max(len("run"), *(cell_len(escape(one.run.name)) for one in found))
    if room is not None and before + names > room:
        yield from (line for one in found for line in _in_two_lines(one, filled, room))
        return
    left = None if room is None else room - before - names - len(_GAP)
    has_title = left is None or left >= _LEAST_TITLE
    heads = [column.laid(column.name, width) for column, width in zip(filled, widths, strict=True)]
    head = _GAP.join((*heads, f"{'run':{names}}{_GAP}issue" if has_title else "run"))
    yield Text(head.rstrip(), style="dim")
    for one in found:
        cells = (
            Text(column.laid(column.of(one), width), style=_style(column, one))
            for column, width in zip(filled, widths, strict=True)
        )
        name = escape(one.run.name)
        title = f"{name}{' ' * (names - cell_len(name))}{_GAP}{_cut(one.run.title, left)}"
        line = Text(_GAP).join((*cells, Text(title if has_title else name)))
        line.rstrip()
        yield line


def _in_two_lines(one: Listed, columns: Sequence[Column], room: int) -> Iterator[Text]:
    yield Text(escape(one.run.name), style=_style(OUTCOME, one))
    told = (f"{column.of(one)}{_UNITS.get(column, '')}" for column in columns if column.of(one))
    line = _GAP.join(("", *told))
    title = _cut(one.run.title, room - len(line) - len(_GAP))
    yield from wrapped(Text(f"{line}{_GAP}{title}"), room)


_UNITS = {STEPS: " steps", AGE: " ago"}


def _style(column: Column, one: Listed) -> str:
    return _STYLES.get(one.run.outcome, _OTHERWISE) if column is OUTCOME else ""


def _cut(title: str, room: int | None) -> str:
    """It has no control characters any more."""
    if room is None or cell_len(title) <= room:
        return title
    return f"{set_cell_size(title, room - 1).rstrip()}…" if room >= _LEAST_TITLE // 2 else ""


_UNIT = 1000
_AGES = ("kB", "MB", "GB")
_STILL_THERE = 2


def prune(wanted: Wanted, keep: int, *, is_meant: bool) -> None:
    """Only told, unless it is meant."""
    if wanted == Wanted() and not keep:
        raise UsageError("which runs? name some by --older-than, --outcome, --repo, or --keep N")
    runs, screen = runs_folder(), console()
    found = listed(lying_in(runs)[keep:], wanted, clock.unix())
    going = [one for one in found if one.run.outcome != Standing.RUNNING]
    sizes = {one.run.name: size_of(one.run.folder.path) for one in going}
    _show_pruned(going, sizes, screen)
    staying = _removed(runs, going) if is_meant else {}
    gone = sizes.keys() - staying.keys()
    cuts = unneeded_cuts(cache_folder() / "cuts", runs, gone, clock.unix())
    freed = sum(map(size_of, cuts))
    for cut in cuts if is_meant else ():
        remove_tree(cut)
    about = f"{counted(len(gone), 'run')}, {_size(sum(sizes[name] for name in gone))}"
    if cuts:
        about += f"; {counted(len(cuts), 'cut')} of repositories that no run needs, {_size(freed)}"
    screen.print(Text(_told(about, is_any=bool(gone or cuts), is_meant=is_meant)), soft_wrap=True)
    if staying:
        streams.say(f"react-agent: {name} is still there: {why}" for name, why in staying.items())
        raise typer.Exit(_STILL_THERE)


def _removed(runs: Path, going: Sequence[Listed]) -> dict[str, str]:
    """Those that are still there, and why."""
    remove_half_gone(runs)
    return {one.run.name: why for one in going if (why := remove(runs, one))}


def _show_pruned(going: Sequence[Listed], sizes: Mapping[str, int], screen: Console) -> None:
    size = Column("size", lambda one: _size(sizes[one.run.name]))
    room = screen.width if screen.is_terminal else None
    for line in rows(going, (AGE, OUTCOME, size), room) if going else ():
        screen.print(line, soft_wrap=True)


def _told(about: str, *, is_any: bool, is_meant: bool) -> str:
    if not is_any:
        return "nothing is to be removed: no run is like that"
    return f"removed: {about}" if is_meant else f"would go: {about}; --yes removes that"


def _size(size: float) -> str:
    """`4 kB`, `1.2 MB`"""
    size /= _UNIT
    for unit in _AGES[:-1]:
        if size < _UNIT:
            return f"{size:.{0 if unit == _AGES[0] else 1}f} {unit}"
        size /= _UNIT
    return f"{size:.1f} {_AGES[-1]}"


PRUNE = "prune"
_SHOWN = 20
_MOST = 1_000_000
_FAILED = "failed"  # any end but that a change was made
_WORDS = (_FAILED, *OUTCOMES)


@dataclass(frozen=True, slots=True)
class Filters:
    outcome: Annotated[
        list[str] | None,
        typer.Option("--outcome", metavar="WORD", help="concluded, failed, running, stuck, ..."),
    ] = None
    repo: Annotated[
        Path | None,
        typer.Option("--repo", metavar="DIR", help="of this repository, or a folder in it"),
    ] = None
    search: Annotated[
        str, typer.Option("--search", metavar="WORDS", help="in name, issue, repository or model")
    ] = ""
    older_than: Annotated[
        str | None,
        typer.Option("--older-than", metavar="AGE", help="nothing was added for 30d, 12h, 2w, ..."),
    ] = None


def command(
    filters: Filters,
    do: Annotated[
        str | None, typer.Argument(metavar="DO", help="prune: remove those that the options name")
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help=f"every run, and not the newest {_SHOWN} only")
    ] = False,
    keep: Annotated[
        str | None, typer.Option("--keep", metavar="N", help="prune: never the newest N")
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="prune: do it, and not only tell what would go")
    ] = False,
) -> None:
    """List the runs there are, the newest first; or remove those that are not needed.

    A run that goes on is never removed. With the runs go cuts of repositories, below
    the cache folder, that no other run needs.

    \b
    Example:
      react-agent runs --outcome stuck
      react-agent runs prune --older-than 30d --keep 50
    """
    wanted, now = _wanted(filters), clock.unix()
    if do == PRUNE:
        prune(wanted, 0 if keep is None else whole("--keep", keep, _MOST), is_meant=yes)
        return
    if do is not None:
        raise UsageError(f"runs has no {do!r}; there is prune, and without a word they are listed")
    if keep is not None or yes:
        raise UsageError(f"{'--yes' if yes else '--keep'} is for `react-agent runs prune`")
    found = listed(lying_in(runs_folder()), wanted, now)
    _show(list(found if every else islice(found, _SHOWN + 1)), wanted, is_all=every)


def _wanted(filters: Filters) -> Wanted:
    given = filters.older_than
    seconds = None if given is None else read_age(given)
    if given is not None and seconds is None:
        raise UsageError(f"--older-than is an age as 30d, 12h, 90min or 2w, not {given!r}")
    outcomes = dict.fromkeys(one for word in filters.outcome or () for one in _outcomes(word))
    place = filters.repo and filters.repo.resolve()
    return Wanted(tuple(outcomes), place, filters.search, seconds)


def _outcomes(word: str) -> tuple[str, ...]:
    plain = word.casefold().replace("-", "_").replace(" ", "_")
    if plain == _FAILED:
        return tuple(one for one in OUTCOMES if one not in (Stop.CONCLUDED, Standing.RUNNING))
    if plain not in OUTCOMES:
        raise UsageError(f"--outcome has no {word!r}; there are {', '.join(_WORDS)}")
    return (plain,)


def _show(found: Sequence[Listed], wanted: Wanted, *, is_all: bool) -> None:
    screen = console()
    if not found:
        about = "no run is like that" if wanted != Wanted() else "there is no run yet"
        screen.print(Text(f"{about} in {escape(str(runs_folder()))}"), soft_wrap=True)
        return
    shown = found if is_all else found[:_SHOWN]
    room = screen.width if screen.is_terminal else None
    for line in rows(shown, (AGE, OUTCOME, STEPS, COST), room):
        screen.print(line, soft_wrap=True)
    if len(shown) < len(found):
        screen.print(Text(f"the newest {_SHOWN}; --all shows the others, too", style="dim"))
