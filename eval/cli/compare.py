"""react-agent eval compare"""

from typing import Annotated

import typer

from react_agent.cli.screen import console
from react_agent.eval.cli.report import Every
from react_agent.eval.report.compared import comparison
from react_agent.eval.report.resolved import SHOWN
from react_agent.eval.report.stored import compared

First = Annotated[
    str, typer.Argument(metavar="A", help="an experiment, or EXP:ARM where it has several arms")
]
Second = Annotated[str, typer.Argument(metavar="B", help="another, or another arm of it")]


def command(first: First, second: Second, every: Every = False) -> None:
    """Compare two experiments, or two arms, over the attempts that were judged in both.

    Tells the difference with its interval, whether it may be chance, and each issue that one
    resolved and the other did not, with both transcripts.

    \b
    Example:
      react-agent eval compare trial:plain trial:no-hidden
    """
    screen = console()
    found = compared(first, second)
    for line in comparison(found, screen.width, None if every else SHOWN):
        screen.print(line, soft_wrap=True)
