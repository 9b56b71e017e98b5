"""Collect everything that a run needs from its process.

No module below this one reads the environment, the clocks or the terminal.
"""

import secrets
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from react_agent.errors import MachineError, UsageError
from react_agent.models.connection import Time
from react_agent.models.contract import Model
from react_agent.models.endpoint import REPLAY, Endpoint, find_endpoint
from react_agent.models.endpoints import Endpoints, Memory
from react_agent.models.replay import open_replay
from react_agent.places import cache_folder, runs_folder, settings_file
from react_agent.profiles.settings import AUTO, Settings, keys_of, read_settings
from react_agent.runs.commands import Surroundings
from react_agent.state.transcript import Listener
from react_agent.tools import clock, variables
from react_agent.tools.git.door import MISSING
from react_agent.tools.shell import process
from react_agent.tools.shell.this_process import end_like_ctrl_c, hide_memory


def own_settings() -> Settings:
    """Read the user's settings, and add the keys in their `env_file` to our environment."""
    settings = read_settings(settings_file())
    for name, value in keys_of(settings).items():
        variables.suggest(name, value)
    return settings


def own_endpoints() -> Endpoints:
    return Endpoints(
        memory=Memory(cache_folder()),
        time=Time(clock.monotonic, clock.sleep),
        session=secrets.token_hex(8),
    )


def surroundings(tell: Callable[[str], None], *listeners: Listener) -> Surroundings:
    """Return the context for runs in this process. Make SIGTERM and SIGHUP act like Ctrl-C."""
    around = here(tell, *listeners)
    end_like_ctrl_c("SIGTERM", "SIGHUP")
    return around


def here(tell: Callable[[str], None], *listeners: Listener) -> Surroundings:
    """Return the context for runs on this machine. Raises MachineError if runs are impossible."""
    if sys.platform == "win32":
        raise MachineError("Windows is not supported; use Linux, macOS or WSL")
    if process.find_program("git") is None:
        raise MachineError(MISSING)
    hide_memory()
    settings, endpoints = own_settings(), own_endpoints()
    environment = variables.all_of_them()

    def endpoint(spec: str) -> Endpoint:
        return find_endpoint(spec, settings.models, environment)

    def open_model(spec: str) -> Model:
        if spec.startswith(REPLAY):
            return open_replay(spec, tell)
        return endpoints.model(endpoint(spec))

    return Surroundings(
        runs=runs_folder(),
        cuts=cache_folder() / "cuts",
        environment=environment,
        own_prefix=Path(sys.prefix),
        settings=settings,
        now=clock.now,
        clock=clock.monotonic,
        token=lambda: secrets.token_hex(2),
        open_model=open_model,
        show=lambda text: None,
        tell=tell,
        listeners=listeners,
        close=endpoints.close,
        open_embedder=lambda spec: endpoints.embedder(endpoint(spec)),
    )


def confined(
    around: Surroundings, sandbox: str | None, network: bool, prepare: str | None = None
) -> Surroundings:
    """Return the context with the requested sandbox in place of the configured one."""
    settings = around.settings
    if prepare not in (None, AUTO):
        raise UsageError(f"--prepare is {AUTO}, not {prepare!r}")
    chosen = replace(
        settings,
        sandbox=sandbox or settings.sandbox,
        network=network or settings.network,
        prepare=prepare or settings.prepare,
    )
    return replace(around, settings=chosen)
