"""Find passages by meaning, using vectors from an embedding endpoint.

A search requests the missing vectors, the newest first, as many as time allows. The vectors are
kept in memory during the run. If the endpoint fails, the search falls back to words.
"""

import heapq
import itertools
from array import array
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from operator import mul

from react_agent.errors import ModelError
from react_agent.memory.index import Memory, place_of
from react_agent.models.contract import Embedder, Usage

_SECONDS = 5.0  # time limit of one search
COMPARED = 2000  # passages, the newest
BATCH = 32  # texts of a request: some servers take no more
_LONGEST = 2000  # characters of a text
_STEPS = 5  # steps in a result
_MOST_FAILURES = 3  # failures before embeddings are given up


@dataclass(slots=True)
class Embeddings:
    embedder: Embedder
    clock: Callable[[], float]
    tell: Callable[[str], None]
    seconds: float = _SECONDS
    failures: int = 0
    paid: list[Usage] = field(default_factory=list)  # what is not charged yet
    vectors: dict[int, bytes] = field(default_factory=dict)  # by the numbers of passages

    def nearest(self, memory: Memory, query: str, hidden: Collection[int]) -> list[int]:
        """Return the most similar passages, best first, at most one per step."""
        if self.failures >= _MOST_FAILURES or not any(map(str.isalpha, query)):
            return []
        texts = dict(itertools.islice(memory.newest_passages(hidden), COMPARED))
        asked = b""
        try:
            asked = self._embed(query, texts) if texts else b""
        except ModelError as error:
            self.failures += 1
            if self.failures == 1:
                self.tell(f"recall searches by words only, without embeddings: {error}")
        return _nearest(asked, {at: self.vectors[at] for at in texts if at in self.vectors})

    def charged(self) -> dict[str, str]:
        """Return the usage and cost since the last call of this method, as facts for a step."""
        paid, self.paid = self.paid, []
        if not paid:
            return {}
        facts = {"for": "embed", "in": str(sum(usage.prompt for usage in paid))}
        facts |= {"estimated": "yes"} if any(usage.is_estimate for usage in paid) else {}
        costs = [usage.cost for usage in paid if usage.cost is not None]
        return facts | {"cost": f"{sum(costs):.6f}"} if costs else facts

    def _embed(self, query: str, texts: Mapping[int, str]) -> bytes:
        """Return the query's vector, and store as many missing vectors of texts as time allows."""
        missing = [at for at in texts if at not in self.vectors]
        wanted = [text[:_LONGEST] for text in (query, *(texts[at] for at in missing))]
        until, vectors, left = self.clock() + self.seconds, list[bytes](), self.seconds
        while len(vectors) < len(wanted) and left > 0:
            made = self.embedder(wanted[len(vectors) : len(vectors) + BATCH], left)
            self.paid.append(made.usage)
            vectors += made.vectors
            self.vectors |= zip(missing, vectors[1:], strict=False)
            left = until - self.clock()
        return vectors[0]


def _nearest(asked: bytes, vectors: Mapping[int, bytes]) -> list[int]:
    wanted = array("f", asked)
    rated = ((sum(map(mul, wanted, array("f", one))), number) for number, one in vectors.items())
    best = dict[int, int]()
    for similarity, number in heapq.nlargest(_STEPS * 3, rated):
        if similarity > 0:
            best.setdefault(place_of(number)[0], number)
    return list(best.values())[:_STEPS]
