"""Resources that a process keeps between tasks: folders, clients, and probed environments."""

import contextlib
import os
import secrets
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from react_agent.edge import own_endpoints, own_settings
from react_agent.errors import ReactAgentError
from react_agent.eval.task import Conditions
from react_agent.models.contract import Model
from react_agent.models.endpoint import REPLAY, find_endpoint
from react_agent.models.endpoints import Endpoints
from react_agent.models.replay import open_replay
from react_agent.places import cache_folder
from react_agent.profiles.settings import Settings
from react_agent.runs.commands import Surroundings
from react_agent.tools import clock, disk, variables
from react_agent.tools.context import Context
from react_agent.tools.disk import locked, remove_tree
from react_agent.tools.errors import writing
from react_agent.tools.git.built import Built
from react_agent.tools.git.repository import Base
from react_agent.tools.shell.this_process import hide_memory
from react_agent.tools.testing.probe import Environment, probe
from react_agent.tools.testing.probe import Surroundings as Known

_LOCK = ".lock"
_ACTIVE = "VIRTUAL_ENV"
_HERE = "\0"  # stands for the run's folder


class Site(NamedTuple):
    """The folders of a worker."""

    mirrors: Path
    cuts: Path
    environments: Path
    scratch: Path


def site_at(root: Path) -> Site:
    return Site(*(root.absolute() / name for name in Site._fields))


@contextlib.contextmanager
def scratch(site: Site) -> Iterator[Path]:
    """Yield a new folder and remove it. If the process is killed, the next `sweep` removes it."""
    with contextlib.ExitStack() as held:
        with _alone(site):
            place = disk.new_folder("w", site.scratch)
            lock = place.with_suffix(_LOCK)
            held.enter_context(locked(lock))
        try:
            yield place
        finally:
            remove_tree(place)
            disk.unlink(lock)


def sweep(site: Site) -> None:
    """Remove folders that were left by killed processes."""
    with _alone(site):
        for lock in list(site.scratch.glob(f"w*{_LOCK}")):
            with locked(lock, wait=False) as is_left:
                if is_left:  # or its owner has removed it between our two looks
                    remove_tree(lock.with_suffix(""))
                    disk.unlink(lock, missing_ok=True)


@contextlib.contextmanager
def _alone(site: Site) -> Iterator[None]:
    with writing(site.scratch):
        disk.mkdir(site.scratch, parents=True, exist_ok=True)
        with locked(site.scratch / _LOCK):
            yield


@dataclass(frozen=True, slots=True)
class Ground:
    """The base in one of our repositories, and the environment that was created for it."""

    base: Base
    python: Path | None = None  # of the environment; None: the machine's
    built: Built | None = None  # for its checkouts; None if it could reveal later commits


class CannotOpen(ReactAgentError):
    """The model does not exist, or its API key is missing."""


@dataclass(frozen=True, slots=True)
class Station:
    site: Site
    environment: Mapping[str, str]
    settings: Settings
    endpoints: Endpoints
    own_prefix: Path  # our own virtual environment, which commands must not see
    probed: dict[object, Environment] = field(default_factory=dict)

    def open_model(self, spec: str) -> Model:
        """Open a model. Raises CannotOpen."""
        try:
            if spec.startswith(REPLAY):
                return open_replay(spec, unheard)
            return self.endpoints.model(find_endpoint(spec, self.settings.models, self.environment))
        except ReactAgentError as error:
            raise CannotOpen(str(error)) from None

    def surroundings(
        self, conditions: Conditions, ground: Ground | None = None, runs: Path = Path()
    ) -> Surroundings:
        """Return what a run may see of this machine: the user's models and profiles.

        The experiment sets everything else, so that it is the same on every machine.
        """
        python = ground.python if ground else None
        given = self.environment.items()
        settings = Settings(
            models=self.settings.models,
            profiles=self.settings.profiles,
            sandbox=conditions.sandbox,
            network=conditions.network,
            python=str(python) if python else None,
        )

        def look(context: Context, known: Known) -> Environment:
            """Probe the environment once per base, because starting programs is slow."""
            here = str(context.root.parent)
            key = (conditions, ground, known.checkout, known.active, known.configured)
            if key not in self.probed:
                self.probed[key] = _moved(probe(context, known), here, _HERE)
            return _led_by(python, _moved(self.probed[key], _HERE, here), context)

        return Surroundings(
            runs=runs,
            cuts=self.site.cuts,
            environment={name: value for name, value in given if not (python and name == _ACTIVE)},
            own_prefix=self.own_prefix,
            settings=settings,
            now=clock.now,
            clock=clock.monotonic,
            token=lambda: secrets.token_hex(2),
            open_model=self.open_model,
            show=unheard,
            tell=unheard,
            built=ground.built if ground else None,
            probe=look,
        )


def _moved(found: Environment, here: str, there: str) -> Environment:
    return replace(
        found,
        lines=tuple(line.replace(here, there) for line in found.lines),
        changes={name: value.replace(here, there) for name, value in found.changes.items()},
    )


def _led_by(python: Path | None, found: Environment, context: Context) -> Environment:
    """Return the environment with the instance's Python first, whatever the probe found."""
    if python is None or _ACTIVE in found.changes:
        return found
    before = found.changes.get("PATH", context.environment.get("PATH", os.defpath))
    path = os.pathsep.join((str(python.parent), before))
    changes = {**found.changes, "PATH": path, _ACTIVE: str(python.parent.parent)}
    return replace(found, changes=changes)


def station_at(root: Path | None) -> Station:
    """Return a Station in this folder, or in the machine's cache folder if none is given."""
    hide_memory()
    site = site_at(root or cache_folder() / "eval")
    sweep(site)
    settings = own_settings()
    return Station(site, variables.all_of_them(), settings, own_endpoints(), Path(sys.prefix))


def unheard(line: str) -> None:
    """Ignore the line."""
