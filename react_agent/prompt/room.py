"""Calculate the maximum length of prompts, replies and observations."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from react_agent.errors import ConfigError
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import read_facts, write_facts
from react_agent.profiles.profile import Budget, Policy, Profile, with_limits
from react_agent.state.spent import whole_number
from react_agent.state.state import State
from react_agent.tools.context import Limits, limits_at

_SHARE_OF_REPLY = 4  # a reply may take 1 / 4 of a short window
_LESS = 0.8  # share of a prompt that did not fit
_SHARE_OF_SEEN = 6  # one observation may fill 1 / 6 of a prompt
_CHARACTERS = 3  # characters of a token, at least


def prompt_limit(state: State, budget: Budget, policy: Policy) -> int:
    """Return the maximum number of tokens in a prompt, which leaves room for the reply."""
    window = _window(state, budget, policy)
    limit = window - min(budget.reply, window // _SHARE_OF_REPLY)
    return min(limit, round(state.too_long * _LESS)) if state.too_long else limit


def reply_room(state: State, budget: Budget, prompt_tokens: int) -> int:
    """Return the maximum number of tokens in the reply to a prompt of this size."""
    window = min(budget.window, state.window or budget.window)
    return min(budget.reply, max(window - prompt_tokens, window // _SHARE_OF_REPLY))


def limits_now(limits: Limits, profile: Profile, state: State) -> Limits:
    """Return limits for the next observation, so that several observations fit a prompt."""
    shown = limits_at(_window(state, profile.budget, profile.policy), limits)
    limit = prompt_limit(state, profile.budget, profile.policy)
    most = limit * _CHARACTERS // _SHARE_OF_SEEN
    return replace(
        shown,
        output_chars=min(shown.output_chars, most),
        read_chars=min(shown.read_chars, most),
    )


def _window(state: State, budget: Budget, policy: Policy) -> int:
    return min(budget.window, state.window or budget.window, policy.at or budget.window)


def prompt_event(
    system_tokens: int, policy: Policy, shown: Mapping[str, str] | None = None
) -> Event:
    """Return an event that records prompt settings that can't be derived from the transcript."""
    at = {"at": str(policy.at)} if policy.at else {}
    return Event("prompt", write_facts({"instructions": str(system_tokens), **at, **(shown or {})}))


def instructions_told(state: State) -> int:
    """Return the number of tokens in the instructions as recorded in the transcript, or 0."""
    return whole_number(read_facts(state.header.get("prompt", "")).get("instructions"))


def limit_told(state: State) -> int | None:
    """Return the limit of the next prompt from the recorded settings, or None if not recorded."""
    budget = budget_told(state)
    if budget is None:
        return None
    at = whole_number(read_facts(state.header.get("prompt", "")).get("at"))
    return prompt_limit(state, budget, Policy(at=at))


def budget_told(state: State) -> Budget | None:
    return _budget(state.header.get("limits", ""))


@lru_cache(8)
def _budget(written: str) -> Budget | None:
    """Return the recorded budget, or None if it is missing or invalid."""
    try:
        return with_limits(Budget(), read_facts(written)) if written else None
    except ConfigError:
        return None
