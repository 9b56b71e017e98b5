"""A model with scripted replies, for tests, dry runs and the examples in the docs."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from react_agent.errors import ModelError
from react_agent.models.contract import Completion, Show, Usage, View, Why
from react_agent.parsers.text.tokens import estimate_tokens

Reply = str | Completion | Callable[[View], str]


@dataclass(slots=True)
class ScriptedModel:
    """A model whose replies are texts, whole completions, or functions of the View it receives.

    It records every View.
    """

    replies: Iterable[Reply]
    seen: list[View] = field(default_factory=list)
    price: float | None = None  # of one call

    def __post_init__(self) -> None:
        self.replies = iter(self.replies)

    def complete(
        self,
        view: View,
        *,
        stop: tuple[str, ...],
        max_output: int,
        deadline: float | None,
        show: Show,
    ) -> Completion:
        self.seen.append(view)
        reply = next(iter(self.replies), None)
        if reply is None:
            raise ModelError(f"the script has no reply number {len(self.seen)}")
        if isinstance(reply, Completion):
            show(reply.text)
            return reply
        text = reply if isinstance(reply, str) else reply(view)
        show(text)
        usage = Usage(estimate_tokens(view.text), estimate_tokens(text), cost=self.price)
        return Completion(text, Why.STOP, usage=usage)
