"""react-agent solve, resume, fork and replay: what runs an agent on an issue."""

import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from react_agent.cli.deliver import finished
from react_agent.cli.options import (
    Attempts,
    Issue,
    Moved,
    Plain,
    Procedure,
    Profile,
    Repository,
    Run,
    Sandbox,
    Sending,
    attempts_of,
)
from react_agent.cli.running import Running
from react_agent.cli.screen import Screen, console
from react_agent.cli.summary import exit_code, print_attempts, print_summary
from react_agent.edge import confined, surroundings
from react_agent.errors import UsageError
from react_agent.issue_to_pr.delivery import aimed, forge_for, outlet_for
from react_agent.issue_to_pr.issue import read_issue
from react_agent.issue_to_pr.target import COMMENT
from react_agent.loop.state import fold
from react_agent.loop.stop import Stop
from react_agent.loop.transcript import read
from react_agent.models.replay import open_replay
from react_agent.procedure.roles import find_procedure
from react_agent.runs.attempts import attempt
from react_agent.runs.commands import Surroundings
from react_agent.runs.report import Outcome
from react_agent.runs.run_folder import find
from react_agent.runs.run_setup import Request, again
from react_agent.runs.solve import Fork, Otherwise, kept_of, resume, solve
from react_agent.runs.solve import fork as forked
from react_agent.tools import disk
from react_agent.tools.clip import counted


def solve_command(
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


def resume_command(run: Run, running: Running, repo: Moved = None) -> None:
    """Take up a run from whatever its transcript now says.

    The transcript may have been cut or edited; files are put back as its last step left them.

    \b
    Example:
      react-agent resume 2026-11-20-fix --steps 60
    """
    screen, around = running.watched()
    folder = find(around.runs, run)
    screen.counted = fold(read(folder.transcript).entries)
    otherwise = Otherwise(running.budget, running.other_spec, repo)
    with closing(around), screen.live():
        outcome = resume(folder, around, otherwise, keep=running.keep or around.settings.keep)
    finished(outcome, around, screen.console)
    raise typer.Exit(exit_code(outcome))


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


def fork_command(
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


def replay_command(
    run: Run,
    repo: Moved = None,
    sandbox: Sandbox = None,
    plain: Plain = False,
) -> None:
    """Do a run again: its recorded turns, with tools that really run.

    Says at which step a prompt differs from the recorded one. No branch is made.

    \b
    Example:
      react-agent replay 2026-11-20-fix
    """
    differences: list[str] = []
    screen = Screen(console(plain=plain))
    around = replace(
        confined(surroundings(screen.tell, screen.count), sandbox, network=False),
        open_model=lambda spec: open_replay(spec, differences.append),
    )
    request = again(find(around.runs, run), repo)
    with disk.temporary_folder("replay") as runs, screen.live():
        outcome = solve(request, replace(around, runs=runs))
    for difference in differences:
        screen.say(difference)
    verdict = counted(len(differences), "difference") if differences else "every prompt as recorded"
    steps = counted(len(outcome.state.steps), "step")
    screen.say(f"{steps}, ended as {outcome.stop}: {verdict}")
    raise typer.Exit(_replay_code(outcome, differences))


def _replay_code(outcome: Outcome, differences: list[str]) -> int:
    if outcome.stop is Stop.INTERRUPTED:
        return 130
    return 1 if differences else 0
