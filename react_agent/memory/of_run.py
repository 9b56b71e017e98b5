"""What the memory of a run brings to mind."""

from collections.abc import Sequence

from react_agent.loop.steps import Step
from react_agent.loop.transcript import Transcript
from react_agent.memory.push import reminders
from react_agent.memory.store import Memory
from react_agent.tools.registry import Kind


def reminded(memory: Memory, transcript: Transcript, thought: str, most: int) -> list[str]:
    """Of what the prompt does not show, and what still holds."""
    state = transcript.state
    if len(state.in_view) == len(state.steps):
        return []
    taken_back = frozenset(step.number for step in state.steps if not step.stands)
    hidden = state.in_view | taken_back | _changed_since(state.standing)
    shown = "".join(step.text for step in state.steps)
    return reminders(memory, thought, hidden, len(state.steps) + 1, most, shown)


def _changed_since(steps: Sequence[Step]) -> frozenset[int]:
    """Steps that read a file which a later one wrote."""
    written, found = set[str](), list[int]()
    for step in reversed(steps):
        if step.kind == Kind.READ and written & {*step.paths}:
            found.append(step.number)
        if step.has_written:
            written.update(step.paths)
    return frozenset(found)
