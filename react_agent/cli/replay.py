"""react-agent replay"""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.console import Console

from react_agent.cli.screen import Screen
from react_agent.cli.surroundings import surroundings
from react_agent.run_folder import find
from react_agent.run_setup import again
from react_agent.solve import solve


def command(
    run: Annotated[
        str, typer.Argument(help="its folder, its transcript, or the start of its name")
    ],
    repo: Annotated[
        Path | None, typer.Option("--repo", help="the repository, where it has moved")
    ] = None,
) -> None:
    """Do a run again: its recorded turns, with tools that really run.

    Says at which step a prompt differs from the recorded one. No branch is made.

    Example: react-agent replay 2026-11-20-fix
    """
    differences: list[str] = []
    screen = Screen(Console(highlight=False))
    around = surroundings(differences.append)
    folder = find(around.runs, run)
    with TemporaryDirectory(prefix="react-agent-replay-") as runs, screen.live():
        outcome = solve(again(folder, repo), replace(around, runs=Path(runs)))
    for difference in differences:
        screen.console.print(difference, soft_wrap=True, markup=False)
    verdict = f"{len(differences)} differences" if differences else "every prompt as recorded"
    screen.console.print(f"{len(outcome.state.steps)} steps, ended as {outcome.stop}: {verdict}")
    raise typer.Exit(1 if differences else 0)
