"""The guard that sees a run go round, and answers: a hint, a rest, going back, the end."""

from collections.abc import Iterator, Sequence

from react_agent.loop.means import Means
from react_agent.loop.state import State
from react_agent.loop.steps import Step
from react_agent.loop.stop import Stop, stop_event
from react_agent.loop.troubles import DEMOTE, HINT, STOP, Trouble, trouble_event
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import write_facts
from react_agent.stuck.patterns import PATTERNS
from react_agent.stuck.progress import (
    RESTS_FOR,
    about_the_same,
    answers_so_far,
    begins_anew,
    next_answer,
)
from react_agent.stuck.trail import Found, Trail, rests
from react_agent.stuck.words import reason, resting


def stuck(state: State, means: Means) -> list[Event]:
    """Once for each step, about a run of steps that ends with the last one."""
    if not state.steps or (state.troubles and state.troubles[-1].at == len(state.steps)):
        return []
    steps = state.standing
    for name in means.profile.patience.patterns:
        times = means.profile.patience.times(name, means.budget.overuse)
        trail = Trail(steps, times, means.budget.malformed)
        if times and (found := PATTERNS[name].find(trail)):
            had = _had(name, found, times, state)
            if had is not None and (answer := _answer(found, had, state, means)):
                return list(_events(name, found, answer, had, state))
    return []


def _had(name: str, found: Found, times: int, state: State) -> list[Trouble] | None:
    """What was answered already; None where it is not time yet for more."""
    if not PATTERNS[name].goes_on:
        return answers_so_far(state.troubles, state.standing)
    own = about_the_same(name, found, state.troubles)
    if found.times < times * (len(own) + 1):
        return None
    return answers_so_far(state.troubles, state.standing, own)


def _answer(found: Found, had: Sequence[Trouble], state: State, means: Means) -> str:
    last, ladder = state.standing[-1], means.profile.patience.ladder
    can_rest = last.tool and not rests(last)
    without = found.without if can_rest else (*found.without, DEMOTE)
    answer = next_answer(had, ladder, without)
    if not answer and begins_anew(had, ladder, len(state.steps)):
        answer = next_answer((), ladder, without)
    return answer


def _events(
    name: str, found: Found, answer: str, had: Sequence[Trouble], state: State
) -> Iterator[Event]:
    steps: Sequence[Step] = state.standing
    yield trouble_event(name, found.steps, answer)
    if answer == DEMOTE:
        until = len(state.steps) + RESTS_FOR
        yield Event("demote", write_facts({"tool": steps[-1].tool, "until": str(until)}))
    hint = PATTERNS[name].hint(found, steps)
    if answer in (HINT, DEMOTE):
        yield Event("hint", hint if answer == HINT else resting(hint, RESTS_FOR))
    if answer == STOP:
        yield stop_event(Stop.STUCK, reason(name, found, [one.answer for one in had]))
