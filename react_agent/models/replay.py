"""The model whose words are in a transcript already."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import zip_longest

from react_agent.errors import ModelError
from react_agent.models.contract import Completion, Show, Usage, View, Why, fingerprint
from react_agent.parsers.entries import Entry, Said
from react_agent.parsers.tokens import estimate_tokens
from react_agent.parsers.transcript_writer import objective_text, turn_text
from react_agent.state import State, fold

Difference = Callable[[str], None]

_DURATION = re.compile(r"\b\d+(\.\d+)? ?(s|ms|seconds)\b")  # the clock is no difference
_SHOWN = 60


@dataclass(slots=True)
class Replay:
    """Feeds the recorded turns back and says where a prompt is not the recorded one."""

    entries: tuple[Entry, ...]
    tell: Difference
    said: list[Said] = field(init=False)
    recorded: State = field(init=False)
    compared: int = 0  # steps of the prompt that were compared already

    def __post_init__(self) -> None:
        self.said = [entry for entry in self.entries if isinstance(entry, Said)]
        self.recorded = fold(self.entries)

    def complete(
        self,
        view: View,
        *,
        stop: tuple[str, ...],
        max_output: int,
        deadline: float | None,
        show: Show,
    ) -> Completion:
        number = len(view.turns)
        if number >= len(self.said):
            raise ModelError(f"the recorded transcript ends after {len(self.said)} turns")
        said = self.said[number]
        for difference in self._differences(view, said):
            self.tell(f"step {number + 1}: the prompt is not the recorded one: {difference}")
        self.compared = number
        text = turn_text(said.turn) if said.raw is None else said.raw
        show(text)
        usage = Usage(estimate_tokens(view.text), estimate_tokens(text))
        return Completion(text, Why.STOP, usage=usage)

    def _differences(self, view: View, said: Said) -> Iterator[str]:
        recorded = said.facts.get("prompt")
        if recorded and recorded != fingerprint(view):
            yield "the instructions or the hint differ"
        if not view.turns and self.recorded.objective is not None:
            recorded_task = objective_text(self.recorded.objective)
            yield from _difference("the objective", recorded_task, view.task)
        for step, now in zip(
            self.recorded.steps[self.compared :], view.turns[self.compared :], strict=False
        ):
            yield from _difference(f"step {step.number}", step.text, now)


def _difference(where: str, recorded: str, now: str) -> Iterator[str]:
    if _timeless(recorded) == _timeless(now):
        return
    before, after = _timeless(recorded).split("\n"), _timeless(now).split("\n")
    pairs = zip_longest(before, after, fillvalue="(nothing)")
    old, new = next((old, new) for old, new in pairs if old != new)
    yield f"{where} had {old[:_SHOWN]!r} and has {new[:_SHOWN]!r}"


def _timeless(text: str) -> str:
    return _DURATION.sub("(time)", text)
