"""The guard that keeps a prompt within its limit.

It acts when the limit is reached and then takes much at once: each time, the endpoint has to read
again whatever stands behind the first change.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from react_agent.compress.condense import condense
from react_agent.compress.observations import (
    all_but_newest,
    everything,
    inputs,
    last,
    newest,
    oldest,
)
from react_agent.compress.shelf import memory
from react_agent.compress.superseded import superseded
from react_agent.compress.work import Work
from react_agent.loop.means import Means
from react_agent.loop.state import State
from react_agent.loop.steps import GONE, HISTORY, SHELVED, compressed_event
from react_agent.parsers.transcript.entries import Event
from react_agent.prompt.room import prompt_limit


class Mark(NamedTuple):
    """A stage, and what a prompt must exceed for it to begin."""

    stage: Callable[[Work], None]
    begins_above: Callable[[Work], int]


STAGES: Mapping[str, Mark] = {
    "superseded": Mark(superseded, lambda work: work.low),
    "oldest": Mark(oldest, lambda work: work.low),
    "all": Mark(all_but_newest, lambda work: work.enough),
    "inputs": Mark(inputs, lambda work: work.enough),
    "newest": Mark(newest, lambda work: work.enough),
    "condense": Mark(condense, lambda work: work.enough),
    "memory": Mark(memory, lambda work: work.enough),
    "last": Mark(last, lambda work: work.limit),
    "everything": Mark(everything, lambda work: work.low),
}


def compress(state: State, means: Means) -> list[Event]:
    limit = prompt_limit(state, means.budget, means.policy)
    if means.prompt_tokens <= limit or not state.standing:
        return []
    work = _work(state, means, limit)
    for name in means.policy.stages:
        stage, begins_above = STAGES[name]
        if work.tokens > begins_above(work):
            stage(work)
    return work.events


def _work(state: State, means: Means, limit: int) -> Work:
    volatile = means.prompt_tokens - state.expected(state.prompt_tokens, means.system_tokens)
    fixed = state.prompt_tokens - sum(step.tokens for step in state.steps)
    least = min(state.expected(fixed, means.system_tokens) + volatile, limit)
    return Work(
        state=state,
        system_tokens=means.system_tokens,
        limit=limit,
        low=least + round((limit - least) * means.policy.to),
        enough=least + round((limit - least) * means.policy.enough),
        can_recall=means.can_recall,
        ask=means.ask,
        prompt_tokens=state.prompt_tokens,
        volatile=volatile,
        steps=state.steps[: state.standing[-1].number],  # behind it, all is taken back
        before=state.before,
    )


def history(state: State, means: Means) -> list[Event]:
    """For profiles that show the last steps only."""
    shown = [step.number for step in state.steps if step.shown not in GONE]
    if not means.policy.history or len(shown) <= means.policy.history:
        return []
    recall = {"recall": "yes"} if means.can_recall else {}
    gone = shown[: -means.policy.history]
    return [compressed_event(SHELVED, gone, stage=HISTORY, **recall)]
