"""Who speaks next."""

import random
from collections.abc import Sequence

from react_agent.parsers.settings.procedure import Controller, Phase, Role
from react_agent.parsers.transcript.entries import Event
from react_agent.procedure.course import PICKED, event
from react_agent.procedure.prompts import RULE, chosen, rule_view
from react_agent.procedure.scene import Scene


def speaker(scene: Scene, phase: Phase) -> Role | Event:
    """Or what is to be written down before it is known: chance and a model have said it then."""
    course, keys = scene.course, [role.key for role in phase.roles]
    key = course.picked
    if not key and (len(keys) == 1 or not course.speaker):
        key = phase.first_role
    elif not key and phase.controller is Controller.ORDER:
        at = keys.index(course.speaker) if course.speaker in keys else -1
        key = keys[(at + 1) % len(keys)]
    elif not key:
        return _picked(scene, phase, keys)
    return phase.role(key) or phase.roles[0]


def _picked(scene: Scene, phase: Phase, keys: Sequence[str]) -> Event:
    if phase.controller is Controller.RANDOM:
        return event(PICKED, {"role": _drawn(scene, keys), "by": Controller.RANDOM})
    view = rule_view(scene.procedure, phase, scene.course, scene.objective)
    if key := chosen(phase, scene.course, scene.asked(RULE, view)):
        return event(PICKED, {"role": key, "by": RULE})
    others = [key for key in keys if key != scene.course.speaker]
    return event(PICKED, {"role": _drawn(scene, others), "by": Controller.RANDOM})


def _drawn(scene: Scene, keys: Sequence[str]) -> str:
    """The same in every run with this seed."""
    seed = f"{scene.state.header.get('seed', '')}:{scene.stage.turn}"
    return random.Random(seed).choice(keys)
