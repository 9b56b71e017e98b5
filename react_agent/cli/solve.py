"""react-agent solve"""

import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import typer

from react_agent.attempts.attempts import attempt
from react_agent.cli.delivery import finished
from react_agent.cli.options import (
    Attempts,
    Issue,
    Procedure,
    Profile,
    Repository,
    attempts_of,
)
from react_agent.cli.running import Running
from react_agent.cli.screen import Screen
from react_agent.cli.sending import Sending
from react_agent.cli.summary import exit_code, print_attempts
from react_agent.errors import UsageError
from react_agent.issue_to_pr.delivery import aimed, forge_for, outlet_for
from react_agent.issue_to_pr.issue import read_issue
from react_agent.issue_to_pr.target import COMMENT
from react_agent.procedure.files import find_procedure
from react_agent.runs.outcome import Outcome
from react_agent.runs.run_setup import Request
from react_agent.runs.solve import solve
from react_agent.runs.surroundings import Surroundings


def command(
    issue: Issue,
    *,
    repo: Repository = Path(),
    sending: Sending,
    running: Running,
    profile: Profile = None,
    attempts: Attempts = None,
    procedure: Procedure = None,
) -> None:
    """Turn an issue into a branch, or with --pr into a pull request.

    The agent works in a private clone of the base commit. Your checkout, index, stash and
    uncommitted changes are neither used nor touched; a new branch is all that is added.

    \b
    Example:
      react-agent solve issue.md --model openai/gpt-6
      react-agent solve "#12" --pr --model anthropic/NAME
      react-agent solve "x is wrong" --model openai/qwen --base-url http://host/v1
    """
    screen, around = running.watched()
    count, roles = attempts_of(attempts), find_procedure(procedure) if procedure else None
    request = asked(issue, repo, sending, running, around)
    request = replace(request, profile=profile or "", procedure=roles)
    outcome = solved(request, count, around, screen)
    finished(outcome, around, screen.console)
    raise typer.Exit(exit_code(outcome))


def asked(
    issue: str, repo: Path, sending: Sending, running: Running, around: Surroundings
) -> Request:
    """Of an issue, wherever it is."""
    spec, way = running.spec(around), sending.way
    forge = forge_for(repo, sending.named, around)
    read = read_issue(issue, _standard_input, forge, around.settings.speak)
    request = Request(
        read,
        repo,
        sending.base or "HEAD",
        spec,
        running.budget,
        keep=running.keep or around.settings.keep,
    )
    if not way:
        return request
    if COMMENT in way and read.reference is None:
        raise UsageError("--comment is for an issue at a forge: name it by number or address")
    outlet = outlet_for(repo, sending.named, around, read.reference if sending.fork else None)
    return aimed(request, outlet, sending.base or "", way, around)


def solved(request: Request, attempts: int, around: Surroundings, screen: Screen) -> Outcome:
    with closing(around), screen.live():
        if attempts == 1:
            return solve(request, around)
        attempted = attempt(request, attempts, around)
    print_attempts(attempted, screen.console)
    return attempted.best


def _standard_input(most: int) -> bytes:
    return sys.stdin.buffer.read(most) if sys.stdin else b""
