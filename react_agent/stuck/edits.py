"""Edits that lead nowhere: they take each other back, or the same tests fail as before."""

from collections.abc import Sequence
from itertools import takewhile

from react_agent.loop.steps import Step
from react_agent.loop.troubles import DEMOTE
from react_agent.parsers.repo.similarity import edited_lines
from react_agent.stuck.trail import PASSED, UNREAD, Found, Trail, way_of
from react_agent.tools.registry import Kind

_UNDID = "undid"  # a fact of a step that takes an edit back, and says so


def undoing(trail: Trail) -> Found | None:
    """Edits that each bring back what had been; going back on purpose is none."""
    if not trail.steps or not _is_edit(trail.steps[-1]):
        return None
    edits = [step for step in trail.steps if _is_edit(step)]
    pairs = zip(reversed(edits), reversed([None, *edits[:-1]]), strict=True)
    back = takewhile(lambda pair: _brings_back(*pair, trail.steps), pairs)
    run = [edit for edit, _ in back]
    if len(run) < trail.times:
        return None
    return Found(tuple(edit.number for edit in reversed(run)), len(run), (DEMOTE,))


def _is_edit(step: Step) -> bool:
    return step.has_written and _UNDID not in step.seen.facts


def _brings_back(edit: Step, before: Step | None, steps: Sequence[Step]) -> bool:
    trees = [tree for s in steps if s.number < edit.number and (tree := s.seen.facts.get("tree"))]
    tree = edit.seen.facts.get("tree", "")
    if tree and trees and tree != trees[-1] and tree in trees:
        return True
    if before is None:
        return False
    one, other = (edited_lines(step.said.turn.input) for step in (edit, before))
    return one.takes_back(other)


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
