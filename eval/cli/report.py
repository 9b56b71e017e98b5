"""react-agent eval report and compare"""

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from react_agent.cli.terminal.screen import console
from react_agent.eval.cli.options import Experiment
from react_agent.eval.page.page import write_page
from react_agent.eval.report.compared import comparison
from react_agent.eval.report.sections import SHOWN
from react_agent.eval.report.stored import compared, experiment
from react_agent.eval.report.told import report
from react_agent.parsers.transcript.quoting import escape

Every = Annotated[
    bool, typer.Option("--all", help=f"every attempt, and not the first {SHOWN} of a kind")
]


def command(
    named: Experiment,
    every: Every = False,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="write a page with all transcripts instead"),
    ] = None,
) -> None:
    """Tell what came of an experiment: what was resolved, what it took, and why not.

    Rates have 95 % intervals. Failures of the endpoint or the machine count neither way.

    \b
    Example:
      react-agent eval report trial
      react-agent eval report trial --html trial.html
    """
    screen, told = console(), experiment(named)
    if html:
        write_page(html, told.title, told.records, {**told.about, **told.ways})
        screen.print(Text(f"written: {escape(str(html))}"), soft_wrap=True)
        return
    for line in report(told, screen.width, None if every else SHOWN):
        screen.print(line, soft_wrap=True)


First = Annotated[
    str, typer.Argument(metavar="A", help="an experiment, or EXP:ARM where it has several arms")
]
Second = Annotated[str, typer.Argument(metavar="B", help="another, or another arm of it")]


def compare_command(first: First, second: Second, every: Every = False) -> None:
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
