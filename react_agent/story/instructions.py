"""The instructions of a run, made again of what its transcript holds.

Beside it they depend on a person's settings, which no transcript holds: there is a text for each of
those that may have been, the likeliest first.
"""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from react_agent.errors import ConfigError
from react_agent.loop import transcript as transcripts
from react_agent.loop.run_tools import UPDATE_FILE
from react_agent.loop.state import State, fold
from react_agent.parsers.settings.procedure import Phase, Procedure, Role
from react_agent.parsers.transcript.facts import read_facts
from react_agent.procedure.roles import of_header, role_profile
from react_agent.profiles.profile import Profile, with_limits
from react_agent.profiles.profile_file import profile_of, shipped
from react_agent.profiles.profile_layers import Wanted, shipped_written, written_for
from react_agent.profiles.settings import Settings
from react_agent.profiles.toolbox import registry_for, with_settings
from react_agent.prompt.room import budget_told
from react_agent.prompt.tail import MANY
from react_agent.prompt.view import instructions
from react_agent.runs.run_folder import RunFolder

_USUAL = Settings()
_WITH_WEB = Settings(web=("*",))  # whichever hosts: `browse` is offered
_SUB = "sub/"  # what the name of a run within a run begins with
_NOWHERE = Path("/nonexistent")


@dataclass(slots=True)
class Instructions:
    """Of one run. They change where it is taken up with another model, or with other limits."""

    folder: Path
    settings: Settings = _USUAL
    made: dict[tuple[str, ...], Sequence[str]] = field(default_factory=dict)

    def at(self, state: State) -> Sequence[str]:
        """What they may have been then. Raises ReactAgentError where they can't be made."""
        header = state.header
        key = (header.get("amended", ""), header.get("limits", ""), *state.about)
        if key not in self.made:
            self.made[key] = list(dict.fromkeys(self._texts(self._run(state))))
        return self.made[key]

    def _texts(self, run: "_Run") -> Iterator[str]:
        with contextlib.suppress(ConfigError):  # they may name a tool that is gone since
            yield _text(run, self.settings)
        yield _text(run, _USUAL)
        yield _text(run, _WITH_WEB)

    def _run(self, state: State) -> "_Run":
        if "role" in state.header:
            return self._turn(state)
        if _is_of_sub_agent(state):
            return _Run(None)
        procedure = of_header(state.procedure)
        only = procedure.only_phase if procedure else None
        return _Run(state, procedure, (only, only.roles[0]) if only else None)

    def _turn(self, state: State) -> "_Run":
        """Of a role: the run that it belongs to says the most of it."""
        whole = RunFolder(self.folder.parent.parent).transcript
        outer = fold(transcripts.read(whole).entries)
        procedure = of_header(outer.procedure)
        phase = procedure.phase(state.header.get("state", "")) if procedure else None
        role = phase.role(state.header["role"]) if phase else None
        if phase is None or role is None:
            raise ConfigError(f"{whole} has no role {state.header['role']!r}")
        return _Run(outer, procedure, (phase, role))


@dataclass(frozen=True, slots=True)
class _Run:
    state: State | None  # none: of a sub-agent, which is always told the same
    procedure: Procedure | None = None
    at: tuple[Phase, Role] | None = None


def most_steps(state: State) -> int:
    """That there may be."""
    if budget := budget_told(state):
        return budget.steps
    return shipped(UPDATE_FILE.name).budget.steps if _is_of_sub_agent(state) else MANY


def _is_of_sub_agent(state: State) -> bool:
    return state.header.get("run", "").startswith(_SUB) and "role" not in state.header


def _text(run: _Run, settings: Settings) -> str:
    if run.state is None:
        profile = shipped(UPDATE_FILE.name)
        return instructions(profile, registry_for(profile), profile.limits)
    profile = with_settings(_profile(run.state), settings)
    limits = read_facts(run.state.header.get("limits", ""))
    profile = replace(profile, budget=with_limits(profile.budget, limits))
    if run.procedure and run.at:
        profile = role_profile(profile, run.procedure, run.at, settings.withhold)
    return instructions(profile, registry_for(profile), profile.limits, run.state.about)


def _profile(state: State) -> Profile:
    """No file is read: its text is in the transcript, or it is shipped."""
    name = state.header.get("profile", "")
    wanted = Wanted(name, state.header.get("amended", ""), tuple(state.profile))
    written = written_for(wanted, _NOWHERE) if wanted.kept else shipped_written(name)
    return profile_of(written, wanted.model)
