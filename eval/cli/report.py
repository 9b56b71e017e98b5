"""react-agent eval report"""

from typing import Annotated

import typer

from react_agent.cli.screen import console
from react_agent.eval.report.failures import SHOWN
from react_agent.eval.report.stored import experiment
from react_agent.eval.report.told import report

Named = Annotated[
    str, typer.Argument(metavar="EXP", help="an experiment's folder, or the start of its name")
]
Every = Annotated[
    bool, typer.Option("--all", help=f"every attempt, and not the first {SHOWN} of a kind")
]


def command(exp: Named, every: Every = False) -> None:
    """Tell what came of an experiment: what was resolved, what it took, and why not.

    Rates have 95 % intervals. Failures of the endpoint or the machine count neither way.

    \b
    Example:
      react-agent eval report trial
    """
    screen = console()
    for line in report(experiment(exp), screen.width, None if every else SHOWN):
        screen.print(line, soft_wrap=True)
