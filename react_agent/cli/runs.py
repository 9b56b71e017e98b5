"""react-agent runs"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from react_agent.cli.options import whole
from react_agent.cli.runs_pruned import prune
from react_agent.cli.runs_rows import AGE, COST, OUTCOME, STEPS, rows
from react_agent.cli.screen import console
from react_agent.errors import UsageError
from react_agent.loop.stop import Stop
from react_agent.parsers.text.ages import read_age
from react_agent.parsers.transcript.quoting import escape
from react_agent.places import runs_folder
from react_agent.runs.listing import OUTCOMES, Listed, Standing, Wanted, listed, lying_in
from react_agent.tools import clock

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
