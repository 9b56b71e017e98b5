"""Set up the environment and sandbox in which the commands of a run are executed."""

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from react_agent.errors import ConfigError
from react_agent.loop.guards import Guard
from react_agent.models.contract import Embedder, Model, Show
from react_agent.models.endpoint import key_variables
from react_agent.parsers.secrets.redaction import Redaction, named_keys, secrets_of
from react_agent.parsers.transcript.entries import Event
from react_agent.profiles.profile import Profile
from react_agent.profiles.settings import AUTO, RepositorySettings, Settings
from react_agent.prompt.view import limits_now
from react_agent.runs.run_folder import RunFolder
from react_agent.state.state import State
from react_agent.state.transcript import Listener
from react_agent.tools import disk
from react_agent.tools.context import Context
from react_agent.tools.git.built import Built
from react_agent.tools.git.workspace import Workspace
from react_agent.tools.mcp import Servers
from react_agent.tools.registry import Tool
from react_agent.tools.sandbox import toolchains
from react_agent.tools.sandbox.bubblewrap import SharedNetwork
from react_agent.tools.sandbox.sandbox import BUBBLEWRAP, NONE, Places
from react_agent.tools.sandbox.sandboxes import Chosen, choose, moved
from react_agent.tools.sandbox.sandboxes import shown as told
from react_agent.tools.shell import process
from react_agent.tools.shell.background import Background
from react_agent.tools.shell.environment import for_commands, with_python
from react_agent.tools.testing.probe import (
    MODULES,
    PACKAGE,
    Environment,
    determined_by,
    folder_for,
    modules_in,
    prepare_line,
    preparing,
    probe,
)
from react_agent.tools.testing.probe import Surroundings as Known

# Variables by which docker and podman find a daemon or their own storage.
CLIENT = ("PATH", "HOME", "DOCKER_HOST", "DOCKER_CONTEXT", "CONTAINER_HOST", "XDG_RUNTIME_DIR")
_ACTIVE = "VIRTUAL_ENV"
_USUAL = (".venv", "venv")  # in a checkout
Probe = Callable[[Context, Known], Environment]
Heard = Callable[[State], Sequence[Event]]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """External dependencies passed in by the caller, such as paths, clocks and the environment."""

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
    built: Built | None = None  # what a workspace is given beside the files of its base
    probe: Probe = probe  # of the environment that commands run in
    tools: tuple[Tool, ...] = ()  # that the model is offered beside those of the profile
    guards: tuple[Guard, ...] = ()  # that are asked after those of the profile
    said: Heard = lambda state: ()  # what a person says while the run goes on

    def redaction(self, spec: str = "") -> Redaction:
        """Return a redaction of variables with key-like names or with a model's API key."""
        names = key_variables(spec, self.settings.models)
        return Redaction(secrets_of(self.environment), named_keys(self.environment, names))


@dataclass(frozen=True, slots=True)
class Commands:
    context: Context
    about: tuple[str, ...]  # the environment, in lines for a model
    chosen: Chosen
    places: Places
    around: Surroundings
    network: SharedNetwork
    servers: Servers | None = None

    def in_checkout(self, root: Path, shown: tuple[Path, ...] = ()) -> Context:
        """Return a context whose root is `root`, where git does not find a repository.

        Commands may also read the folders in `shown`.
        """
        ours, given = str(self.places.root), self.context.environment
        environment = {
            **{name: value.replace(ours, str(root)) for name, value in given.items()},
            "GIT_CEILING_DIRECTORIES": str(root.parent),
        }
        seen = (*self.places.toolchains, *shown)
        places = replace(self.places, root=root, toolchains=seen)
        sandbox = moved(self.chosen, places, environment)
        return replace(
            self.context,
            root=root,
            environment=environment,
            sandbox=sandbox,
            cwd=".",
            background=None,
        )

    @contextlib.contextmanager
    def closed_on_error(self) -> Iterator[None]:
        """Close the commands if the block fails: a container goes on without its client."""
        try:
            yield
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Kill all processes that commands left running. Can be called more than once."""
        try:
            if self.servers:
                self.servers.close()
            if self.context.background:
                self.context.background.close()
        finally:
            self.network.close()
            self.chosen.end()


def prepared(
    folder: RunFolder,
    workspace: Workspace,
    repository: RepositorySettings,
    around: Surroundings,
    profile: Profile,
    tree: str = "",
) -> Commands:
    """Set up commands for a run. Raises MachineError if they can't be sandboxed as configured."""
    environment, network = _environment(folder, around), SharedNetwork()
    base, settings, python = workspace.base, around.settings, _configured(around)
    known, kept_by = _known(workspace, repository, settings)
    prepare = "" if ":" in settings.sandbox else known.get("prepare", "")  # an image has its own
    is_auto = settings.prepare == AUTO
    made = folder_for(around.cuts.parent, kept_by, prepare) if prepare else None
    seen = [*([made] if made else []), *_modules(folder, workspace, made)]
    if settings.sandbox != NONE:
        seen += _toolchains(base.repository, environment, python, around.environment)
    places = Places(
        *(workspace.root, folder.home, workspace.cut, tuple(seen), settings.network),
        holder=network.holder,
        modules=folder.modules if folder.modules.is_symlink() else None,
    )
    chosen = choose(settings.sandbox, places, environment, _client(around.environment))
    is_alone = chosen.name == BUBBLEWRAP and not places.network
    context = Context(
        workspace.root,
        limits_now(profile.limits, profile, State()),
        repair_input=profile.repair,
        edit_without_label=profile.edit_without_label,
        environment=environment,
        sandbox=chosen.sandbox,
        commands=known,
        hosts=settings.web,
        facts=settings.facts,
        base=base.commit,
        background=Background(prepare=network.begin if is_alone else lambda: None),
    )
    preparation = None
    if made:  # it alone may write to the folder, which the other commands read
        own = replace(places, also=made, network=places.network or is_auto)
        preparation = preparing(prepare, made, moved(chosen, own, environment))
    active = around.environment.get(_ACTIVE, "")
    about = Known(base.repository, active, python, preparation, is_auto)
    commands = Commands(context, (), chosen, places, around, network)
    with commands.closed_on_error():
        found = around.probe(replace(context, tree=tree), about)
    given = {**environment, **found.changes}
    return replace(commands, context=replace(context, environment=given), about=found.lines)


