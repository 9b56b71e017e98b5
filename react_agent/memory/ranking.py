"""What is looked for, what each term is worth, and which passage and lines are meant.

A passage counts by the words it holds, by those that one of its lines holds, by words that stand
side by side as they were asked for, by what kind of line it is, and, a little, by its age. A
definition, a value or an error says more than a mention.
"""

import itertools
import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from react_agent.memory.passages import LINES, Kept, Part, Spot
from react_agent.memory.terms import COMMON, Terms, parts, tokens, without_number

_DEFINES = re.compile(
    r"\s*(?:export\s+|public\s+|async\s+|pub\s+)*"
    r"(?:def|class|func|function|fn|const|let|var|type|struct|interface|enum)\s+\w"
    r"|\s*[\w.\"'\[\]-]+\s*(?::\s*[\w\[\], .|\"']+)?=(?!=)\s*\S"
)
_FAILS = re.compile(
    r"\b[A-Z]\w*(?:Error|Exception|Warning|Failure)\b\s*:|^E\s{2,}\S|^(?:FAILED|FAIL|ERROR)\b"
    r"|\b(?:error|fatal|panic|failed)\b\s*:"
)
_SETS = re.compile(r"\s*[\"']?[\w.-]+[\"']?\s*[:=]\s*\S")
_BELOW = 5  # lines of a traceback
DEFINES, FAILS, SETS, MENTIONS = 1.0, 0.9, 0.6, 0.0


def weight(line: str) -> float:
    if _FAILS.search(line):
        return FAILS
    if _DEFINES.match(line):
        return DEFINES
    return SETS if _SETS.match(line) else MENTIONS


def failure_below(lines: Sequence[str], at: int) -> int | None:
    """What went wrong at a place that a traceback names."""
    below = range(at, min(at + _BELOW, len(lines)))
    return next((line for line in below if weight(lines[line]) == FAILS), None)


_MOST_TERMS = 24
_OF_A_PART = 0.5  # of a name, beside the name itself


@dataclass(frozen=True, slots=True)
class Asked:
    """Terms by their bit: what a line or a passage holds of them is one number."""

    bits: Mapping[str, int]
    shares: Mapping[str, float]  # what a term counts beside others
    words: Mapping[str, tuple[str, ...]]  # as they were written, with their terms
    pairs: frozenset[tuple[str, str]]  # terms that stand side by side
    begins: frozenset[str] = frozenset()  # terms that only begin what is looked for

    @property
    def terms(self) -> Collection[str]:
        return self.bits.keys()


def read_query(text: str, terms: Terms) -> Asked:
    written = list(dict.fromkeys(tokens(text)))
    meant = [word for word in written if word.casefold() not in COMMON] or written
    words = {word: own for word in meant if (own := terms.of_token(word))}
    shares: dict[str, float] = {}
    for own in words.values():
        for term in own:
            share = 1.0 if term == own[0] else _OF_A_PART
            shares[term] = max(share, shares.get(term, 0.0))
    kept = list(shares)[:_MOST_TERMS]
    bits = {term: 1 << at for at, term in enumerate(kept)}
    row = [part for word in tokens(text) if word.casefold() not in COMMON for part in parts(word)]
    pairs = frozenset(itertools.pairwise(row))
    return Asked(bits, {term: shares[term] for term in kept}, words, pairs)


@dataclass(frozen=True, slots=True)
class Worth:
    """Of what a passage holds: rare terms count for more."""

    of_bit: Mapping[int, float]
    all: float
    of_holding: dict[int, float] = field(default_factory=dict)  # worked out once for each

    def of(self, holding: int) -> float:
        known = self.of_holding.get(holding)
        if known is None:
            known = sum(worth for bit, worth in self.of_bit.items() if holding & bit)
            self.of_holding[holding] = known
        return known


def worth(asked: Asked, passages_with: Mapping[str, int], passages: int) -> Worth:
    """A term that nothing holds is worth nothing."""
    of_bit = {
        asked.bits[term]: asked.shares[term] * (1 + math.log(1 + passages / count))
        for term, count in passages_with.items()
        if count
    }
    return Worth(of_bit, sum(of_bit.values()) or 1.0)


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
        shown = _shown(worths, held, best, failure_below(lines, best))
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
        kind = _OF_KIND * weight(without_number(line))
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
    order = sorted(written, key=lambda at: -weight(without_number(lines[at])))
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
