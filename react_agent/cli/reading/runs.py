"""The command `react-agent runs`, which lists runs and removes old ones."""

import os
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.text import Text

from react_agent.cli.arguments import ListRuns
from react_agent.cli.options import SHOWN_RUNS, whole
from react_agent.cli.terminal import streams
from react_agent.cli.terminal.screen import console
from react_agent.cli.terminal.table import print_table
from react_agent.errors import UsageError
from react_agent.parsers.text.counted import counted, read_age, write_age
from react_agent.parsers.transcript.quoting import escape
from react_agent.places import cache_folder, runs_folder
from react_agent.runs.run_folder import (
    OUTCOMES,
    Glance,
    Standing,
    Wanted,
    listed,
    lying_in,
    remove,
    remove_half_gone,
    size_of,
    unneeded_cuts,
)
from react_agent.state.state import Stop
from react_agent.tools import clock
from react_agent.tools.disk import remove_tree

_STYLES: Mapping[str, str] = {Stop.CONCLUDED: "green", Standing.RUNNING: "bold cyan"}
_OTHERWISE = "yellow"


def show_rows(found: Sequence[Glance], screen: Console, sizes: Mapping[str, int] = {}) -> None:
    """Print a table of runs. Names are never cut, because other commands need them in full."""
    columns: Mapping[str, Sequence[str | Text]] = {
        "age": [write_age(one.age) for one in found],
        "outcome": [
            Text(one.outcome.replace("_", " "), _STYLES.get(one.outcome, _OTHERWISE))
            for one in found
        ],
        "steps": ["" if one.outcome == Standing.UNREADABLE else str(one.steps) for one in found],
        "cost": ["" if one.money is None else f"{one.money:.4f} $" for one in found],
        "size": [_size(sizes[one.name]) if sizes else "" for one in found],
        "run": [one.name for one in found],
        "issue": [Text(one.title) for one in found],
    }
    shown = {name: cells for name, cells in columns.items() if any(cells) or name == "issue"}
    rows: list[Sequence[str | Text]] = [[Text(name, "dim") for name in shown]]
    rows += zip(*shown.values(), strict=True)
    numbers = [at for at, name in enumerate(shown) if name in ("age", "steps", "cost", "size")]
    print_table(rows, screen, right=numbers, cut=True)


_UNIT = 1000
_UNITS = ("kB", "MB", "GB")
_STILL_THERE = 1


def prune(wanted: Wanted, keep: int, *, is_meant: bool) -> int:
    """Remove runs, or only list them if `is_meant` is false. Return the exit code."""
    if wanted == Wanted() and not keep:
        raise UsageError("select runs with --older-than, --outcome, --repo, --search, or --keep N")
    runs, screen = runs_folder(), console()
    found = listed(lying_in(runs)[keep:], wanted, clock.unix())
    going = [one for one in found if one.outcome != Standing.RUNNING]
    sizes = {one.name: size_of(one.folder.path) for one in going}
    if going:
        show_rows(going, screen, sizes)
    staying = dict[str, str]()  # with the reason
    if is_meant:
        staying = remove_half_gone(runs)
        staying |= {one.name: why for one in going if (why := remove(runs, one))}
    gone = sizes.keys() - staying.keys()
    cuts = unneeded_cuts(cache_folder() / "cuts", runs, gone, clock.unix())
    freed = sum(map(size_of, cuts))
    for cut in cuts if is_meant else ():
        remove_tree(cut)
    about = f"{counted(len(gone), 'run')}, {_size(sum(sizes[name] for name in gone))}"
    if cuts:
        about += f"; {counted(len(cuts), 'cut')} of repositories that no run uses, {_size(freed)}"
    told = f"removed: {about}" if is_meant else f"would remove: {about}; --yes removes that"
    if not (gone or cuts or staying):
        told = "nothing to remove: no run matches"
    screen.print(Text(told))
    if staying:
        streams.say(f"react-agent: can't remove {name}: {why}" for name, why in staying.items())
    return _STILL_THERE if staying else 0


def _size(size: float) -> str:
    """Format a size, as in `4 kB` or `1.2 MB`."""
    size /= _UNIT
    for unit in _UNITS[:-1]:
        if size < _UNIT:
            return f"{size:.{0 if unit == _UNITS[0] else 1}f} {unit}"
        size /= _UNIT
    return f"{size:.1f} {_UNITS[-1]}"


PRUNE = "prune"
_MOST = 1_000_000
_FAILED = "failed"  # any end except a change
WORDS = (_FAILED, *OUTCOMES)


def command(given: ListRuns) -> int:
    wanted, keep = _wanted(given), given.keep
    if given.do == PRUNE:
        kept = 0 if keep is None else whole("--keep", keep, _MOST)
        return prune(wanted, kept, is_meant=given.yes)
    if given.do is not None:
        raise UsageError(f"runs has no {given.do!r}; write prune, or nothing to list the runs")
    if keep is not None or given.yes:
        raise UsageError(f"{'--yes' if given.yes else '--keep'} is for `react-agent runs prune`")
    found = listed(lying_in(runs_folder()), wanted, clock.unix())
    every = given.every
    _show(list(found if every else islice(found, SHOWN_RUNS + 1)), wanted, is_all=every)
    return 0


def _wanted(given: ListRuns) -> Wanted:
    age = given.older_than
    seconds = None if age is None else read_age(age)
    if age is not None and seconds is None:
        raise UsageError(f"--older-than must be an age like 30d, 12h, 90min or 2w, not {age!r}")
    outcomes = dict.fromkeys(one for word in given.outcome or () for one in _outcomes(word))
    place = given.repo and Path(os.path.realpath(given.repo))
    return Wanted(tuple(outcomes), place, given.search, seconds)


def _outcomes(word: str) -> tuple[str, ...]:
    plain = word.casefold().replace("-", "_").replace(" ", "_")
    if plain == _FAILED:
        return tuple(one for one in OUTCOMES if one not in (Stop.CONCLUDED, Standing.RUNNING))
    if plain not in OUTCOMES:
        raise UsageError(f"--outcome has no value {word!r}; choose from {', '.join(WORDS)}")
    return (plain,)


def _show(found: Sequence[Glance], wanted: Wanted, *, is_all: bool) -> None:
    screen = console()
    if not found:
        about = "no run matches" if wanted != Wanted() else "there is no run yet"
        screen.print(Text(f"{about} in {escape(str(runs_folder()))}"))
        return
    shown = found if is_all else found[:SHOWN_RUNS]
    show_rows(shown, screen)
    if len(shown) < len(found):
        screen.print(Text(f"the newest {SHOWN_RUNS}; --all shows the rest", style="dim"))
