"""When what was said is summed up: every so many entries for all, and for who missed as many."""

from collections.abc import Sequence

from react_agent.parsers.settings.procedure import Phase, Role
from react_agent.parsers.transcript.entries import Event
from react_agent.procedure.course import SHARED, SUMMARY, Memory, event
from react_agent.procedure.prompts import SUMMARIZE, summarized, summary_view
from react_agent.procedure.scene import Scene
from react_agent.procedure.sight import shared


def summary_due(scene: Scene, phase: Phase) -> Event | None:
    """The one that all share."""
    every, count = scene.procedure.summary_every, len(scene.course.memory)
    if not every or not count or count % every or _is_made(scene, SHARED):
        return None
    return _summary(scene, phase, shared(scene.course, scene.procedure)[-every:], None)


def own_summary_due(scene: Scene, phase: Phase, role: Role) -> Event | None:
    """Of a role that has spoken before, and then has not for long."""
    every, course = scene.procedure.summary_every, scene.course
    last = course.last_of(role.name)
    missed = len(course.memory) - last
    if not every or not last or missed < every or _is_made(scene, role.name):
        return None
    return _summary(scene, phase, shared(course, scene.procedure)[-missed:], role)


def _is_made(scene: Scene, whose: str) -> bool:
    found = scene.course.summaries.get(whose)
    return found is not None and found.at == len(scene.course.memory)


def _summary(scene: Scene, phase: Phase, entries: Sequence[Memory], role: Role | None) -> Event:
    """Without a text, where there is none: the one before stays."""
    view = summary_view(scene.procedure, phase, scene.course, entries, role)
    said = summarized(scene.asked(SUMMARIZE, view))
    whose = role.name if role else SHARED
    return event(SUMMARY, {"of": whose, "at": str(len(scene.course.memory))}, said)
