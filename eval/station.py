"""What a process keeps from one task to the next: folders, clients, what it looked up."""

import secrets
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from react_agent.cli.places import cache_folder, settings_file
from react_agent.errors import ReactAgentError
from react_agent.eval.probed import Probed
from react_agent.eval.site import Site, sweep
from react_agent.eval.task import Conditions
from react_agent.models.connection import Time
from react_agent.models.contract import Model
from react_agent.models.endpoint import find_endpoint
from react_agent.models.endpoints import Endpoints
from react_agent.models.memory import Memory
from react_agent.models.spec import REPLAY, open_replay
from react_agent.profiles.settings import Settings, read_settings
from react_agent.runs.commands import Outer
from react_agent.tools import clock, variables
from react_agent.tools.git.built import Built
from react_agent.tools.shell.this_process import hide_memory

_ACTIVE = "VIRTUAL_ENV"


class CannotOpen(ReactAgentError):
    """A model that there is not, or that lacks a key."""


@dataclass(frozen=True, slots=True)
class Station:
    site: Site
    environment: Mapping[str, str]
    settings: Settings
    endpoints: Endpoints
    own_prefix: Path  # our own virtual environment, which commands must not see
    probed: Probed = field(default_factory=Probed)

    def open_model(self, spec: str) -> Model:
        """Raises CannotOpen."""
        try:
            if spec.startswith(REPLAY):
                return open_replay(spec, unheard)
            return self.endpoints.model(find_endpoint(spec, self.settings.models, self.environment))
        except ReactAgentError as error:
            raise CannotOpen(str(error)) from None

    def takes_temperature(self, spec: str) -> bool:
        if spec.startswith(REPLAY):
            return False
        endpoint = find_endpoint(spec, self.settings.models, self.environment)
        return self.endpoints.takes_temperature(endpoint)

    def settings_for(self, conditions: Conditions, python: Path | None) -> Settings:
        """A person's models and profiles; all else is the experiment's, on whatever machine."""
        return Settings(
            models=self.settings.models,
            profiles=self.settings.profiles,
            sandbox=conditions.sandbox,
            network=conditions.network,
            python=str(python) if python else None,
        )

    def environment_for(self, python: Path | None) -> dict[str, str]:
        """Without the environment that a person works in, where there is one for the instance."""
        given = self.environment.items()
        return {name: value for name, value in given if not (python and name == _ACTIVE)}

    def outer(
        self, conditions: Conditions, python: Path | None, built: Built | None = None
    ) -> Outer:
        """What commands may feel of this machine."""
        return Outer(
            self.environment_for(python),
            self.own_prefix,
            self.site.cuts,
            self.settings_for(conditions, python),
            probe=self.probed.for_python(python, built),
        )


def station_at(root: Path | None) -> Station:
    """At this folder, else at the one of the machine."""
    hide_memory()
    site = Site((root or cache_folder() / "eval").absolute())
    sweep(site)
    return Station(
        site,
        variables.all_of_them(),
        read_settings(settings_file()),
        Endpoints(
            memory=Memory(cache_folder()),
            time=Time(clock.monotonic, clock.sleep),
            now=clock.now,
            session=secrets.token_hex(8),
        ),
        Path(sys.prefix),
    )


def unheard(line: str) -> None:
    """Nobody listens."""
