"""A run of which each step looks at a file of 2 kB, and nothing else happens."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from react_agent.loop.agent import Agent
from react_agent.loop.guards import Guard
from react_agent.models.contract import Model
from react_agent.parsers.transcript.entries import Objective
from react_agent.profiles.profile import Budget, Profile
from react_agent.profiles.profile_file import shipped
from react_agent.profiles.toolbox import registry_for
from react_agent.prompt.view import instructions
from react_agent.state import transcript as transcripts
from react_agent.state.state import State
from react_agent.tools.context import Context, Limits
from react_agent.tools.observation import Observation
from react_agent.tools.registry import Kind, Tool, build

SEEN = "\n".join(f"{n:4}| def function_{n}(argument): return argument" for n in range(41))


class NoFiles:
    """No tool writes."""

    listed = ""

    def checkpoint(self, wrote: Sequence[str] | None = None, last: str = "") -> str:
        return last

    def wrote(self, state: State, tree: str) -> Mapping[str, str]:
        return {}

    def bring_back(self, state: State) -> None: ...


def looking_agent(folder: Path, model: Model, guards: tuple[Guard, ...], budget: Budget) -> Agent:
    look = Tool("look", "look", Kind.READ, lambda given, context: Observation(f"{given}\n{SEEN}"))
    return Agent(
        profile=Profile(budget=budget),
        transcript=transcripts.create(folder / transcripts.NAME, [Objective("mend the ranges")]),
        model=model,
        registry=build([look], {}),
        context=Context(folder),
        guards=guards,
        system=system_text(),
        system_tokens=700,
        files=NoFiles(),
        clock=time.monotonic,
        show=lambda text: None,
    )


def system_text() -> str:
    profile = shipped("issue")
    return instructions(profile, registry_for(profile), Limits())
