"""What a process keeps from one task to the next: folders, clients, what it looked up."""

import contextlib
import hashlib
import os
import secrets
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from react_agent.errors import MachineError, ReactAgentError
from react_agent.eval.task import Conditions
from react_agent.models.connection import Time
from react_agent.models.contract import Model
from react_agent.models.endpoint import REPLAY, find_endpoint
from react_agent.models.endpoints import Endpoints, Memory
from react_agent.models.replay import open_replay
from react_agent.places import cache_folder, settings_file
from react_agent.profiles.settings import Settings, read_settings
from react_agent.runs.commands import Outer, Probe
from react_agent.tools import clock, disk, variables
from react_agent.tools.context import Context
from react_agent.tools.disk import locked, remove_tree, unless_taken
from react_agent.tools.git.built import Built
from react_agent.tools.git.door import work_tree
from react_agent.tools.shell.this_process import hide_memory
from react_agent.tools.testing.probe import Environment, Surroundings, probe

_LOCK = ".lock"


@dataclass(frozen=True, slots=True)
class Site:
    root: Path

    @property
    def mirrors(self) -> Path:
        return self.root / "mirrors"

    @property
    def cuts(self) -> Path:
        return self.root / "cuts"

    @property
    def environments(self) -> Path:
        return self.root / "environments"

    @property
    def scratch(self) -> Path:
        return self.root / "scratch"


@contextlib.contextmanager
def scratch(site: Site) -> Iterator[Path]:
    """A new folder, gone afterwards; a killed process leaves its own to the next `sweep`."""
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
    """Remove what killed processes have left."""
    with _alone(site):
        for lock in list(site.scratch.glob(f"w*{_LOCK}")):
            with unless_taken(lock) as is_left:
                if is_left:
                    remove_tree(lock.with_suffix(""))
                    disk.unlink(lock)


@contextlib.contextmanager
def _alone(site: Site) -> Iterator[None]:
    try:
        disk.mkdir(site.scratch, parents=True, exist_ok=True)
        with locked(site.scratch / _LOCK):
            yield
    except OSError as error:
        raise MachineError(f"{site.scratch} can't be written: {error.strerror}") from None


_SETTINGS = (
    *("setup.cfg", "pyproject.toml", "setup.py", "requirements.txt", "tox.ini", "pytest.ini"),
    *(".pytest.ini", "noxfile.py", "package.json", "go.mod", "Cargo.toml", "pom.xml"),
    *("GNUmakefile", "makefile", "Makefile", "manage.py", "conftest.py"),
)
_FOLDERS = ("src", "lib", "test", "tests")  # whose names count, too
_HERE = "\0"  # stands for the run's folder


@dataclass(frozen=True, slots=True)
class Probed:
    kept: dict[str, Environment] = field(default_factory=dict)

    def for_python(self, python: Path | None, built: Built | None = None) -> Probe:
        """Of commands that are to have this interpreter, whatever it can import."""

        def look(context: Context, known: Surroundings) -> Environment:
            here = str(context.root.parent)
            key = _key(context, known, built)
            if key not in self.kept:
                self.kept[key] = _moved(probe(context, known), here, _HERE)
            return _led_by(python, _moved(self.kept[key], _HERE, here), context)

        return look


def _key(context: Context, known: Surroundings, built: Built | None) -> str:
    """Of all that the answer follows from, as far as it is at the top of a repository."""
    here = str(context.root.parent)
    facts = [repr((known.checkout, known.active, known.configured, built))]
    facts += [repr(dict(context.commands))]
    facts += [repr(sorted(context.environment.items())).replace(here, _HERE)]
    listed = work_tree(context.root).ask("ls-tree", "HEAD", *_listed(context.root))
    facts.append(listed.out.decode(errors="surrogateescape"))
    return hashlib.sha256("\n".join(facts).encode(errors="surrogateescape")).hexdigest()


def _listed(root: Path) -> Iterator[str]:
    """Settings by what they hold; folders by the names that are in them."""
    for place in sorted(root.iterdir()):
        if place.name in _SETTINGS:
            yield place.name
        elif place.name in _FOLDERS and place.is_dir():
            yield f"{place.name}/"


def _moved(found: Environment, here: str, there: str) -> Environment:
    return replace(
        found,
        lines=tuple(line.replace(here, there) for line in found.lines),
        changes={name: value.replace(here, there) for name, value in found.changes.items()},
    )


def _led_by(python: Path | None, found: Environment, context: Context) -> Environment:
    """An environment that was made for an instance is the one of its commands, good or not."""
    if python is None or "VIRTUAL_ENV" in found.changes:
        return found
    before = found.changes.get("PATH", context.environment.get("PATH", os.defpath))
    changes: Mapping[str, str] = {
        **found.changes,
        "PATH": os.pathsep.join((str(python.parent), before)),
        "VIRTUAL_ENV": str(python.parent.parent),
    }
    return replace(found, changes=changes)


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
