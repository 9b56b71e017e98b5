"""A prompt as a bar: its parts told apart by colour, and without one by character."""

from dataclasses import dataclass
from itertools import accumulate

from rich.text import Text

from react_agent.runs.history import Call, Part

MARKS = {
    Part.INSTRUCTIONS: "=",
    Part.OBJECTIVE: "o",
    Part.THOUGHTS: "t",
    Part.INPUTS: "i",
    Part.OBSERVATIONS: "#",
    Part.RECALLED: "r",
    Part.HINTS: "!",
}
COLOURS = {
    Part.INSTRUCTIONS: "blue",
    Part.OBJECTIVE: "bold",
    Part.THOUGHTS: "cyan",
    Part.INPUTS: "green",
    Part.OBSERVATIONS: "yellow",
    Part.RECALLED: "magenta",
    Part.HINTS: "red",
}
_LIMIT = "|"


@dataclass(frozen=True, slots=True)
class Scale:
    columns: int
    full: int  # tokens that fill them

    @property
    def each(self) -> float:
        return self.full / self.columns

    def at(self, tokens: float) -> int:
        return round(tokens / self.each)


def bar(call: Call, scale: Scale) -> Text:
    """As long as the endpoint counted, with the shares that were estimated."""
    text = Text()
    estimated = max(sum(call.parts.values()), 1)
    for part, end in zip(call.parts, accumulate(call.parts.values()), strict=True):
        column = scale.at(call.tokens * end / estimated)
        text.append(MARKS[part] * (column - len(text)), COLOURS[part])
    if call.limit and call.limit <= scale.full:
        column = scale.at(call.limit)
        text = Text.assemble(text[:column], " " * (column - len(text)), _LIMIT, text[column + 1 :])
    return text
