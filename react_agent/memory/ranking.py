"""Which of the passages that hold some of the words is meant.

A passage counts by the words it holds, by those that one of its lines holds, by words that stand
side by side as they were asked for, by what kind of line it is, and, a little, by its age.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

from react_agent.memory import lines as kinds
from react_agent.memory.passages import LINES, Kept, Part, Spot
from react_agent.memory.query import Asked, Worth
from react_agent.memory.terms import Terms, parts, tokens, without_number

_OF_HEAD = 0.8  # what thought and call say, beside what came of it
_OF_CALLED = 0.5  # of a line, what thought and call say as well
_OF_LINE, _OF_NEXT_LINE = 0.7, 0.3
_OF_PAIRS = 0.3
_OF_KIND = 0.1
_OF_AGE = 0.05
_MOST_LINES = 4  # that are shown of a passage
_LONGEST = 2000  # characters of a line that are looked at


@dataclass(frozen=True, slots=True)
class Found:
    """The lines of a step that answer best, by their numbers in that part of it."""

    step: int
    part: Part
    lines: tuple[tuple[int, str], ...]
    best: str  # of the lines
    score: float = 0.0
    holds_all: bool = False  # that was asked for


@dataclass(frozen=True, slots=True)
class Judge:
    asked: Asked
    worth: Worth
    terms: Terms
    now: int  # the number of the step to come
    known: dict[str, int] = field(default_factory=dict)  # what a token holds

    def found(self, step: Kept, place: Spot, head: int) -> Found:
        """`head`: what the head of the step holds."""
        lines = _lines(step, place)
        held = [self.held(without_number(line)) for line in lines]
        worths = [self._line(held, at, line, head) for at, line in enumerate(lines)]
        best = max(range(len(lines)), key=worths.__getitem__)
        whole = 0
        for one in held:
            whole |= one
        covered = self.worth.of(whole & ~head) + _OF_HEAD * self.worth.of(head)
        pairs = self._pairs(lines[best]) if held[best].bit_count() > 1 else 0.0
        score = covered / self.worth.all + worths[best] + _OF_PAIRS * pairs
        score += _OF_AGE * step.number / max(self.now, 1)
        shown = _shown(worths, held, best, kinds.failure_below(lines, best))
        numbered = tuple((place.first + at + 1, lines[at]) for at in shown)
        holds_all = (whole | head).bit_count() == len(self.asked.bits)
        return Found(step.number, place.part, numbered, lines[best].strip(), score, holds_all)

    def held(self, text: str) -> int:
        """Which of the terms; tokens come again and again."""
        known, found = self.known, 0
        for token in tokens(text):
            bits = known.get(token)
            if bits is None:
                bits = known[token] = self._bits(token)
            found |= bits
        return found

    def _bits(self, token: str) -> int:
        found = 0
        for term in self.terms.of_token(token):
            found |= self.asked.bits.get(term, 0)
            for beginning in self.asked.begins:
                found |= self.asked.bits[beginning] if term.startswith(beginning) else 0
        return found

    def _line(self, held: Sequence[int], at: int, line: str, head: int) -> float:
        """What the call says already, as the path above a file's lines, tells less of a line."""
        if not held[at]:
            return 0.0
        beside = held[at + 1] if at + 1 < len(held) else 0
        own = self.worth.of(held[at] & ~head) + _OF_CALLED * self.worth.of(held[at] & head)
        own += _OF_NEXT_LINE * self.worth.of(beside & ~held[at] & ~head)
        kind = _OF_KIND * kinds.weight(without_number(line))
        return _OF_LINE * own / self.worth.all + kind

    def _pairs(self, line: str) -> float:
        if not self.asked.pairs:
            return 0.0
        row = [part for token in tokens(line) for part in parts(token)]
        return len(self.asked.pairs & set(itertools.pairwise(row))) / len(self.asked.pairs)


def telling(step: Kept, place: Spot) -> Found:
    """Of a passage that holds no words to go by: the lines that say most by themselves."""
    lines = _lines(step, place)
    written = [at for at, line in enumerate(lines) if line.strip()] or [0]
    order = sorted(written, key=lambda at: -kinds.weight(without_number(lines[at])))
    shown = tuple((place.first + at + 1, lines[at]) for at in sorted(order[:_MOST_LINES]))
    return Found(step.number, place.part, shown, lines[order[0]].strip())


def _lines(step: Kept, place: Spot) -> list[str]:
    lines = step.text(place.part).split("\n")[place.first : place.first + LINES]
    return [line[:_LONGEST] for line in lines]


def _shown(
    worths: Sequence[float], held: Sequence[int], best: int, failure: int | None
) -> list[int]:
    """The best line, how it failed there, others that hold something, what stands beside."""
    holding = [at for at in range(len(worths)) if held[at]]
    order = [best, *([] if failure is None else [failure])]
    order += [*sorted(holding, key=lambda at: -worths[at])]
    order += [at for at in (best + 1, best - 1) if 0 <= at < len(worths)]
    return sorted(list(dict.fromkeys(order))[:_MOST_LINES])
