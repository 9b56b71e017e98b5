"""react-agent eval resume"""

from contextlib import closing
from typing import Annotated

import typer

from react_agent.cli.places import experiments_folder
from react_agent.eval.cli.going import Going, carried_out
from react_agent.eval.store import store as stores
from react_agent.eval.store.find import find_experiment

Experiment = Annotated[
    str, typer.Argument(metavar="EXP", help="its folder, or the start of its name")
]


def command(named: Experiment, going: Going) -> None:
    """Go on with an experiment that was broken off or ran into its budget.

    What was judged stays as it is, and what was solved is only judged. What was in flight, or
    failed by what surrounds the model (endpoint, environment, worker), is done again.

    \b
    Example:
      react-agent eval resume trial --workers 4 --budget-usd 20
    """
    going.check()
    with closing(stores.open(find_experiment(named, experiments_folder()))) as store:
        code = carried_out(store, going)
    raise typer.Exit(code)
