"""What comes of a Conclusion: the end, or once in a run a list of what is open."""

from collections.abc import Callable, Sequence

from react_agent.guards.points import GATE, Point, open_event, refusal
from react_agent.loop.state import State
from react_agent.loop.steps import Step
from react_agent.loop.stop import Stop, stop_event
from react_agent.parsers.answers.conclusion import gives_up
from react_agent.parsers.transcript.entries import Entry, Seen
from react_agent.parsers.transcript.facts import write_list

Asked = Callable[[State], Sequence[Point]]
_BY = "by the model"


def came_of(conclusion: str, state: State, steps: int, gate: Asked | None) -> tuple[Entry, ...]:
    """`steps` is how many there may be: on the last one, nobody could mend anything."""
    if gives_up(conclusion):
        return (stop_event(Stop.GAVE_UP, _BY),)
    points = gate(state) if gate else ()
    if points and refused(state) is None and len(state.steps) + 1 < steps:
        return (_refusal(points, len(state.steps) + 1, state.running),)
    return (*map(open_event, points), stop_event(Stop.CONCLUDED, _BY))


def _refusal(points: Sequence[Point], number: int, running: Sequence[str]) -> Seen:
    checks = write_list(dict.fromkeys(point.check for point in points))
    facts = {"n": str(number), "status": "failed", "kind": "none", "how": GATE, "open": checks}
    if running:
        facts["running"] = write_list(running)
    return Seen(refusal(points), facts)


def refused(state: State) -> Step | None:
    """The step whose Conclusion was not accepted."""
    return next((step for step in state.steps if step.seen.facts.get("how") == GATE), None)
