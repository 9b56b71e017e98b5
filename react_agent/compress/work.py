"""A prompt while stages take from it: nothing is written before all of them are done."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from react_agent.loop.more_before import more_before
from react_agent.loop.state import State
from react_agent.loop.steps import RECALL, SHELVED, Step, compressed_event, reshown
from react_agent.models.contract import View
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Event


class Answered(NamedTuple):
    text: str
    problem: str = ""  # why there is none


Ask = Callable[[View, int, str], Answered]  # with room for so many tokens; for what


@dataclass(slots=True)
class Work:
    state: State
    system_tokens: int
    limit: int  # what the prompt must fit
    low: int  # what it should come down to
    enough: int  # with less than this, no Thought is given up
    can_recall: bool
    ask: Ask | None
    prompt_tokens: int  # of objective and steps, as estimated
    volatile: int  # tokens of what stands behind them, in the next prompt only
    steps: list[Step]
    before: str  # the line about steps that are not shown
    events: list[Event] = field(default_factory=list)

    @property
    def tokens(self) -> int:
        """Of the prompt as it would be."""
        return self.without(0)

    def without(self, tokens: int) -> int:
        """The same, where so many that were estimated go from the steps."""
        left = self.prompt_tokens - tokens
        return self.state.expected(left, self.system_tokens) + self.volatile

    def weight(self, text: str) -> int:
        """Of another prompt, in the tokens that the endpoint counts."""
        state, estimate = self.state, estimate_tokens(text)
        if not state.counted:
            return estimate
        return state.expected(state.counted_at + estimate, self.system_tokens) - state.counted

    def take(self, name: str, numbers: Iterable[int], thought: str = "", **facts: str) -> bool:
        """Whether anything is gained by it; nothing happens otherwise."""
        recall = {RECALL: "yes"} if self.can_recall and "bare" not in facts else {}
        event = compressed_event(name, numbers, thought, **facts, **recall)
        changed = reshown(self.steps, event)
        saved = sum(self.steps[n - 1].tokens - step.tokens for n, step in changed.items())
        if saved <= 0:
            return False
        self.events.append(event)
        self.prompt_tokens -= saved
        for number, step in changed.items():
            self.steps[number - 1] = step
        if name == SHELVED:
            self.prompt_tokens -= estimate_tokens(self.before)
            self.before = more_before(self.steps, can_recall=self.can_recall)
            self.prompt_tokens += estimate_tokens(self.before)
        return True
