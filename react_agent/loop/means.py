"""What a guard may ask."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from react_agent.backtrack.policy import BackPolicy
from react_agent.compress.policy import Policy
from react_agent.compress.work import Ask
from react_agent.guards.points import Point
from react_agent.loop.state import State
from react_agent.profiles.profile import Budget
from react_agent.stuck.patience import Patience
from react_agent.tools.observation import Observation


@dataclass(frozen=True, slots=True)
class Means:
    budget: Budget
    prompt_tokens: int  # of the next prompt, estimated
    system_tokens: int = 0  # of its instructions
    policy: Policy = field(default_factory=Policy)
    can_recall: bool = False  # the model is offered a tool that shows a step again
    ask: Ask | None = None  # the model, for something else than a step
    look: Callable[[str, str], Observation] | None = None  # a tool that only looks, with an input
    offered: frozenset[str] = frozenset()  # tools that the model is told of
    back: BackPolicy = field(default_factory=BackPolicy)
    gate: Callable[[State], Sequence[Point]] | None = None  # what is open, if the run ended here
    remind: Callable[[str, int], list[str]] | None = None  # of a Thought, what memory holds
    patience: Patience = field(default_factory=Patience)
