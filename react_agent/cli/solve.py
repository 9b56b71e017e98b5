"""react-agent solve"""

import sys
from contextlib import closing
from pathlib import Path

import typer

from react_agent.cli.options import (
    Base,
    BaseUrl,
    Issue,
    Keep,
    Key,
    Model,
    Money,
    Network,
    Repository,
    Sandbox,
    Seconds,
    Steps,
    Tokens,
    budget,
    spec_of,
)
from react_agent.cli.screen import Screen
from react_agent.cli.summary import exit_code, print_summary
from react_agent.cli.surroundings import confined, surroundings
from react_agent.issue import read_issue
from react_agent.run_setup import Request
from react_agent.solve import solve


def command(
    issue: Issue,
    repo: Repository = Path(),
    model: Model = None,
    base_url: BaseUrl = None,
    key: Key = None,
    base: Base = "HEAD",
    steps: Steps = None,
    seconds: Seconds = None,
    tokens: Tokens = None,
    money: Money = None,
    keep: Keep = False,
    sandbox: Sandbox = None,
    network: Network = False,
) -> None:
    """Turn an issue into a branch.

    The agent works in a private clone of the base commit. Your checkout, index, stash and
    uncommitted changes are neither used nor touched; a new branch is all that is added.

    \b
    Example:
      react-agent solve issue.md --model openai/gpt-6
      react-agent solve "x is wrong" --model openai/qwen --base-url http://host/v1
    """
    screen = Screen()
    around = confined(surroundings(screen.tell, screen.entry), sandbox, network)
    request = Request(
        issue=read_issue(issue, _standard_input),
        repository=repo,
        revision=base,
        model=spec_of(model or around.settings.model, base_url, key),
        budget=budget(steps, seconds, tokens, money),
        keep=keep or around.settings.keep,
    )
    with closing(around), screen.live():
        outcome = solve(request, around)
    print_summary(outcome, screen.console)
    raise typer.Exit(exit_code(outcome))


def _standard_input(most: int) -> bytes:
    return sys.stdin.buffer.read(most) if sys.stdin else b""
