"""The experiment that a command is about."""

from typing import Annotated

import typer

from react_agent.eval.store import store as stores
from react_agent.eval.store.files import find_experiment
from react_agent.eval.store.store import Store
from react_agent.places import experiments_folder

Experiment = Annotated[
    str, typer.Argument(metavar="EXP", help="its folder, or the start of its name")
]


def opened(named: str) -> Store:
    """Raises UsageError, MachineError."""
    return stores.open(find_experiment(named, experiments_folder()))
