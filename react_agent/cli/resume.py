"""react-agent resume"""

from typing import Annotated

import typer
from rich.console import Console

from react_agent.cli.screen import Screen
from react_agent.cli.solve import Keep, Money, Seconds, Steps, Tokens, budget
from react_agent.cli.summary import exit_code, print_summary
from react_agent.cli.surroundings import surroundings
from react_agent.run_folder import find
from react_agent.solve import resume


def command(
    run: Annotated[
        str, typer.Argument(help="its folder, its transcript, or the start of its name")
    ],
    model: Annotated[
        str | None, typer.Option("--model", help="go on with another model than before")
    ] = None,
    steps: Steps = None,
    seconds: Seconds = None,
    tokens: Tokens = None,
    money: Money = None,
    keep: Keep = False,
) -> None:
    """Take up a run from whatever its transcript now says.

    The transcript may have been cut or edited; files are put back as its last step left them.

    Example: react-agent resume 2026-11-20-fix --steps 60
    """
    screen = Screen(Console(highlight=False))
    around = surroundings(screen.tell, screen.entry)
    folder = find(around.runs, run)
    with screen.live():
        outcome = resume(
            folder,
            around,
            budget=budget(steps, seconds, tokens, money),
            model=model,
            keep=keep or around.settings.keep,
        )
    print_summary(outcome, screen.console)
    raise typer.Exit(exit_code(outcome))
