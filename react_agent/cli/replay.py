"""react-agent replay"""

from dataclasses import replace

import typer

from react_agent.cli.options import Moved, Plain, Run, Sandbox
from react_agent.cli.screen import Screen, console
from react_agent.edge import confined, surroundings
from react_agent.loop.stop import Stop
from react_agent.models.spec import open_replay
from react_agent.runs.outcome import Outcome
from react_agent.runs.run_folder import find
from react_agent.runs.run_setup import again
from react_agent.runs.solve import solve
from react_agent.tools import disk
from react_agent.tools.clip import counted


def command(
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
    raise typer.Exit(_exit_code(outcome, differences))


def _exit_code(outcome: Outcome, differences: list[str]) -> int:
    if outcome.stop is Stop.INTERRUPTED:
        return 130
    return 1 if differences else 0
