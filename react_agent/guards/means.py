"""What a guard may ask."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from react_agent.loop.findings import Point
from react_agent.loop.state import State
from react_agent.loop.steps import RECALL
from react_agent.models.contract import View
from react_agent.profiles.profile import Budget, Profile
from react_agent.tools.observation import Observation


class Answered(NamedTuple):
    text: str
    problem: str = ""  # why there is none


Ask = Callable[[View, int, str], Answered]  # with room for so many tokens; for what


@dataclass(frozen=True, slots=True)
class Means:
    profile: Profile
    prompt_tokens: int  # of the next prompt, estimated
    system_tokens: int = 0  # of its instructions
    offered: frozenset[str] = frozenset()  # tools that the model is told of
    ask: Ask | None = None  # the model, for something else than a step
    look: Callable[[str, str], Observation] | None = None  # a tool that only looks, with an input
    gate: Callable[[State], Sequence[Point]] | None = None  # what is open, if the run ended here
    remind: Callable[[str, int], list[str]] | None = None  # of a Thought, what memory holds

    @property
    def budget(self) -> Budget:
        return self.profile.budget

    @property
    def can_recall(self) -> bool:
        """The model is offered a tool that shows a step again."""
        return RECALL in self.offered
