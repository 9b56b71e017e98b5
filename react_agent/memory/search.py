"""Search the steps of a run by words: find candidates by rare words, then rank them by their lines.

The score of a passage depends on its words, and on the words and the kind of its best line. A
definition, a value or an error scores higher than a mention. With embeddings, both result lists are
merged by the sum of 1 / (60 + rank).
"""

import heapq
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from react_agent.memory.embeddings import Embeddings
from react_agent.memory.index import (
    COMMON,
    LINES,
    Memory,
    head_of,
    lines_of,
    place_of,
    tokens,
    without_numbers,
    words,
    words_of,
)

_MOST = 10  # results
_MOST_OF_A_WORD = 700  # passages, however many hold it
_CANDIDATES = 30
_FAINT = 0.3  # share of the best score; a lower score is noise
_OF_LINE, _OF_KIND = 0.7, 0.1
_MOST_LINES = 4  # that are shown of a passage
_DAMPING = 60
_BELOW = 5  # lines of a traceback
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
FAILS, SETS = 0.9, 0.6


@dataclass(frozen=True, slots=True)
class Found:
    """A search result: the lines of a step that match a query best, numbered from 1."""

    step: int
    lines: tuple[tuple[int, str], ...]
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Hits:
    found: tuple[Found, ...]
    nowhere: tuple[str, ...] = ()  # words that no step holds
    above: tuple[int, ...] = ()  # hidden steps that hold some of the words


@dataclass(frozen=True, slots=True)
class Query:
    worth: Mapping[str, float]  # of each known word; the sum is 1
    nowhere: tuple[str, ...]  # as they were written

    def held(self, text: str) -> set[str]:
        return words(text) & self.worth.keys()

    def value(self, held: Iterable[str]) -> float:
        return sum(self.worth[word] for word in held)


def weight(line: str) -> float:
    """Return a score for the kind of a line: a definition, an error, a value or anything else."""
    if _FAILS.search(line):
        return FAILS
    if _DEFINES.match(line):
        return 1.0
    return SETS if _SETS.match(line) else 0.0


def failure_below(lines: Sequence[str], at: int) -> int | None:
    """Return the index of the error line at or just below line `at` of a traceback, or None."""
    below = range(at, min(at + _BELOW, len(lines)))
    return next((line for line in below if weight(lines[line]) == FAILS), None)


def query_for(memory: Memory, text: str) -> Query:
    """Return a query for a text. Rare words have a higher weight, and unknown words have none."""
    written = list(dict.fromkeys(tokens(text)))
    meant = [token for token in written if token.casefold() not in COMMON] or written
    held, nowhere = dict[str, None](), list[str]()
    for token in meant:
        found = [word for word in words_of(token) if word in memory.holding]
        nowhere += [] if found else [token]
        held |= dict.fromkeys(found)
    counts = {word: len(memory.holding[word]) for word in held}
    passages = max(memory.stored, 1) * 8  # about
    worth = {word: 1 + math.log(1 + passages / count) for word, count in counts.items()}
    total = sum(worth.values())
    return Query({word: one / total for word, one in worth.items()}, tuple(nowhere))


def search(
    memory: Memory,
    text: str,
    hidden: Collection[int],
    *,
    embeddings: Embeddings | None = None,
) -> Hits:
    """Search the steps that are not hidden, and return at most one result per step."""
    memory.catch_up()
    query = query_for(memory, text)
    rated = dict[int, float]()
    for word, worth in query.worth.items():
        for number in memory.newest(word, _MOST_OF_A_WORD):
            rated[number] = rated.get(number, 0.0) + worth
    best = dict[int, Found]()
    open_ones = ((score, at) for at, score in rated.items() if place_of(at)[0] not in hidden)
    for _, number in heapq.nlargest(_CANDIDATES, open_ones):
        found = _found(memory, query, number)
        if found.step not in best or best[found.step].score < found.score:
            best[found.step] = found
    ordered = sorted(best.values(), key=lambda one: (-one.score, -one.step))
    found_by_words = [one for one in ordered if one.score >= _FAINT * ordered[0].score]
    near = embeddings.nearest(memory, text, hidden) if embeddings else ()
    joined = _joined(found_by_words, [_found(memory, query, number) for number in near])
    above = {place_of(number)[0] for number in rated} & set(hidden)
    return Hits(tuple(joined[:_MOST]), query.nowhere, tuple(sorted(above)))


def _found(memory: Memory, query: Query, number: int) -> Found:
    at, first = place_of(number)
    step = memory.step(at)
    lines = lines_of(step)[first : first + LINES]
    head = query.held(head_of(step))
    bare = [without_numbers(line) for line in lines]
    held = [query.held(line) for line in bare]
    whole = set[str]().union(*held)
    worths = [
        _OF_LINE * query.value(own) + _OF_KIND * weight(line) if own or not whole else 0.0
        for line, own in zip(bare, held, strict=True)
    ]
    best = max(range(len(lines)), key=worths.__getitem__)
    score = query.value(whole | head) + worths[best]
    failure = failure_below(lines, best)
    order = [best, *([] if failure is None else [failure])]
    order += sorted((at for at in range(len(lines)) if held[at]), key=lambda at: -worths[at])
    order += [at for at in (best + 1, best - 1) if 0 <= at < len(lines)]
    shown = sorted(list(dict.fromkeys(order))[:_MOST_LINES])
    numbered = tuple((first + at + 1, lines[at]) for at in shown)
    return Found(step.number, numbered, score)


def _joined(by_words: Sequence[Found], by_meaning: Sequence[Found]) -> list[Found]:
    """Merge two result lists, with one result per step. Results found by words are preferred."""
    ranks = Counter[int]()
    for found in (by_words, by_meaning):
        ranks.update({one.step: 1 / (_DAMPING + rank) for rank, one in enumerate(found, 1)})
    every = {one.step: one for one in (*by_meaning, *by_words)}
    steps = dict.fromkeys(one.step for one in (*by_words, *by_meaning))
    return [every[step] for step in sorted(steps, key=lambda step: -ranks[step])]
