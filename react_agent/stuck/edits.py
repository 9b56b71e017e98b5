"""Edits that lead nowhere: the same tests fail as before."""

from collections.abc import Sequence
from itertools import takewhile

from react_agent.loop.steps import Step
from react_agent.loop.troubles import DEMOTE
from react_agent.stuck.trail import PASSED, UNREAD, Found, Trail, way_of
from react_agent.tools.registry import Kind


def failing(trail: Trail) -> Found | None:
    """Tests that fail, after several edits, as they did before."""
    way = way_of(trail.steps[-1]) if trail.steps else ""
    if way in ("", PASSED, UNREAD):
        return None
    edited = _edited(trail.steps)
    tests = (step for step in reversed(trail.steps) if way_of(step))
    run = [trail.steps[-1]]
    for step in takewhile(lambda step: way_of(step) == way, tests):
        if any(step.number < number < run[-1].number for number in edited):
            run.append(step)
    rounds = len(run) - 1
    if rounds < trail.times:
        return None
    return Found(tuple(step.number for step in reversed(run)), rounds, (DEMOTE,))


def _edited(steps: Sequence[Step]) -> list[int]:
    """The steps that have changed files; running tests may leave some, too."""
    found, tree = list[int](), ""
    for step in steps:
        now = step.seen.facts.get("tree", tree)
        is_command = step.kind == Kind.RUN and not way_of(step)
        if step.has_written or (is_command and tree and now != tree):
            found.append(step.number)
        tree = now
    return found
