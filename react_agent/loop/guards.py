"""Guards monitor a run. A guard reads the state and returns entries for the transcript."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, takewhile

from react_agent.backtrack.backtracker import backtrack
from react_agent.guards.gate import came_of
from react_agent.guards.means import Means
from react_agent.guards.stuck import stuck
from react_agent.loop.guide import GUIDE, guide
from react_agent.memory.compressor import compress, history
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Entry, Event, Said, Seen
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.profiles.profile import Budget
from react_agent.prompt.plan_block import ENDS, is_over
from react_agent.prompt.view import ANSWER, prompt_limit
from react_agent.state.state import State, Stop, stop_event
from react_agent.state.steps import Spent, since_told
from react_agent.tools.registry import Kind as ToolKind

Guard = Callable[[State, Means], Sequence[Entry]]

REMIND = "remind"
LAST_REPLY = (
    "one more reply that can't be read ends this run: write one line Action: with the name of a "
    "tool, and one line Action Input:"
)
_AROUND = 6  # tokens of the words around a reminder
_OF_ROOM = 2  # an endpoint may count twice as much as estimated


def budget(state: State, means: Means) -> list[Event]:
    limit = prompt_limit(state, means.budget, means.profile.policy)
    prompt = min(means.prompt_tokens, limit)
    reached = limit_reached(means.budget, state.spent, len(state.steps), prompt)
    return [stop_event(*reached)] if reached else []


def limit_reached(limit: Budget, spent: Spent, steps: int, prompt: int) -> tuple[Stop, str] | None:
    """Return a stop status and a reason if a call with this prompt size would exceed a limit."""
    if steps >= limit.steps:
        return Stop.OUT_OF_STEPS, f"after {counted(steps, 'step')}"
    if spent.prompt_tokens + prompt > limit.prompt_tokens:
        reason = f"the next prompt would exceed {limit.prompt_tokens} tokens in total"
        return Stop.OUT_OF_TOKENS, reason
    if spent.seconds >= limit.seconds:
        return Stop.OUT_OF_TIME, f"after {spent.seconds:.0f} seconds"
    if limit.money is not None and (spent.money or 0.0) >= limit.money:
        return Stop.OUT_OF_MONEY, f"after {spent.money or 0.0:.4f}"
    return None


def exhausted(state: State, means: Means) -> list[Event]:
    """Stop the run if the prompt is too long and can't be shortened any further."""
    limit = prompt_limit(state, means.budget, means.profile.policy)
    if means.prompt_tokens <= limit:
        return []
    reason = f"{means.prompt_tokens} tokens do not fit the {limit} that a prompt may have"
    return [stop_event(Stop.PROMPT_EXHAUSTED, reason)]


def remind(state: State, means: Means) -> list[Event]:
    """Return reminders about the files and symbols in the last thought, as far as they fit."""
    if state.recalled or not state.standing or means.remind is None:
        return []
    lines = means.remind(state.standing[-1].said.turn.thought, means.profile.policy.remind)
    weights = accumulate(estimate_tokens(line) + _AROUND for line in lines)
    limit = prompt_limit(state, means.budget, means.profile.policy)
    room = (limit - means.prompt_tokens) // _OF_ROOM
    fitting = zip(lines, weights, strict=True)
    return [Event("recalled", line) for line, weight in fitting if weight <= room]


def malformed(state: State, means: Means) -> list[Event]:
    """Warn the model if its replies can't be parsed, and stop the run after too many of them."""
    steps = since_told([step for step in state.steps[state.taken_up :] if step.stands])
    unread = takewhile(lambda step: step.said.turn.kind is Kind.MALFORMED, reversed(steps))
    count = sum(1 for _ in unread)
    if 0 < count == means.budget.malformed - 1 and not state.hint:
        return [Event("hint", LAST_REPLY)]
    if count < means.budget.malformed:
        return []
    return [stop_event(Stop.STUCK, f"{count} replies in a row could not be read")]


def resting(state: State, given: str) -> dict[str, int]:
    """Return the tools that are blocked for this input, with the number of remaining steps."""
    return {
        tool: rest.until - len(state.steps)
        for tool, rest in state.demoted.items()
        if rest.until > len(state.steps) and rest.given == given and rest.tree in ("", state.tree)
    }


def answer(state: State, means: Means) -> list[Event]:
    """Stop the run after the first successful edit, for profiles that only need a single edit."""
    if not any(step.has_written for step in since_told(state.standing)):
        return []
    return [stop_event(Stop.CONCLUDED, "when it made its first change")]


@dataclass(slots=True, eq=False)
class Once:
    """A wrapper that limits a guard to returning entries once per step."""

    guard: Guard
    spoke_at: int = -1  # number of steps at that time

    def __call__(self, state: State, means: Means) -> Sequence[Entry]:
        is_taken_up = state.taken_up == len(state.steps) and bool(state.hint)  # it spoke before
        if self.spoke_at == len(state.steps) or is_taken_up:
            return []
        said = self.guard(state, means)
        if said:
            self.spoke_at = len(state.steps)
        return said


_BY = {"by": "plan"}
_THOUGHT = "Task 0 of the plan is closed."


def planned(state: State, means: Means) -> Sequence[Entry]:
    """Stop the run when a step closes the plan. The gate may refuse this the first time."""
    steps = state.standing
    is_closed = bool(steps) and steps[-1].kind == ToolKind.PLAN and is_over(state.plan)
    if state.plan is None or not is_closed or steps[-1].messages:
        return []
    stop, reason = ENDS[state.plan.root.state]
    if stop is not Stop.CONCLUDED:
        return [stop_event(stop, reason)]
    *points, last = came_of(reason, state, means.budget.steps, means.gate)
    if isinstance(last, Seen):
        said = Said(Turn(Kind.CONCLUSION, _THOUGHT, conclusion=reason), facts=_BY)
        return [said, replace(last, facts={**last.facts, **_BY})]
    return [*points, stop_event(stop, reason)]


GUARDS: Mapping[str, Guard] = {
    "plan": planned,
    ANSWER: answer,
    "budget": budget,
    GUIDE: guide,
    "malformed": malformed,
    "stuck": stuck,
    "backtrack": backtrack,
    "history": history,
    "compress": compress,
    REMIND: remind,
}
