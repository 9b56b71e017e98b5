"""The model whose words are in a transcript already."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile, zip_longest

from react_agent.errors import ModelError
from react_agent.models.contract import Completion, Show, Usage, View, Why, fingerprint
from react_agent.parsers.entries import Entry, Said
from react_agent.parsers.labels import strict
from react_agent.parsers.tokens import estimate_tokens
from react_agent.parsers.transcript_writer import objective_text, turn_text
from react_agent.state import State, fold

Difference = Callable[[str], None]

_DURATION = re.compile(r"\b\d+(\.\d+)? ?(s|ms|seconds)\b")  # the clock is no difference
_SHOWN = 60
_BEFORE = 15


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
            self.tell(difference)
        self.compared = number
        text = turn_text(said.turn) if said.raw is None else said.raw
        show(text)
        usage = Usage(estimate_tokens(view.text), estimate_tokens(text))
        return Completion(text, Why.STOP, usage=usage)

    def _differences(self, view: View, said: Said) -> Iterator[str]:
        number = len(view.turns) + 1
        recorded = said.facts.get("prompt")
        if recorded and recorded != fingerprint(view):
            yield f"step {number}: the instructions or the hint in the prompt differ"
        if not view.turns and self.recorded.objective is not None:
            yield from _difference("", objective_text(self.recorded.objective), view.task)
        for step, now in zip(
            self.recorded.steps[self.compared :], view.turns[self.compared :], strict=False
        ):
            yield from _difference(f"step {step.number}: ", step.text, now)


def _difference(where: str, recorded: str, now: str) -> Iterator[str]:
    """The first line that differs, from a little before the place."""
    if _timeless(recorded) == _timeless(now):
        return
    before, after = _timeless(recorded).split("\n"), _timeless(now).split("\n")
    pairs = zip_longest(before, after, fillvalue="")
    number, (old, new) = next(found for found in enumerate(pairs) if len(set(found[1])) > 1)
    labels = (strict(line) for line in reversed(before[: number + 1]))
    label = next(labelled.label for labelled in labels if labelled)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    start = max(0, same - _BEFORE)
    yield f"{where}{label} was {_shown(old, start)} and is {_shown(new, start)}"


def _shown(line: str, start: int) -> str:
    """Escaped already, as a line of a transcript is."""
    cut = ("..." if start else "") + line[start : start + _SHOWN]
    return f'"{cut}..."' if len(line) > start + _SHOWN else f'"{cut}"'


def _timeless(text: str) -> str:
    return _DURATION.sub("(time)", text)
