"""What is looked for: terms, what each is worth, and which of them stand side by side."""

import itertools
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from react_agent.memory.terms import COMMON, Terms, parts, tokens

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
