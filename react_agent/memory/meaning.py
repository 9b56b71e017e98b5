"""Passages that mean what is asked for, by vectors that an endpoint makes.

They are made when a search needs them, as many as there is time for, the newest first, and kept
beside the words; a file that is made again is without them. Where the endpoint fails, the search
has its words alone.
"""

import heapq
import itertools
from array import array
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import mul

from react_agent.errors import ModelError
from react_agent.models.contract import Embedder, Usage

_SECONDS = 5.0  # of one search
COMPARED = 2000  # passages, the newest
BATCH = 32  # texts of a request: some servers take no more
_LONGEST = 2000  # characters of a text
_STEPS = 5  # that are near
_MOST_FAILURES = 3  # of a run

Texts = Mapping[int, str]  # by the numbers of their passages


@dataclass(slots=True)
class Meaning:
    embedder: Embedder
    clock: Callable[[], float]
    tell: Callable[[str], None]
    seconds: float = _SECONDS
    failures: int = 0
    paid: list[Usage] = field(default_factory=list)  # and not charged yet

    def nearest(self, memory: Memory, query: str, hidden: Collection[int]) -> list[int]:
        """One passage a step, the nearest first; none where nothing can be told."""
        if self.failures >= _MOST_FAILURES or not any(map(str.isalpha, query)):
            return []
        texts = dict(itertools.islice(_newest(memory, hidden), COMPARED))
        if not texts:
            return []
        try:
            return _nearest(*self._vectors(memory, query[:_LONGEST], texts))
        except ModelError as error:
            self._failed(error)
            return []

    def charged(self) -> dict[str, str]:
        """What was paid since, as facts of a step."""
        paid, self.paid = self.paid, []
        if not paid:
            return {}
        facts = {"for": "embed", "in": str(sum(usage.prompt for usage in paid))}
        facts |= {"estimated": "yes"} if any(usage.is_estimate for usage in paid) else {}
        costs = [usage.cost for usage in paid if usage.cost is not None]
        return facts | {"cost": f"{sum(costs):.6f}"} if costs else facts

    def _vectors(self, memory: Memory, query: str, texts: Texts) -> tuple[bytes, dict[int, bytes]]:
        """Of what is asked, and of passages. Raises ModelError."""
        until = self.clock() + self.seconds
        known = vectors_kept(memory, self.embedder.name, min(texts))
        first = [number for number in texts if number not in known][: BATCH - 1]
        asked, *made = self._made([query, *(texts[number] for number in first)], self.seconds)
        known |= self._kept(memory, first, made)
        missing = [number for number in texts if len(known.get(number, b"")) != len(asked)]
        try:
            self._make(memory, missing, texts, known, until)
        except ModelError as error:
            self._failed(error)
        alike = (number for number in texts if len(known.get(number, b"")) == len(asked))
        return asked, {number: known[number] for number in alike}

    def _make(
        self,
        memory: Memory,
        missing: Sequence[int],
        texts: Texts,
        known: dict[int, bytes],
        until: float,
    ) -> None:
        """As many as there is time for. Raises ModelError."""
        for at in range(0, len(missing), BATCH):
            left, some = until - self.clock(), missing[at : at + BATCH]
            if left <= 0:
                return
            made = self._made([texts[number] for number in some], left)
            known |= self._kept(memory, some, made)

    def _made(self, texts: Sequence[str], seconds: float) -> tuple[bytes, ...]:
        made = self.embedder.embed(texts, seconds)
        self.paid.append(made.usage)
        return made.vectors

    def _kept(
        self, memory: Memory, numbers: Sequence[int], made: Sequence[bytes]
    ) -> dict[int, bytes]:
        vectors = dict(zip(numbers, made, strict=True))
        keep_vectors(memory, self.embedder.name, vectors)
        return vectors

    def _failed(self, error: ModelError) -> None:
        self.failures += 1
        if self.failures == 1:
            self.tell(f"recall goes by the words alone where there are no embeddings: {error}")


def _newest(memory: Memory, hidden: Collection[int]) -> Iterator[tuple[int, str]]:
    for number in range(memory.stored, 0, -1):
        step = None if number in hidden else memory.step(number)
        for place, text in passages(step) if step else ():
            if text.strip():
                yield place.number, text[:_LONGEST]


def _nearest(asked: bytes, vectors: Mapping[int, bytes]) -> list[int]:
    wanted = array("f", asked)
    rated = ((sum(map(mul, wanted, array("f", one))), number) for number, one in vectors.items())
    best: dict[int, int] = {}
    for similarity, number in heapq.nlargest(_STEPS * 3, rated):
        if similarity > 0:
            best.setdefault(number // PASSAGES_OF_A_STEP, number)
    return list(best.values())[:_STEPS]


def vectors_kept(memory: Memory, model: str, oldest: int) -> dict[int, bytes]:
    """Those of passages from that number on."""
    words = "SELECT passage, vector FROM meaning WHERE model = ? AND passage >= ?"
    return memory.tried(lambda: dict(memory.database.execute(words, (model, oldest)).fetchall()))


def keep_vectors(memory: Memory, model: str, vectors: Mapping[int, bytes]) -> None:
    rows = [(model, passage, vector) for passage, vector in vectors.items()]

    def keep() -> None:
        memory.database.execute("SAVEPOINT meaning")  # within what is not committed, or alone
        memory.database.executemany("INSERT OR REPLACE INTO meaning VALUES (?, ?, ?)", rows)
        memory.database.execute("RELEASE meaning")

    memory.tried(keep)
