"""How the commands of a run are started: with which environment, and in which sandbox."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from react_agent.run_folder import RunFolder
from react_agent.settings import RepositorySettings, Settings
from react_agent.tools import toolchains
from react_agent.tools.commands_git import make_commands_git
from react_agent.tools.context import Context
from react_agent.tools.cut import cut
from react_agent.tools.environment import for_commands
from react_agent.tools.sandbox import Places
from react_agent.tools.sandboxes import NONE, Chosen, choose
from react_agent.tools.workspace import Workspace

# Of docker and podman themselves, which reach a daemon or their own storage by it.
CLIENT = ("PATH", "HOME", "DOCKER_HOST", "DOCKER_CONTEXT", "CONTAINER_HOST", "XDG_RUNTIME_DIR")


@dataclass(frozen=True, slots=True)
class Outer:
    """What commands may come to feel of the person's surroundings."""

    environment: Mapping[str, str]
    own_prefix: Path  # our own virtual environment, which they must not see
    cuts: Path
    settings: Settings


@dataclass(frozen=True, slots=True)
class Commands:
    context: Context
    chosen: Chosen
    places: Places
    outer: Outer

    def in_checkout(self, root: Path) -> Context:
        """As in the workspace, but that git finds no repository there, nor further up."""
        nothing = self.places.home / "no.git"
        nothing.mkdir(exist_ok=True)
        ceiling = {"GIT_CEILING_DIRECTORIES": str(root.parent)}
        places = replace(self.places, root=root, git_copy=nothing)
        environment = {**self.context.environment, **ceiling}
        chosen = _chosen(places, environment, self.outer)
        return replace(
            self.context, root=root, environment=environment, sandbox=chosen.sandbox, cwd="."
        )


def prepared(
    folder: RunFolder, workspace: Workspace, repository: RepositorySettings, outer: Outer
) -> Commands:
    """Raises MachineError where commands can't be confined as it is wanted."""
    (folder.home / "tmp").mkdir(parents=True, exist_ok=True)
    environment = for_commands(outer.environment, home=folder.home, own_prefix=outer.own_prefix)
    places = _places(folder, workspace, environment, outer)
    chosen = _chosen(places, environment, outer)
    context = Context(
        workspace.root,
        environment=environment,
        sandbox=chosen.sandbox,
        commands=repository.commands,
        hosts=outer.settings.web,
        base=workspace.base.commit,
    )
    return Commands(context, chosen, places, outer)


def _places(
    folder: RunFolder, workspace: Workspace, environment: Mapping[str, str], outer: Outer
) -> Places:
    base = workspace.base
    is_confined = outer.settings.sandbox != NONE
    return Places(
        root=workspace.root,
        home=folder.home,
        git_copy=make_commands_git(workspace) if is_confined else workspace.root / ".git",
        cut=cut(base.repository, base.commit, outer.cuts),
        toolchains=toolchains.folders(environment, Path(outer.environment.get("HOME", "/root"))),
        network=outer.settings.network,
    )


def _chosen(places: Places, environment: Mapping[str, str], outer: Outer) -> Chosen:
    client = {name: outer.environment[name] for name in CLIENT if name in outer.environment}
    return choose(outer.settings.sandbox, places, environment, client)
