"""react-agent fork"""

from contextlib import closing
from typing import Annotated

import typer

from react_agent.cli.options import Moved, Profile, Run
from react_agent.cli.running import Running
from react_agent.cli.summary import exit_code, print_summary
from react_agent.errors import UsageError
from react_agent.loop.state import fold
from react_agent.runs.run_folder import find
from react_agent.runs.solve import Fork, Otherwise, kept_of
from react_agent.runs.solve import fork as forked

_DIGITS = 9  # of a number of a step
At = Annotated[
    str,
    typer.Option(
        "--at",
        metavar="N",
        help="the last step that is kept, numbered as `react-agent show` does; 0: none",
    ),
]
Say = Annotated[
    str | None,
    typer.Option("--say", metavar="WORDS", help="what you tell the model at that place"),
]


def command(
    run: Run,
    at: At,
    running: Running,
    say: Say = None,
    profile: Profile = None,
    repo: Moved = None,
) -> None:
    """Begin a new run as an old one was after step N, and go on from there.

    The old run stays as it is. Files are as that step left them, but for those that git ignores.

    \b
    Example:
      react-agent fork 2026-11-20-fix --at 7 --say "look in units.py"
    """
    screen, around = running.watched()
    fork = Fork(find(around.runs, run), step_of(at), said_of(say), profile or "")
    screen.counted = fold(kept_of(fork.source, fork.at))
    otherwise = Otherwise(running.budget, running.other_spec, repo)
    with closing(around), screen.live():
        outcome = forked(fork, around, otherwise, keep=running.keep or around.settings.keep)
    print_summary(outcome, screen.console)
    raise typer.Exit(exit_code(outcome))


def step_of(given: str) -> int:
    if not given.isascii() or not given.isdecimal() or len(given) > _DIGITS:
        raise UsageError(f"--at is the number of a step, or 0, not {given!r}")
    return int(given)


def said_of(given: str | None) -> str:
    if given is not None and not given.strip():
        raise UsageError("--say is empty: write what the model should know")
    return given or ""
