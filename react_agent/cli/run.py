"""The commands solve, resume, fork and replay, which run an agent on an issue."""

import sys
from dataclasses import replace
from pathlib import Path

from react_agent.cli.arguments import ForkRun, Replay, Resume, Solve
from react_agent.cli.deliver import finished
from react_agent.cli.main import INTERRUPTED
from react_agent.cli.options import MOST_STEPS, Running, Sending, whole
from react_agent.cli.running import (
    exit_code,
    other_spec,
    print_summary,
    solved,
    spec,
    tell_uncommitted,
    until_it_ends,
    watched,
)
from react_agent.cli.terminal.screen import Screen, console
from react_agent.edge import confined, surroundings
from react_agent.errors import UsageError
from react_agent.issue_to_pr.delivery import aimed, forge_for, outlet_for
from react_agent.issue_to_pr.issue import read_issue
from react_agent.issue_to_pr.target import COMMENT, DRAFT, DRY, FORK, PULL
from react_agent.models.endpoint import find_endpoint, is_replay
from react_agent.models.endpoints import check_key
from react_agent.models.replay import open_replay
from react_agent.parsers.settings.procedure import Procedure
from react_agent.procedure.roles import find_procedure
from react_agent.runs.commands import Surroundings
from react_agent.runs.run_folder import find
from react_agent.runs.run_setup import Request, again
from react_agent.runs.solve import Fork, Otherwise, fork, kept_of, resume, said_again, solve
from react_agent.state.state import Stop, fold
from react_agent.state.transcript import read
from react_agent.tools import disk
from react_agent.tools.clip import counted

_MOST_ATTEMPTS = 20


def solve_issue(given: Solve, sending: Sending, running: Running) -> int:
    screen, around = watched(running)
    attempts = whole("--attempts", given.attempts, _MOST_ATTEMPTS)
    request = requested(given.issue, given.repo, sending, running, around)
    tell_uncommitted(given.repo, screen)
    outcome = solved(replace(request, profile=given.profile or ""), attempts, around, screen)
    finished(outcome, around, screen.console)
    return exit_code(outcome)


def requested(
    issue: str, repo: Path, sending: Sending, running: Running, around: Surroundings
) -> Request:
    """Return the request for a run on an issue, which may be text, a file or on a forge."""
    model, way, remote = spec(running, around), _way(sending), sending.remote or ""
    forge = forge_for(repo, remote, around)
    read_it = read_issue(
        issue,
        lambda most: sys.stdin.buffer.read(most) if sys.stdin else b"",
        forge,
        around.settings.speak,
    )
    base, keep = sending.base or "HEAD", around.settings.keep
    roles = around.settings.procedure
    procedure = find_procedure(roles) if roles else None
    if procedure and not is_replay(model):
        _check_models(procedure, around)
        only = procedure.only_phase  # one run, whose model is that of its role
        model = (only.roles[0].model if only else "") or model
    request = Request(read_it, repo, base, model, running.budget, keep=keep, procedure=procedure)
    if not way:
        return request
    if COMMENT in way and read_it.reference is None:
        raise UsageError("--comment is for an issue at a forge: name it by number or address")
    outlet = outlet_for(repo, remote, around, read_it.reference if sending.fork else None)
    return aimed(request, outlet, sending.base or "", way, around)


def _check_models(procedure: Procedure, around: Surroundings) -> None:
    """Check the models of roles before anything is paid for. Raises UsageError or ConfigError."""
    models = (role.model for phase in procedure.phases for role in phase.roles)
    for model in dict.fromkeys(filter(None, models)):
        if not is_replay(model):
            check_key(find_endpoint(model, around.settings.models, around.environment))


def _way(sending: Sending) -> tuple[str, ...]:
    """Return keywords for how to send the change, or none if nothing is sent to a forge."""
    if (sending.draft or sending.fork) and not (sending.pr or sending.dry_run):
        option = "--draft" if sending.draft else "--fork"
        raise UsageError(f"{option} is about a pull request: add --pr")
    given = {
        PULL: sending.pr and not sending.dry_run,
        DRY: sending.dry_run,
        DRAFT: sending.draft,
        FORK: sending.fork,
        COMMENT: sending.comment,
    }
    return tuple(word for word, is_given in given.items() if is_given)


def resume_run(given: Resume, running: Running) -> int:
    screen, around = watched(running)
    folder = find(around.runs, given.run)
    screen.counted = fold(read(folder.transcript).entries)
    otherwise = Otherwise(running.budget, other_spec(running), given.moved)
    with until_it_ends(screen, around):
        outcome = resume(folder, around, otherwise, keep=around.settings.keep)
    finished(outcome, around, screen.console)
    return exit_code(outcome)


def fork_run(given: ForkRun, running: Running) -> int:
    screen, around = watched(running)
    at, words = whole("--at", given.at, MOST_STEPS, least=0), given.say
    if words is not None and not words.strip():
        raise UsageError("--say is empty: write what the model should know")
    start = Fork(find(around.runs, given.run), at, words or "")
    screen.counted = fold(kept_of(start.source, start.at))
    otherwise = Otherwise(running.budget, other_spec(running), given.moved)
    with until_it_ends(screen, around):
        outcome = fork(start, around, otherwise, keep=around.settings.keep)
    print_summary(outcome, screen.console)
    return exit_code(outcome)


def replay_run(given: Replay) -> int:
    differences: list[str] = []
    screen = Screen(console(plain=given.plain))
    around = confined(surroundings(screen.tell, screen.count), given.sandbox, network=False)
    folder = find(around.runs, given.run)
    around = replace(
        around,
        open_model=lambda name: open_replay(name, differences.append),
        said=said_again(read(folder.transcript).entries),
    )
    request = again(folder, given.moved)
    with disk.temporary_folder("replay") as runs, screen.live():
        outcome = solve(request, replace(around, runs=runs))
    for difference in differences:
        screen.say(difference)
    verdict = counted(len(differences), "difference") if differences else "every prompt as recorded"
    steps = counted(len(outcome.state.steps), "step")
    screen.say(f"{steps}, ended as {outcome.stop}: {verdict}")
    return INTERRUPTED if outcome.stop is Stop.INTERRUPTED else int(bool(differences))
