"""Guards watch a run. Each reads the state and returns events; none acts by itself."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import takewhile

from react_agent.parsers.entries import Event
from react_agent.parsers.turn import Kind
from react_agent.profile import Budget
from react_agent.state import State, Step
from react_agent.stop import Stop
from react_agent.tools.naming import named


@dataclass(frozen=True, slots=True)
class Means:
    """What a guard may ask."""

    budget: Budget
    prompt_tokens: int  # of the next prompt, estimated


Guard = Callable[[State, Means], list[Event]]

_RESTS_FOR = 3
_SHARE_OF_REPLY = 4  # of an endpoint's window


def stop_event(stop: Stop, reason: str) -> Event:
    return Event("stop", f"{stop} {reason}".rstrip())


def budget(state: State, means: Means) -> list[Event]:
    reached = next(iter(_reached(state, means)), None)
    return [stop_event(*reached)] if reached else []


def _reached(state: State, means: Means) -> Iterable[tuple[Stop, str]]:
    limit, spent = means.budget, state.spent
    if len(state.steps) >= limit.steps:
        yield Stop.OUT_OF_STEPS, f"after {len(state.steps)} steps"
    if spent.prompt_tokens + means.prompt_tokens > limit.prompt_tokens:
        yield (
            Stop.OUT_OF_TOKENS,
            f"the next prompt would exceed {limit.prompt_tokens} tokens in all",
        )
    if spent.seconds >= limit.seconds:
        yield Stop.OUT_OF_TIME, f"after {spent.seconds:.0f} seconds"
    if limit.money is not None and (spent.money or 0.0) >= limit.money:
        yield Stop.OUT_OF_MONEY, f"after {spent.money:.4f}"
    if means.prompt_tokens + _room(state, limit) > min(limit.window, state.window or limit.window):
        yield Stop.PROMPT_EXHAUSTED, f"{means.prompt_tokens} tokens and a reply do not fit"


def _room(state: State, limit: Budget) -> int:
    """For a reply, in a window that may be short."""
    return min(limit.reply, (state.window or limit.window) // _SHARE_OF_REPLY)


def malformed(state: State, means: Means) -> list[Event]:
    """A model that can't be read, again and again, will not be read the next time."""
    unread = takewhile(lambda step: step.said.turn.kind is Kind.MALFORMED, reversed(state.steps))
    count = sum(1 for _ in unread)
    if count < means.budget.malformed:
        return []
    return [stop_event(Stop.STUCK, f"{count} replies in a row could not be read")]


def overuse(state: State, means: Means) -> list[Event]:
    """The same call with the same result: for a while it is not made again."""
    last = state.steps[-means.budget.overuse :]
    if len(last) < means.budget.overuse or len({_call(step) for step in last}) > 1:
        return []
    turn, tool = last[-1].said.turn, last[-1].seen.facts.get("tool", "")
    if not tool or tool in resting(state, turn.input):
        return []
    return [
        Event("demote", f"tool={tool} until={len(state.steps) + _RESTS_FOR}"),
        Event("hint", f"this call of {named(tool)} has returned the same {len(last)} times"),
    ]


def _call(step: Step) -> tuple[str, str, str]:
    return step.said.turn.action, step.said.turn.input, step.seen.text


def resting(state: State, given: str) -> dict[str, int]:
    """The tools that rest, for this input, and for how many steps still."""
    return {
        tool: rest.until - len(state.steps)
        for tool, rest in state.demoted.items()
        if rest.until > len(state.steps) and rest.given == given
    }


GUARDS: Mapping[str, Guard] = {"budget": budget, "malformed": malformed, "overuse": overuse}
