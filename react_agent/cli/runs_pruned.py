"""react-agent runs prune"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import typer
from rich.console import Console
from rich.text import Text

from react_agent.cli import streams
from react_agent.cli.runs_rows import AGE, OUTCOME, Column, rows
from react_agent.cli.screen import console
from react_agent.errors import UsageError
from react_agent.parsers.text.counted import counted
from react_agent.places import cache_folder, runs_folder
from react_agent.runs.listing import (
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

_UNIT = 1000
_UNITS = ("kB", "MB", "GB")
_STILL_THERE = 2


def prune(wanted: Wanted, keep: int, *, is_meant: bool) -> None:
    """Only told, unless it is meant."""
    if wanted == Wanted() and not keep:
        raise UsageError("which runs? name some by --older-than, --outcome, --repo, or --keep N")
    runs, screen = runs_folder(), console()
    found = listed(lying_in(runs)[keep:], wanted, clock.unix())
    going = [one for one in found if one.run.outcome != Standing.RUNNING]
    sizes = {one.run.name: size_of(one.run.folder.path) for one in going}
    _show(going, sizes, screen)
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


def _show(going: Sequence[Listed], sizes: Mapping[str, int], screen: Console) -> None:
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
    for unit in _UNITS[:-1]:
        if size < _UNIT:
            return f"{size:.{0 if unit == _UNITS[0] else 1}f} {unit}"
        size /= _UNIT
    return f"{size:.1f} {_UNITS[-1]}"
