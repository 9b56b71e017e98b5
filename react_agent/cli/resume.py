"""react-agent resume"""

from contextlib import closing

import typer

from react_agent.cli.options import (
    BaseUrl,
    Keep,
    Key,
    Model,
    Money,
    Moved,
    Network,
    Run,
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
from react_agent.resume import Otherwise
from react_agent.run_folder import find
from react_agent.solve import resume
from react_agent.state import fold
from react_agent.transcript import read


def command(
    run: Run,
    repo: Moved = None,
    model: Model = None,
    base_url: BaseUrl = None,
    key: Key = None,
    steps: Steps = None,
    seconds: Seconds = None,
    tokens: Tokens = None,
    money: Money = None,
    keep: Keep = False,
    sandbox: Sandbox = None,
    network: Network = False,
) -> None:
    """Take up a run from whatever its transcript now says.

    The transcript may have been cut or edited; files are put back as its last step left them.

    \b
    Example:
      react-agent resume 2026-11-20-fix --steps 60
    """
    screen = Screen()
    around = confined(surroundings(screen.tell, screen.entry), sandbox, network)
    folder = find(around.runs, run)
    screen.counted = fold(read(folder.transcript).entries)
    given = model or base_url or key
    spec = spec_of(model, base_url, key) if given else None
    otherwise = Otherwise(budget(steps, seconds, tokens, money), spec, repo)
    with closing(around), screen.live():
        outcome = resume(folder, around, otherwise, keep=keep or around.settings.keep)
    print_summary(outcome, screen.console)
    raise typer.Exit(exit_code(outcome))
