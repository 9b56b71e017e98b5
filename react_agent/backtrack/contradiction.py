"""A claim that a later step contradicts by itself: what was denied stands in its Observation."""

import re
from collections.abc import Sequence

from react_agent.backtrack.assumption import made_since
from react_agent.backtrack.checks import proved_wrong
from react_agent.backtrack.proof import Proof
from react_agent.backtrack.question import Question
from react_agent.backtrack.resting import gives_up, has_noticed, says_again
from react_agent.loop.steps import READABLE, Step
from react_agent.parsers.claims.claims import About
from react_agent.parsers.claims.definitions import defined_as
from react_agent.tools.observation import Status
from react_agent.tools.registry import Kind

_NUMBER = re.compile(r"^\s*(?:[\w./-]+[:-])?\d+[|:-]\s?")
_SHOWS = (Kind.READ, Kind.SEARCH, Kind.RUN, Kind.TEST)
_CHECKS = ("stale", "tree", "contents", "names")  # what is denied, by its very name


def contradicted(question: Question, standing: Sequence[Step]) -> Proof | None:
    assumed, newest = question.assumed, standing[-1]
    if assumed.claim.about is not About.BEING or not _still_rests(question, newest):
        return None
    at = assumed.step.number
    shown = next((s for s in standing if s.number >= at and _shows(s, question)), None)
    if shown is None or shown is newest or made_since(standing, at, question.name):
        return None
    behind = [step for step in standing if step.number > shown.number]
    if has_noticed(behind, assumed, (question.name,)):
        return None
    return proved_wrong(question, _CHECKS)


def _still_rests(question: Question, newest: Step) -> bool:
    assumed = question.assumed
    is_written = newest.kind == Kind.WRITE and newest.status is Status.OK
    return says_again(newest, assumed) or is_written or gives_up(newest)


def _shows(step: Step, question: Question) -> bool:
    """In view, by a tool that shows what is there."""
    if step.kind not in _SHOWS or step.shown not in READABLE:
        return False
    if question.name not in step.seen.text:
        return False
    if question.assumed.is_of_file:
        path = re.compile(rf"(?<![\w.-]){re.escape(question.name)}(?![\w-])")
        is_there = step.status is Status.OK and step.said.turn.input.find(question.name) < 0
        return is_there and bool(path.search(step.seen.text))
    lines = (_NUMBER.sub("", line) for line in step.seen.text.split("\n"))
    return any(defined_as(line, question.name) for line in lines)
