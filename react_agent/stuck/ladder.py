"""Which answer comes next: each once in a stretch of trouble, in the order of the profile.

A stretch ends with whatever gets the run ahead (`progress.py`), with steps that are taken back, and
where a person takes the run up again.
"""

from collections.abc import Sequence

from react_agent.loop.steps import Step
from react_agent.loop.troubles import STOP, Trouble
from react_agent.stuck.progress import moved
from react_agent.stuck.trail import Found

RESTS_FOR = 3  # steps for which a call is not made


def answers_so_far(
    troubles: Sequence[Trouble], steps: Sequence[Step], own: Sequence[Trouble] = ()
) -> list[Trouble]:
    """Since the run got ahead; and what is about the very same steps, whatever was new."""
    if not troubles:
        return []
    news = max(moved(steps, troubles[0].at), default=0)
    return [one for one in troubles if one.at >= news or one in own]


def about_the_same(pattern: str, found: Found, troubles: Sequence[Trouble]) -> list[Trouble]:
    return [one for one in troubles if one.pattern == pattern and {*one.steps} & {*found.steps}]


def next_answer(had: Sequence[Trouble], ladder: Sequence[str], without: Sequence[str]) -> str:
    places = [ladder.index(one.answer) for one in had if one.answer in ladder]
    higher = ladder[max(places, default=-1) + 1 :]
    return next((answer for answer in higher if answer not in without), "")


def begins_anew(had: Sequence[Trouble], ladder: Sequence[str], steps: int) -> bool:
    """A ladder without an end goes round, once its last answer is over."""
    return STOP not in ladder and bool(had) and steps - had[-1].at >= RESTS_FOR
