"""Steps in which a run only thinks, or says nothing that could be read."""

from itertools import takewhile

from react_agent.loop.steps import Step
from react_agent.loop.troubles import BACK, DEMOTE, STOP
from react_agent.parsers.turn.turn import Kind as Said
from react_agent.stuck.trail import Found, Trail, is_call


def thoughts(trail: Trail) -> Found | None:
    """Where none of them can be read, the guard `malformed` warns, and ends the run."""
    run = list(takewhile(lambda step: not is_call(step), reversed(trail.steps)))
    unread = sum(1 for _ in takewhile(_is_unread, run))
    if len(run) < trail.times or 0 < trail.unreadable - 1 <= unread:
        return None
    numbers = tuple(step.number for step in reversed(run))
    left_to_malformed = (BACK, STOP) if unread == len(run) else ()
    return Found(numbers, len(run), (DEMOTE, *left_to_malformed))


def _is_unread(step: Step) -> bool:
    return step.said.turn.kind is Said.MALFORMED
