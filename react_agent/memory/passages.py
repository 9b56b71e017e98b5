"""What is kept of a step, and the passages in which it is found."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b

from react_agent.loop.steps import RECALL, Step
from react_agent.parsers.turn.turn import Kind

LINES = 20
_STRIDE = 18  # so that what stands together is together in one of them
_FIRST_OF_INPUT = 3000
MOST = 4096  # passages of a step
_HEAD = 2000  # characters of a thought
_CALLED = 600  # of an input
_LINE = 2000  # characters of a line that are looked at


class Part(StrEnum):
    HEAD = "head"  # thought, action, and how the input begins
    SEEN = "seen"
    INPUT = "input"


@dataclass(frozen=True, slots=True)
class Kept:
    """One step as it is remembered."""

    number: int
    digest: bytes
    thought: str = ""
    action: str = ""
    input: str = ""
    seen: str = ""

    @property
    def head(self) -> str:
        return f"{self.thought[:_HEAD]}\n{self.action} {self.input[:_CALLED]}"

    def text(self, part: Part) -> str:
        return {Part.SEEN: self.seen, Part.INPUT: self.input, Part.HEAD: self.head}[part]


@dataclass(frozen=True, slots=True)
class Spot:
    """A passage by its place: the first of its lines counts from 0."""

    step: int
    part: Part
    first: int = 0

    @property
    def number(self) -> int:
        return self.step * MOST + self._within

    @property
    def _within(self) -> int:
        if self.part is Part.HEAD:
            return 0
        return 1 + self.first // _STRIDE + (_FIRST_OF_INPUT if self.part is Part.INPUT else 0)


def spot(number: int) -> Spot:
    """The one of that number."""
    step, within = divmod(number, MOST)
    if not within:
        return Spot(step, Part.HEAD)
    if within <= _FIRST_OF_INPUT:
        return Spot(step, Part.SEEN, (within - 1) * _STRIDE)
    return Spot(step, Part.INPUT, (within - 1 - _FIRST_OF_INPUT) * _STRIDE)


def kept(step: Step) -> Kept:
    """Nothing but its digest of a step that looked back, or that could not be read."""
    tool, turn = step.seen.facts.get("tool", ""), step.said.turn
    whole = "\0".join((tool, turn.thought, turn.action, turn.input, step.seen.text))
    digest = blake2b(whole.encode(errors="replace"), digest_size=16).digest()
    if tool == RECALL or turn.kind is not Kind.ACTION:
        return Kept(step.number, digest)
    return Kept(step.number, digest, turn.thought, turn.action, turn.input, step.seen.text)


def passages(step: Kept) -> Iterator[tuple[Spot, str]]:
    if not step.action:
        return
    yield Spot(step.number, Part.HEAD), step.head
    yield from _of(step, Part.SEEN, _FIRST_OF_INPUT)
    if len(step.input) > _CALLED:
        yield from _of(step, Part.INPUT, MOST - _FIRST_OF_INPUT - 1)


def _of(step: Kept, part: Part, most: int) -> Iterator[tuple[Spot, str]]:
    lines = [line[:_LINE] for line in step.text(part).split("\n")]
    last = max(len(lines) - (LINES - _STRIDE), 1)
    for first in range(0, last, _STRIDE)[:most]:
        yield Spot(step.number, part, first), "\n".join(lines[first : first + LINES])