def _modules(folder: RunFolder, workspace: Workspace, made: Path | None) -> list[Path]:
    """Link the checkout's node_modules, or the one that `prepare` makes, beside the work tree.

    Return the checkout's, if it is used. Commands see the link, and not what a command has made its
    target lead to.
    """
    if not (workspace.root / PACKAGE).is_file():
        return []
    own = workspace.base.repository / MODULES
    is_own = _is_whole(own)
    found = own if is_own else modules_in(made) if made else None
    if found is None:
        return []
    disk.unlink(folder.modules, missing_ok=True)
    disk.symlink(folder.modules, found)
    return [own] if is_own else []


def _is_whole(modules: Path) -> bool:
    """Return whether no package is a link to another folder, such as the checkout's own code.

    A link in place of all of them may be the repository's, and lead to anything.
    """
    inside = os.path.realpath(modules)
    if not modules.is_dir() or Path(inside).name != MODULES:
        return False
    links = (one for one in (*modules.iterdir(), *modules.glob("@*/*")) if one.is_symlink())
    return all(Path(os.path.realpath(one)).is_relative_to(inside) for one in links)


def _known(
    workspace: Workspace, repository: RepositorySettings, settings: Settings
) -> tuple[dict[str, str], str]:
    """Return the repository's commands, and the key of the environment that `prepare` makes."""
    known, bare = dict(repository.commands), Context(workspace.root)
    if settings.prepare != AUTO:
        return known, workspace.base.commit
    known.setdefault("prepare", prepare_line(bare))
    return known, determined_by(bare)


def chosen_here(given: Mapping[str, str], own_prefix: Path, settings: Settings) -> tuple[str, ...]:
    """Describe the command sandbox to the user, including its limitations and visible paths.

    The sandbox is tested on temporary folders. Raises MachineError if commands can't be sandboxed
    as configured.
    """
    with disk.temporary_folder("sandbox") as place:
        folder = place.resolve()
        root, home = folder / "root", folder / "home"
        for needed in (root, home / "tmp"):
            disk.mkdir(needed, parents=True)
        environment = for_commands(given, home=home, own_prefix=own_prefix)
        is_confined = settings.sandbox != NONE
        seen = toolchains.folders(environment, _users_home(given)) if is_confined else ()
        places = Places(root, home, root, seen, settings.network)
        return told(choose(settings.sandbox, places, environment, _client(given)), places)


def _users_home(given: Mapping[str, str]) -> Path:
    return Path(given.get("HOME", "/root"))


def _environment(folder: RunFolder, around: Surroundings) -> dict[str, str]:
    """Return the environment variables for commands, without the user's virtual environment."""
    disk.mkdir(folder.home / "tmp", parents=True, exist_ok=True)
    given = dict(around.environment)
    active = given.get(_ACTIVE, "")
    path = given.get("PATH", os.defpath).split(os.pathsep)
    given["PATH"] = os.pathsep.join(one for one in path if one != str(Path(active, "bin")))
    environment = for_commands(given, home=folder.home, own_prefix=around.own_prefix)
    return {**environment, "PATH": with_python(environment["PATH"], folder.home / "bin")}


def _toolchains(
    checkout: Path, environment: Mapping[str, str], python: str, given: Mapping[str, str]
) -> tuple[Path, ...]:
    named = (
        given.get(_ACTIVE, ""),
        *(str(checkout / name) for name in _USUAL),
        python if Path(python).is_dir() else str(Path(python).parent.parent),
    )
    home = _users_home(given)
    found = set(toolchains.folders(environment, home))
    for prefix in map(Path, named):
        if prefix.is_absolute() and prefix.is_dir():
            found.update(toolchains.of_python(prefix, home))
    return tuple(sorted(found))


def _configured(around: Surroundings) -> str:
    """Return the configured interpreter or its environment's folder, or an empty string.

    Raises ConfigError if the configured interpreter does not exist.
    """
    named = around.settings.python
    if not named:
        return ""
    place = disk.expanduser(Path(named)) if "/" in named else None
    found = place or process.find_program(named, path=around.environment.get("PATH", os.defpath))
    if found is None or not Path(found).is_absolute() or not Path(found).exists():
        raise ConfigError(f"your settings say python = {named}, which does not exist")
    return str(found)


def _client(given: Mapping[str, str]) -> dict[str, str]:
    return {name: given[name] for name in CLIENT if name in given}
