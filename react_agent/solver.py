"""What the command line does, for a program: an issue in, an Outcome out."""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from react_agent.cli.deliver import forge_for
from react_agent.cli.surroundings import confined, here
from react_agent.errors import UsageError
from react_agent.issue_to_pr import issue as issues
from react_agent.issue_to_pr.issue import Issue
from react_agent.loop.guards import Guard
from react_agent.models.contract import Model
from react_agent.parsers.transcript.entries import Entry
from react_agent.parsers.transcript.quoting import visible
from react_agent.past_runs import Run
from react_agent.runs.outcome import Outcome
from react_agent.runs.run_folder import find
from react_agent.runs.run_setup import Request
from react_agent.runs.solve import Otherwise, resume, solve
from react_agent.runs.surroundings import Surroundings
from react_agent.tools.registry import Tool

OWN = "own"  # the name of a model that is handed in
_SANDBOX = "REACT_AGENT_SANDBOX"


def _told(line: str) -> None:
    logging.getLogger("react_agent").warning("%s", visible(line))


@dataclass(frozen=True, slots=True, kw_only=True)
class Solver:
    """How runs are done; what is not said is as your settings have it."""

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
        """Of a text, or of the file that a Path is. Raises ReactAgentError."""
        around = self._around()
        request = Request(
            _issue(issue),
            Path(repository),
            base,
            self._model or _configured(around),
            self._budget,
            keep=self.keep or around.settings.keep,
            profile=self.profile,
        )
        with closing(around):
            return solve(request, around)

    def resume(self, run: Run) -> Outcome:
        """Taken up again from whatever its transcript now says. Raises ReactAgentError."""
        around = self._around()
        with closing(around):
            folder = find(around.runs, str(run))
            otherwise = Otherwise(self._budget, self._model)
            return resume(folder, around, otherwise, keep=self.keep or around.settings.keep)

    @property
    def _model(self) -> str | None:
        return self.model if self.model is None or isinstance(self.model, str) else OWN

    @property
    def _budget(self) -> dict[str, str]:
        return {name: str(value) for name, value in self.budget.items()}

    def _around(self) -> Surroundings:
        around = here(self.tell, *([self.listen] if self.listen else []))
        sandbox = self.sandbox or around.environment.get(_SANDBOX) or None
        around = confined(around, sandbox, self.network)
        around = replace(around, tools=tuple(self.tools), guards=tuple(self.guards))
        model, by_name = self.model, around.open_model
        if model is None or isinstance(model, str):
            return around
        return replace(around, open_model=lambda name: model if name == OWN else by_name(name))


def read_issue(named: str, repository: Path | str = ".") -> Issue:
    """As the command line reads one: a file, an address, OWNER/REPO#12, #12, or the text itself."""
    around = here(_told)
    forge = forge_for(Path(repository), "", around)
    return issues.read_issue(named, lambda most: b"", forge, around.settings.speak)


def _issue(given: Issue | Path | str) -> Issue:
    """A text is a text here, whatever it looks like: who hands it in may not have written it."""
    if isinstance(given, Issue):
        return given
    if isinstance(given, Path):
        return issues.read_issue(str(given.absolute()), lambda most: b"")
    return issues.of_text(given)


def _configured(around: Surroundings) -> str:
    if not around.settings.model:
        raise UsageError("no model: name one, or put one into the settings file")
    return around.settings.model
