"""What an instance stands on, on the machine that works on it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from react_agent.errors import MachineError, ReactAgentError
from react_agent.eval.environment import Made, NoEnvironment, environment_for
from react_agent.eval.mirrors import Mirrors
from react_agent.eval.site import scratch
from react_agent.eval.station import Station
from react_agent.eval.task import Conditions, Fault, Task
from react_agent.eval.verdict import Kind, Verdict
from react_agent.profiles.settings import read_repository_settings
from react_agent.runs.commands import Shown, prepared
from react_agent.runs.run_folder import RunFolder
from react_agent.tools.context import Context
from react_agent.tools.git.built import Built
from react_agent.tools.git.cut import base_of, cut
from react_agent.tools.git.door import Git
from react_agent.tools.git.repository import Base, file_at
from react_agent.tools.git.workspace import Workspace, make


@dataclass(frozen=True, slots=True)
class Ground:
    """A repository of ours that holds the base, and the environment made for it."""

    base: Base
    python: Path | None = None  # of the environment; None: the one of the machine
    built: Built | None = None  # for its checkouts; None where it may tell of what came later


@dataclass(frozen=True, slots=True)
class Fresh:
    """A private clone at the base with nothing changed, and what commands in it are run with."""

    workspace: Workspace
    context: Context


def ground_for(task: Task, station: Station) -> Ground | Fault:
    """What fails here is never the model's."""
    instance, conditions = task.instance, task.conditions
    mirrors = Mirrors(station.site.mirrors, conditions.repositories, station.environment)
    commits = tuple(filter(None, (instance.base, instance.environment_commit)))
    try:
        repository = mirrors.repository(instance.repo, commits)
        base = base_of(repository, instance.base, station.site.cuts)
        made = environment_for(instance, repository, conditions, station)
        return _on(base, made, station.site.cuts) if made else Ground(base)
    except NoEnvironment as error:
        return Fault(Verdict.ENV_FAILED, Kind.ENVIRONMENT, str(error))
    except MachineError as error:
        return Fault(Verdict.CRASHED, Kind.OURS, str(error))
    except ReactAgentError as error:
        return Fault(Verdict.ENV_FAILED, Kind.REPOSITORY, str(error))


def _on(base: Base, made: Made, cuts: Path) -> Ground:
    """What was built on a commit tells what that holds, so it has to be of the base's history."""
    commit = made.built.commit
    if commit != base.commit:
        history = Git(cut(base.repository, base.commit, cuts))
        if history.ask("cat-file", "-e", commit).code:
            return Ground(base, made.python)
    return Ground(base, made.python, made.built)


@contextmanager
def fresh(ground: Ground, conditions: Conditions, station: Station) -> Iterator[Fresh]:
    """Gone afterwards, with all that was started in it. Raises ReactAgentError."""
    settings = read_repository_settings(lambda name: file_at(ground.base, name))
    outer, cuts = station.outer(conditions, ground.python, ground.built), station.site.cuts
    with scratch(station.site) as place:
        folder = RunFolder(place)
        workspace = make(
            ground.base, root=folder.workspace, branch="graded", cuts=cuts, built=ground.built
        )
        commands = prepared(folder, workspace, settings, outer, Shown())
        try:
            yield Fresh(workspace, commands.context)
        finally:
            commands.close()
