"""The command `react-agent demo`, which runs an agent in a small example repository."""

import shlex
from pathlib import Path

from react_agent.cli.arguments import Demo
from react_agent.cli.running import exit_code, print_summary
from react_agent.cli.terminal.paint import painted_diff
from react_agent.cli.terminal.screen import Screen, console
from react_agent.cli.terminal.table import wrapped
from react_agent.demo.repository import make_repository
from react_agent.edge import confined, surroundings
from react_agent.errors import MachineError, UsageError
from react_agent.issue_to_pr.issue import Issue
from react_agent.parsers.issue.title import title_of
from react_agent.runs.commands import Surroundings, chosen_here
from react_agent.runs.report import Outcome
from react_agent.runs.run_setup import Request
from react_agent.runs.solve import solve
from react_agent.tools import disk, package_data
from react_agent.tools.disk import remove_tree
from react_agent.tools.errors import machine_error
from react_agent.tools.sandbox.sandbox import NONE


def command(given: Demo) -> int:
    screen = Screen(console(plain=given.plain))
    # Tell no differences: tracebacks differ between versions of Python.
    around = _confined(surroundings(lambda line: None, screen.entry), given.sandbox, screen)
    place = _place(given.folder)
    was_there = given.folder is not None and given.folder.exists()
    try:
        make_repository(place)
        screen.say(f"A repository with an issue: {place}\n")
        text = package_data.text("react_agent.demo", "issue.md").strip()
        model = f"replay/{package_data.place('react_agent.demo', 'transcript.txt')}"
        with screen.live():
            outcome = solve(Request(Issue(title_of(text), text), place, "HEAD", model), around)
    except BaseException:
        if screen.counted.pending is None and not screen.counted.steps:
            remove_tree(*(list(place.iterdir()) if was_there else [place]))
        raise
    print_summary(outcome, screen.console)
    screen.console.print()
    for line in painted_diff(disk.read_text(outcome.folder.patch)):
        for row in wrapped(line, screen.console):
            screen.console.print(row)
    screen.console.print()
    screen.say(_next(outcome, place))
    return exit_code(outcome)


def _confined(around: Surroundings, sandbox: str | None, screen: Screen) -> Surroundings:
    """Use a sandbox if one is available. Without one, run the demo's own commands unconfined."""
    wanted = confined(around, sandbox, network=False)
    try:
        chosen_here(wanted.environment, wanted.own_prefix, wanted.settings)
    except MachineError as error:
        if sandbox:
            raise
        screen.say(f"Commands run as you: {error}")
        return confined(around, NONE, network=False)
    return wanted


def _place(named: Path | None) -> Path:
    if named is None:
        with machine_error("can't make a temporary folder"):
            return disk.new_folder("react-agent-demo-")
    if named.exists() and not (named.is_dir() and not any(list(named.iterdir()))):
        raise UsageError(f"{named} already exists: name a new folder")
    return named.absolute()


def _next(outcome: Outcome, place: Path) -> str:
    run = outcome.folder.path.name
    log = shlex.join(["git", "-C", str(place), "log", "--stat", outcome.branch])
    lines = (
        f"Look at it:    {log}" if outcome.branch else "",
        f"Read the run:  react-agent show {run}",
        f"Do it again:   react-agent replay {run}",
        "Your own:      react-agent solve ISSUE --repo DIR --model MODEL"
        "   (react-agent solve --help)",
    )
    return "\n".join(line for line in lines if line)
