"""Ask the model again, at a higher temperature, if its reply is one that has failed before.

At a low temperature, a model answers almost the same prompt with the same reply. The transcript
has each reply that was discarded, so a resumed run goes on with the next draw.
"""

from react_agent.models.contract import Model
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.state.state import State
from react_agent.state.steps import Step
from react_agent.tools.observation import Status
from react_agent.tools.registry import Kind as ToolKind

_MOST = 2  # draws of one step, beside the first
_MAY_END_OTHERWISE = (ToolKind.RUN, ToolKind.TEST)


def is_drawn_again(model: Model, state: State, turn: Turn, reply: str) -> bool:
    """Return whether to ask again: this very reply failed before, with the same files."""
    is_drawn = getattr(model, "is_drawn", False)  # true if it was given a temperature
    if not is_drawn or state.redraws >= _MOST:
        return False
    for step in reversed(state.standing):
        if step.has_written and step.status is not Status.FAILED:
            return False
        if step.status is Status.FAILED and _is_same(step, turn, reply):
            return step.kind not in _MAY_END_OTHERWISE
    return False


def _is_same(step: Step, turn: Turn, reply: str) -> bool:
    before = step.said.turn
    if before.kind is not turn.kind or turn.kind is Kind.CONCLUSION:
        return False
    if turn.kind is Kind.MALFORMED:
        return (step.said.raw or "").strip() == reply.strip()
    return (before.action, before.input.strip()) == (turn.action, turn.input.strip())
