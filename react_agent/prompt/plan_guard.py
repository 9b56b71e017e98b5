"""The guard that ends a run when the root of its plan is closed.

What a Conclusion is checked for, this end is checked for too: once, what is open is told instead.
"""

from collections.abc import Sequence
from dataclasses import replace

from react_agent.loop.concluding import came_of
from react_agent.loop.means import Means
from react_agent.loop.state import State
from react_agent.loop.stop import Stop, stop_event
from react_agent.parsers.transcript.entries import Entry, Said, Seen
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.prompt.plan_steps import ending, is_over
from react_agent.tools.registry import Kind as ToolKind

_BY = {"by": "plan"}
_THOUGHT = "Task 0 of the plan is closed."


def planned(state: State, means: Means) -> Sequence[Entry]:
    """When a step has closed it; after a list of what is open, when one closes it again."""
    steps = state.standing
    is_closed = bool(steps) and steps[-1].kind == ToolKind.PLAN and is_over(state.plan)
    if state.plan is None or not is_closed:
        return []
    stop, reason = ending(steps, state.plan)
    if stop is not Stop.CONCLUDED:
        return [stop_event(stop, reason)]
    *points, last = came_of(reason, state, means.budget.steps, means.gate)
    if isinstance(last, Seen):
        said = Said(Turn(Kind.CONCLUSION, _THOUGHT, conclusion=reason), facts=_BY)
        return [said, replace(last, facts={**last.facts, **_BY})]
    return [*points, stop_event(stop, reason)]
