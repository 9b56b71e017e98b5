"""What the edge of the program hands in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from react_agent.loop.guards import Guard
from react_agent.loop.transcript import Listener
from react_agent.models.contract import Embedder, Model, Show
from react_agent.models.endpoint import key_variables
from react_agent.parsers.secrets.redaction import Redaction, named_keys, secrets_of
from react_agent.profiles.settings import Settings
from react_agent.runs.commands import Probe
from react_agent.tools.git.built import Built
from react_agent.tools.registry import Tool
from react_agent.tools.testing.probe import probe


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the edge knows and hands in: places, clocks, the environment, the terminal."""

    runs: Path
    cuts: Path
    environment: Mapping[str, str]
    own_prefix: Path  # our own virtual environment, which commands must not see
    settings: Settings
    now: Callable[[], datetime]
    clock: Callable[[], float]
    token: Callable[[], str]  # a few random letters
    open_model: Callable[[str], Model]
    show: Show  # what the model says, as it says it
    tell: Callable[[str], None]  # what a person should hear, a line each
    listeners: tuple[Listener, ...] = ()
    within: tuple[Listener, ...] = ()  # to the turns of a procedure
    close: Callable[[], None] = lambda: None  # connections that models have opened
    open_embedder: Callable[[str], Embedder] | None = None
    takes_temperature: Callable[[str], bool] = lambda spec: False  # a model, as far as is known
    built: Built | None = None  # what a workspace is given beside the files of its base
    probe: Probe = probe  # of the environment that commands run in
    tools: tuple[Tool, ...] = ()  # that the model is offered beside those of the profile
    guards: tuple[Guard, ...] = ()  # that are asked after those of the profile

    def redaction(self, spec: str = "") -> Redaction:
        """With what the variables hold that are named as keys, or that a model's key is in."""
        names = key_variables(spec, self.settings.models)
        return Redaction(secrets_of(self.environment), named_keys(self.environment, names))
