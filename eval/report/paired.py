"""Two arms on the same instances: how large a difference is, and whether it may be chance."""

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from react_agent.eval.report.intervals import Group, clustered, rate


class Pair(NamedTuple):
    """An instance: of the tries that were judged in both arms, how many resolved it in each."""

    first: int
    second: int
    tries: int = 1


def sides_of(pairs: Sequence[Pair]) -> tuple[list[Group], list[Group]]:
    return (
        [Group(one.first, one.tries) for one in pairs],
        [Group(one.second, one.tries) for one in pairs],
    )


def difference(pairs: Sequence[Pair]) -> float:
    """How much higher the rate of the second is."""
    first, second = sides_of(pairs)
    return rate(second) - rate(first)


def difference_interval(pairs: Sequence[Pair]) -> tuple[float, float]:
    """Newcombe's of 1998 (his tenth method): the scores of both sides and how they go together."""
    first, second = sides_of(pairs)
    (low1, high1), (low2, high2) = clustered(first), clustered(second)
    one, other, together = rate(first), rate(second), _correlation(pairs)
    down = _reach(other - low2, high1 - one, together)
    up = _reach(high2 - other, one - low1, together)
    return max(other - one - down, -1.0), min(other - one + up, 1.0)


def by_chance(pairs: Sequence[Pair]) -> float:
    """How likely so large a difference is, were it a coin's choice which arm is which, by instance.

    Where each has one try this is McNemar's exact test.
    """
    steps = [abs(one.second - one.first) for one in pairs if one.second != one.first]
    ways = Counter({0: 1})
    for step in steps:
        up = Counter({total + step: times for total, times in ways.items()})
        ways = up + Counter({total - step: times for total, times in ways.items()})
    seen = abs(sum(one.second - one.first for one in pairs))
    return sum(times for total, times in ways.items() if abs(total) >= seen) / (1 << len(steps))


def holm(chances: Sequence[float]) -> list[float]:
    """The same, for that many questions asked at once: one of them is small by luck."""
    adjusted, least = [0.0] * len(chances), 0.0
    for rank, number in enumerate(sorted(range(len(chances)), key=lambda each: chances[each])):
        least = max(least, min(1.0, chances[number] * (len(chances) - rank)))
        adjusted[number] = least
    return adjusted


def _reach(one: float, other: float, together: float) -> float:
    return sqrt(max(one**2 - 2 * together * one * other + other**2, 0.0))


def _correlation(pairs: Sequence[Pair]) -> float:
    """With Newcombe's correction, that takes some of it away where it is positive."""
    first, second = (rate(side) for side in sides_of(pairs))
    apart = [(one.first - one.tries * first, one.second - one.tries * second) for one in pairs]
    spread = sqrt(sum(one * one for one, _ in apart) * sum(other * other for _, other in apart))
    if spread == 0:
        return 0.0
    shared = sum(one * other for one, other in apart)
    return max(shared - 0.5, 0.0) / spread if shared > 0 else shared / spread
