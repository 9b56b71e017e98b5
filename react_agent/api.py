"""The Python API: functions and types that let programs do what the command line does."""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from react_agent.demo.repository import make_repository as make_repository
from react_agent.edge import confined, here
from react_agent.errors import ConfigError as ConfigError
from react_agent.errors import MachineError as MachineError
from react_agent.errors import ModelError as ModelError
from react_agent.errors import ReactAgentError as ReactAgentError
from react_agent.errors import TranscriptError as TranscriptError
from react_agent.errors import UsageError as UsageError
from react_agent.guards.means import Means as Means
from react_agent.issue_to_pr import issue as issues
from react_agent.issue_to_pr.delivery import forge_for
from react_agent.issue_to_pr.issue import Issue as Issue
from react_agent.loop.guards import Guard as Guard
from react_agent.models.contract import Completion as Completion
from react_agent.models.contract import Model as Model
from react_agent.models.contract import Show as Show
from react_agent.models.contract import Usage as Usage
from react_agent.models.contract import View as View
from react_agent.models.contract import Why as Why
from react_agent.models.endpoint import spelled
from react_agent.parsers.transcript.entries import Entry as Entry
from react_agent.parsers.transcript.entries import Event as Event
from react_agent.parsers.transcript.entries import Objective as Objective
from react_agent.parsers.transcript.entries import Said as Said
from react_agent.parsers.transcript.entries import Seen as Seen
from react_agent.parsers.transcript.quoting import visible
from react_agent.places import runs_folder
from react_agent.runs.commands import Surroundings
from react_agent.runs.history import Scene as Scene
from react_agent.runs.history import Story as Story
from react_agent.runs.history import story
from react_agent.runs.report import Outcome as Outcome
from react_agent.runs.run_folder import every, find
from react_agent.runs.run_setup import Request
from react_agent.runs.solve import Otherwise, resume, solve
from react_agent.state.state import State as State
from react_agent.state.state import Stop as Stop
from react_agent.state.state import stop_event as stop_event
from react_agent.state.transcript import read
from react_agent.testing import ScriptedModel as ScriptedModel
from react_agent.tools.context import Context as Context
from react_agent.tools.observation import Observation as Observation
from react_agent.tools.observation import Status as Status
from react_agent.tools.observation import failed as failed
from react_agent.tools.registry import Kind as Kind
from react_agent.tools.registry import Tool as Tool

OWN = "own"  # the name of a model that is handed in
_SANDBOX = "REACT_AGENT_SANDBOX"

Run: TypeAlias = str | Path  # its folder, its transcript, or the start of its name


def _told(line: str) -> None:
    logging.getLogger("react_agent").warning("%s", visible(line))


@dataclass(frozen=True, slots=True, kw_only=True)
class Solver:
    """The settings for runs. Values that are not given come from your settings file."""

    model: str | Model | None = None  # a name, as for --model, or any object with its `complete`
    profile: str = ""
    budget: Mapping[str, object] = field(default_factory=dict)  # steps, seconds, money, ...
    tools: Sequence[Tool] = ()  # offered beside those of the profile
    guards: Sequence[Guard] = ()  # asked after those of the profile
    sandbox: str = ""
    network: bool = False  # for commands
    keep: bool = False  # the workspace
    listen: Callable[[Entry], None] | None = None  # to what is written, as it is written
    tell: Callable[[str], None] = _told  # what a person should hear, a line each

    def solve(
        self, issue: Issue | Path | str, repository: Path | str = ".", base: str = "HEAD"
    ) -> Outcome:
        """Solve an issue, given as text or as the Path of a file. Raises ReactAgentError.

        A str is never treated as a path or an address, because its text may be untrusted.
        """
        around, named = self._around()
        model = spelled(named or around.settings.model or "")
        if not model:
            raise UsageError("no model: name one, or put one into the settings file")
        if isinstance(issue, Path):
            issue = issues.read_issue(str(issue.absolute()), lambda most: b"")
        elif isinstance(issue, str):
            issue = issues.of_text(issue)
        keep = self.keep or around.settings.keep
        place, budget = Path(repository), self._budget
        request = Request(issue, place, base, model, budget, keep=keep, profile=self.profile)
        with closing(around):
            return solve(request, around)

    def resume(self, run: Run) -> Outcome:
        """Resume a run from the current state of its transcript. Raises ReactAgentError."""
        around, model = self._around()
        with closing(around):
            folder = find(around.runs, str(run))
            otherwise = Otherwise(self._budget, model and spelled(model))
            return resume(folder, around, otherwise, keep=self.keep or around.settings.keep)

    @property
    def _budget(self) -> dict[str, str]:
        return {name: str(value) for name, value in self.budget.items()}

    def _around(self) -> tuple[Surroundings, str | None]:
        """Return the context of a run, and the name of the model if one is given."""
        around = here(self.tell, *([self.listen] if self.listen else []))
        sandbox = self.sandbox or around.environment.get(_SANDBOX) or None
        around = confined(around, sandbox, self.network)
        around = replace(around, tools=tuple(self.tools), guards=tuple(self.guards))
        model, by_name = self.model, around.open_model
        if model is None or isinstance(model, str):
            return around, model
        own = replace(around, open_model=lambda name: model if name == OWN else by_name(name))
        return own, OWN


def read_issue(named: str, repository: Path | str = ".") -> Issue:
    """Read an issue from a file, a URL, OWNER/REPO#12, #12 or text, as the command line does."""
    around = here(_told)
    forge = forge_for(Path(repository), "", around)
    return issues.read_issue(named, lambda most: b"", forge, around.settings.speak)


def find_run(run: Run) -> Path:
    """Return the folder of a run. Raises UsageError."""
    return find(runs_folder(), str(run)).path


def all_runs() -> list[Path]:
    """Return the folders of all runs, oldest first."""
    return [folder.path for folder in every(runs_folder())]


def read_run(run: Run) -> Story:
    """Read a run step by step. Raises UsageError and TranscriptError."""
    return story(read(find(runs_folder(), str(run)).transcript))
