"""react-agent solve"""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from react_agent.cli.screen import Screen
from react_agent.cli.summary import exit_code, print_summary
from react_agent.cli.surroundings import surroundings
from react_agent.errors import UsageError
from react_agent.issue import read_issue
from react_agent.run_setup import Request
from react_agent.solve import solve

Steps = Annotated[int | None, typer.Option("--steps", help="at most so many steps", min=1)]
Seconds = Annotated[float | None, typer.Option("--seconds", help="at most so many seconds")]
Tokens = Annotated[
    int | None, typer.Option("--tokens", help="at most so many prompt tokens in all", min=1)
]
Money = Annotated[
    float | None, typer.Option("--money", help="at most so much, where a price is known")
]
Keep = Annotated[bool, typer.Option("--keep", help="keep the workspace when the run has ended")]


def budget(
    steps: int | None, seconds: float | None, tokens: int | None, money: float | None
) -> dict[str, str]:
    given = {"steps": steps, "seconds": seconds, "prompt_tokens": tokens, "money": money}
    return {name: str(value) for name, value in given.items() if value is not None}


def command(
    issue: Annotated[str, typer.Argument(help="a file, - for standard input, or the text itself")],
    repo: Annotated[
        Path, typer.Option("--repo", help="the repository, or a folder in it")
    ] = Path(),
    model: Annotated[
        str | None, typer.Option("--model", help="replay/FILE: the turns of a transcript")
    ] = None,
    base: Annotated[str, typer.Option("--base", help="the revision to start from")] = "HEAD",
    steps: Steps = None,
    seconds: Seconds = None,
    tokens: Tokens = None,
    money: Money = None,
    keep: Keep = False,
) -> None:
    """Turn an issue into a branch.

    The agent works in a private clone of the base commit. Your checkout, index, stash and
    uncommitted changes are neither used nor touched; a new branch is all that is added.

    Example: react-agent solve issues/12.md --repo ~/src/thing --model replay/transcript.txt
    """
    screen = Screen(Console(highlight=False))
    around = surroundings(screen.tell, screen.entry)
    spec = model or around.settings.model
    if not spec:
        raise UsageError("no model: name one with --model, or in the settings file")
    request = Request(
        issue=read_issue(issue, sys.stdin.buffer.read),
        repository=repo,
        revision=base,
        model=spec,
        budget=budget(steps, seconds, tokens, money),
        keep=keep or around.settings.keep,
    )
    with screen.live():
        outcome = solve(request, around)
    print_summary(outcome, screen.console)
    raise typer.Exit(exit_code(outcome))
