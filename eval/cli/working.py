"""What each command takes that runs the tests of a set."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from react_agent.cli.options import Network, Sandbox
from react_agent.errors import UsageError
from react_agent.eval.station import station_at
from react_agent.eval.task import Conditions
from react_agent.runs.commands import chosen_here
from react_agent.tools.sandbox.sandbox import AUTO

Repositories = Annotated[
    Path | None,
    typer.Option(
        "--repositories",
        metavar="DIR",
        help="a folder of repositories: OWNER/NAME, OWNER__NAME or NAME, also with .git",
    ),
]


@dataclass(frozen=True, slots=True)
class Working:
    repositories: Repositories = None
    sandbox: Sandbox = None
    network: Network = False

    @property
    def conditions(self) -> Conditions:
        folder = self.repositories.absolute() if self.repositories else None
        return Conditions(folder, self.sandbox or AUTO, self.network)

    def checked(self, is_here: bool = True) -> Conditions:
        """Raises UsageError, MachineError where all that is to be done could only fail."""
        conditions = self.conditions
        if is_here:
            check(conditions)
        return conditions


def check(conditions: Conditions) -> None:
    """On this machine."""
    folder = conditions.repositories
    if folder and not folder.is_dir():
        raise UsageError(f"there is no folder {folder} of repositories")
    chosen_here(station_at(None).outer(conditions, None))
