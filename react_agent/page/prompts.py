"""Every prompt of a run, for the script to put together of what is on the page already.

A step's text is what its elements show, one label after the other. In a prompt it stands whole, or
with other words in the middle: so many characters from its beginning, those, so many from its end.
"""

from collections.abc import Iterable, Mapping, Sequence

from react_agent.loop.steps import Step
from react_agent.parsers.transcript.quoting import visible
from react_agent.parsers.transcript.writer import observation_text, turn_text
from react_agent.runs.history import Piece, Prompts

Packed = Mapping[str, object]


def packed(prompts: Prompts, steps: Sequence[Step]) -> Packed:
    lines: dict[str, int] = {}
    return {
        "systems": _fixed(prompts.systems),
        "tasks": _fixed(prompts.tasks),
        "steps": [_of_step(piece, whole(steps[piece.step - 1])) for piece in prompts.pieces],
        "tails": {
            number: [lines.setdefault(line, len(lines)) for line in visible(text).split("\n")]
            for number, text in prompts.tails.items()
        },
        "lines": list(lines),
        "exact": {number: prompts.is_exact(number) for number in prompts.numbers},
        "problem": prompts.problem,
    }


def whole(step: Step) -> str:
    """The text of a step of which nothing was taken."""
    return turn_text(step.said.turn) + observation_text(step.seen.text)


def _fixed(pieces: Iterable[Piece]) -> list[object]:
    return [[visible(piece.text), piece.since, piece.until] for piece in pieces]


def _of_step(piece: Piece, text: str) -> list[object]:
    """Lengths as a browser counts them."""
    head = _common(piece.text, text)
    tail = _common(piece.text[head:][::-1], text[head:][::-1])
    middle = piece.text[head : len(piece.text) - tail]
    ends = _units(text[:head]), _units(text[len(text) - tail :])
    return [piece.step, piece.since, piece.until, ends[0], middle, ends[1]]


def _common(one: str, other: str) -> int:
    """How far they are the same."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        if one[:middle] == other[:middle]:
            least = middle
        else:
            most = middle - 1
    return least


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
