"""The guard that notices a stuck run and answers with a hint, a rest, going back or a stop.

Each answer comes once in a stretch of trouble, in the order of the profile. A stretch ends with
progress, when steps are taken back, and when a person resumes the run.
"""

from collections.abc import Mapping, Sequence

from react_agent.guards.means import Means
from react_agent.guards.progress import moved
from react_agent.guards.repetition import FINDS, Found, Trail, rests
from react_agent.parsers.text.counted import counted
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import write_facts, write_numbers
from react_agent.state.events import PATTERNS
from react_agent.state.findings import BACK, DEMOTE, HINT, STOP, Trouble, trouble_event
from react_agent.state.state import State
from react_agent.state.stop import Stop, stop_event

_RESTS_FOR = 3  # steps for which a call is not made
_GOES_ON = "failing"  # lasts until the tests change; other progress does not end it
_TRIED: Mapping[str, str] = {HINT: "a hint", DEMOTE: "a rest"}


def stuck(state: State, means: Means) -> list[Event]:
    """Return the events for a pattern that ends with the last step, at most once per step."""
    if not state.steps or (state.troubles and state.troubles[-1].at == len(state.steps)):
        return []
    patience = means.profile.patience
    for name in patience.patterns:
        times = patience.times(name, means.budget.overuse)
        found = FINDS[name](Trail(state.standing, times, means.budget.malformed)) if times else None
        had = _had(name, found, times, state) if found else None
        if found and had is not None and (answer := _answer(found, had, state, patience.ladder)):
            return _events(name, found, answer, had, state)
    return []


def _had(name: str, found: Found, times: int, state: State) -> list[Trouble] | None:
    """Return the troubles since the last progress, or None if no answer is due yet."""
    troubles, own = state.troubles, list[Trouble]()
    if name == _GOES_ON:
        own = [one for one in troubles if one.pattern == name and {*one.steps} & {*found.steps}]
        if found.times < times * (len(own) + 1):
            return None
    if not troubles:
        return []
    news = max(moved(state.standing, troubles[0].at), default=0)
    return [one for one in troubles if one.at >= news or one in own]


def _answer(found: Found, had: Sequence[Trouble], state: State, ladder: Sequence[str]) -> str:
    """Return the next answer. A ladder without `stop` starts again once its last answer is over."""
    last = state.standing[-1]
    without = found.without if last.tool and not rests(last) else (*found.without, DEMOTE)
    places = [ladder.index(one.answer) for one in had if one.answer in ladder]
    higher = ladder[max(places, default=-1) + 1 :]
    is_over = STOP not in ladder and bool(had) and len(state.steps) - had[-1].at >= _RESTS_FOR
    for answer in (*higher, *(ladder if is_over else ())):
        if answer not in without:
            return answer
    return ""


def _events(
    name: str, found: Found, answer: str, had: Sequence[Trouble], state: State
) -> list[Event]:
    trouble = trouble_event(name, found.steps, answer)
    if answer == HINT:
        return [trouble, Event("hint", found.hint)]
    if answer == DEMOTE:
        until = str(len(state.steps) + _RESTS_FOR)
        rest = write_facts({"tool": state.standing[-1].tool, "until": until})
        refusal = f"for the next {counted(_RESTS_FOR, 'step')} this exact call is blocked"
        return [trouble, Event("demote", rest), Event("hint", f"{found.hint}; {refusal}")]
    if answer == STOP:
        return [trouble, stop_event(Stop.STUCK, _reason(name, found, [one.answer for one in had]))]
    return [trouble]


def _reason(pattern: str, found: Found, answers: Sequence[str]) -> str:
    """Return the reason of a run that ends as stuck."""
    tried = [word for answer, word in _TRIED.items() if answer in answers]
    without = f"; {' and '.join(tried)} did not help" if tried else ""
    # Taking steps back would have started a new stretch of trouble.
    nowhere = "; no step to go back to was found" if BACK in answers else ""
    times, steps = counted(found.times, "time"), write_numbers(found.steps)
    return f"{PATTERNS[pattern]}: {times}, steps {steps}{without}{nowhere}"
