"""react-agent resume"""

from contextlib import closing

import typer

from react_agent.cli.delivery import finished
from react_agent.cli.options import Moved, Run
from react_agent.cli.running import Running
from react_agent.cli.summary import exit_code
from react_agent.loop.state import fold
from react_agent.loop.transcript import read
from react_agent.runs.run_folder import find
from react_agent.runs.solve import Otherwise, resume


def command(run: Run, running: Running, repo: Moved = None) -> None:
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
