"""react-agent eval resume"""

from contextlib import closing

import typer

from react_agent.eval.cli.experiment import Experiment, opened
from react_agent.eval.cli.going import Going, carried_out
from react_agent.eval.cli.working import check


def command(named: Experiment, going: Going) -> None:
    """Go on with an experiment that was broken off or ran into its budget.

    What was judged stays as it is, and what was solved is only judged. What was in flight, or
    failed by what surrounds the model (endpoint, environment, worker), is done again.

    \b
    Example:
      react-agent eval resume trial --workers 4 --budget-usd 20
    """
    going.check()
    with closing(opened(named)) as store:
        if going.is_here:
            check(store.conditions)
        code = carried_out(store, going)
    raise typer.Exit(code)
