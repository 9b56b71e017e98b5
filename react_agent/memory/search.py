"""Steps that answer a question in words: candidates by their rare terms, and then ranked.

However much there is, a term that too many passages hold brings the newest of them only, and those
that hold a rare one besides. Where vectors are made, what they find is joined: what holds all that
was asked for stays first, the rest is in the order of the sum of 1 / (60 + rank).
"""

import heapq
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from react_agent.memory.meaning import Meaning
from react_agent.memory.passages import MOST as PASSAGES_OF_A_STEP
from react_agent.memory.passages import Spot, spot
from react_agent.memory.ranking import Asked, Found, Judge, Worth, read_query, telling, worth
from react_agent.memory.store import Memory

_MOST = 10  # results
_MOST_OF_A_TERM = 700  # passages
_CANDIDATES = 30
_OF_ONE_STEP = 3
_OF_HEAD = 0.5
_FAINT = 0.3  # of the best score: what has less is noise
_USUAL = 8  # passages of a step
_SHORTEST_BEGINNING = 4


@dataclass(frozen=True, slots=True)
class Hits:
    found: tuple[Found, ...]
    nowhere: tuple[str, ...] = ()  # words that no step holds
    above: tuple[int, ...] = ()  # hidden steps that hold some of the words


@dataclass(frozen=True, slots=True)
class _Candidate:
    place: Spot
    head: int  # what the head of its step holds


def search(
    memory: Memory, query: str, hidden: Collection[int], now: int, *, meaning: Meaning | None = None
) -> Hits:
    """One result a step, none of the hidden ones; `now` is the number of the step to come."""
    memory.catch_up()
    hits = _by_words(memory, query, hidden, now)
    near = meaning.nearest(memory, query, hidden) if meaning else ()
    found = fused(hits.found, list(_telling(memory, near))) if near else hits.found
    return replace(hits, found=tuple(found[:_MOST]))


def _telling(memory: Memory, numbers: Iterable[int]) -> Iterator[Found]:
    for place in map(spot, numbers):
        if step := memory.step(place.step):
            yield telling(step, place)


def _by_words(memory: Memory, query: str, hidden: Collection[int], now: int) -> Hits:
    asked = read_query(query, memory.terms)
    held = {term: memory.holding(term, _MOST_OF_A_TERM) for term in asked.terms}
    asked = replace(asked, begins=_begins(asked, held))
    held |= {term: memory.beginning(term, _MOST_OF_A_TERM) for term in asked.begins}
    _add_common(memory, held)
    counts = {term: len(numbers) for term, numbers in held.items()}
    value = worth(asked, counts, _USUAL * max(memory.stored, 1))
    holding = _holding(asked, held)
    judge = Judge(asked, value, memory.terms, now)
    best: dict[int, Found] = {}
    for one in _candidates(holding, value, hidden):
        step = memory.step(one.place.step)
        found = judge.found(step, one.place, one.head) if step else None
        if found and (found.step not in best or best[found.step].score < found.score):
            best[found.step] = found
    return Hits(_ranked(best.values()), _nowhere(asked, counts), _above(holding, hidden))


def _ranked(found: Iterable[Found]) -> tuple[Found, ...]:
    """What says the same as a better one comes after all that says something else."""
    new, again, said = list[Found](), list[Found](), set[str]()
    ordered = sorted(found, key=lambda one: (-one.score, -one.step))
    for one in takewhile(lambda one: one.score >= _FAINT * ordered[0].score, ordered):
        (again if one.best in said else new).append(one)
        said.add(one.best)
    return (*new, *again)


def _begins(asked: Asked, held: Mapping[str, list[int]]) -> frozenset[str]:
    """Words that nothing holds: `config` may still be the beginning of one."""
    return frozenset(
        own[0]
        for own in asked.words.values()
        if own[0] in asked.bits
        and len(own[0]) >= _SHORTEST_BEGINNING
        and not any(held.get(term) for term in own)
    )


def _add_common(memory: Memory, held: dict[str, list[int]]) -> None:
    """Of a term that too many hold, those that hold a rare one as well."""
    rare = [term for term, numbers in held.items() if 0 < len(numbers) < _MOST_OF_A_TERM]
    for term, numbers in held.items():
        if rare and len(numbers) == _MOST_OF_A_TERM:
            both = memory.holding_both(rare, term, _MOST_OF_A_TERM)
            held[term] = [*numbers, *set(both).difference(numbers)]


def _holding(asked: Asked, held: Mapping[str, Iterable[int]]) -> dict[int, int]:
    """Of each passage, which terms it holds."""
    holding: dict[int, int] = {}
    for term, numbers in held.items():
        bit = asked.bits[term]
        for number in numbers:
            holding[number] = holding.get(number, 0) | bit
    return holding


def _candidates(
    holding: Mapping[int, int], value: Worth, hidden: Collection[int]
) -> Iterator[_Candidate]:
    """The best, and not too many of one step."""
    taken, left = dict[int, int](), _CANDIDATES
    best = heapq.nlargest(_CANDIDATES * _OF_ONE_STEP, _rated(holding, value, hidden))
    for _, number in best:
        place = spot(number)
        taken[place.step] = taken.get(place.step, 0) + 1
        if taken[place.step] <= _OF_ONE_STEP and left:
            left -= 1
            yield _Candidate(place, holding.get(place.step * PASSAGES_OF_A_STEP, 0))


def _rated(
    holding: Mapping[int, int], value: Worth, hidden: Collection[int]
) -> Iterator[tuple[float, int]]:
    """A passage with the head of its step; a head alone is worth less."""
    for number, own in holding.items():
        step, within = divmod(number, PASSAGES_OF_A_STEP)
        if step in hidden:
            continue
        if within:
            head = holding.get(number - within, 0) & ~own
            yield value.of(own) + _OF_HEAD * value.of(head) if head else value.of(own), number
        else:
            yield _OF_HEAD * value.of(own), number


def _nowhere(asked: Asked, counts: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(
        word for word, own in asked.words.items() if not any(counts.get(term) for term in own)
    )


def _above(holding: Iterable[int], hidden: Collection[int]) -> tuple[int, ...]:
    return tuple(sorted({number // PASSAGES_OF_A_STEP for number in holding} & set(hidden)))


_DAMPING = 60


def fused(by_words: Sequence[Found], by_meaning: Sequence[Found]) -> list[Found]:
    """One result a step: that of the words, where there is one."""
    exact = [found for found in by_words if found.holds_all]
    steps = {found.step for found in exact}
    ranks: dict[int, float] = {}
    for found in (by_words, by_meaning):
        for rank, one in enumerate(found, 1):
            ranks[one.step] = ranks.get(one.step, 0.0) + 1 / (_DAMPING + rank)
    others = {one.step: one for one in (*by_meaning, *by_words) if one.step not in steps}
    place = {one.step: at for at, one in enumerate((*by_words, *by_meaning))}
    return [*exact, *sorted(others.values(), key=lambda one: (-ranks[one.step], place[one.step]))]
