"""Size limits of prompts, replies and Observations."""

from collections.abc import Mapping
from functools import lru_cache

from react_agent.errors import ConfigError
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import read_facts, write_facts
from react_agent.profiles.profile import Budget, Policy, with_limits
from react_agent.state.spent import whole_number
from react_agent.state.state import State

_SHARE_OF_REPLY = 4  # the reply gets at most 1/4 of the window
_LESS = 0.8  # the share that is used of a prompt that did not fit
_SHARE_OF_SEEN = 6  # one Observation may fill 1/6 of the prompt
_CHARACTERS = 3  # per token, as a low estimate


def prompt_limit(state: State, budget: Budget, policy: Policy) -> int:
    """Return the limit of a prompt in tokens; it leaves room for the reply."""
    window = _window(state, budget, policy)
    limit = window - min(budget.reply, window // _SHARE_OF_REPLY)
    return min(limit, round(state.too_long * _LESS)) if state.too_long else limit


def reply_room(state: State, budget: Budget, prompt_tokens: int) -> int:
    """Return the tokens left for the reply to a prompt that is within its limit."""
    window = min(budget.window, state.window or budget.window)
    return min(budget.reply, max(window - prompt_tokens, window // _SHARE_OF_REPLY))


def seen_chars(state: State, budget: Budget, policy: Policy) -> int:
    """Return the character limit of an Observation; even a short prompt has room for several."""
    return prompt_limit(state, budget, policy) * _CHARACTERS // _SHARE_OF_SEEN


def _window(state: State, budget: Budget, policy: Policy) -> int:
    return min(budget.window, state.window or budget.window, policy.at or budget.window)


def prompt_event(
    system_tokens: int, policy: Policy, shown: Mapping[str, str] | None = None
) -> Event:
    """Return an event with facts about the prompts that the transcript does not hold elsewhere."""
    at = {"at": str(policy.at)} if policy.at else {}
    return Event("prompt", write_facts({"instructions": str(system_tokens), **at, **(shown or {})}))


def instructions_told(state: State) -> int:
    """Return the tokens of the instructions, as far as the transcript tells."""
    return whole_number(read_facts(state.header.get("prompt", "")).get("instructions"))


def limit_told(state: State) -> int | None:
    """Return the limit of the next prompt, or None if the transcript does not tell."""
    budget = budget_told(state)
    if budget is None:
        return None
    at = whole_number(read_facts(state.header.get("prompt", "")).get("at"))
    return prompt_limit(state, budget, Policy(at=at))


def budget_told(state: State) -> Budget | None:
    return _budget(state.header.get("limits", ""))


@lru_cache(8)
def _budget(written: str) -> Budget | None:
    """Return None if the text is empty, as in a sub-agent's transcript, or was made invalid."""
    try:
        return with_limits(Budget(), read_facts(written)) if written else None
    except ConfigError:
        return None
