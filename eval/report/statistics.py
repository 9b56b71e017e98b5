"""Rates, their confidence intervals, and significance tests of differences."""

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from react_agent.errors import ReactAgentError

Z = 1.959964  # standard deviations on either side that hold 95 %


class EmptyScore(ReactAgentError):
    """Nothing was judged, which is not the same as a rate of 0 %."""


class Group(NamedTuple):
    """The judged tries of one instance, which are not statistically independent."""

    resolved: int
    tries: int


def wilson(resolved: float, tried: float) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of a rate. It is conservative for a mean of rates."""
    rate, square = resolved / tried, Z * Z / tried
    middle = (rate + square / 2) / (1 + square)
    reach = Z * sqrt(rate * (1 - rate) / tried + square / (4 * tried)) / (1 + square)
    low = 0.0 if resolved == 0 else middle - reach  # and not -1e-17
    high = 1.0 if resolved == tried else middle + reach
    return max(low, 0.0), min(high, 1.0)


def rate(groups: Sequence[Group]) -> float:
    return sum(one.resolved for one in groups) / sum(one.tries for one in groups)


def independent(groups: Sequence[Group]) -> float:
    """Return the effective number of independent attempts, which is lower with several tries."""
    share, tried = rate(groups), sum(one.tries for one in groups)
    if len(groups) == tried:
        return tried
    between = sum((one.resolved - one.tries * share) ** 2 for one in groups)
    if share in (0, 1) or len(groups) == 1:  # no evidence that more tries add information
        return len(groups)
    spread = between * len(groups) / (len(groups) - 1) / tried**2
    return min(max(share * (1 - share) / spread, 1.0), tried) if spread else tried


def clustered(groups: Sequence[Group]) -> tuple[float, float]:
    """Return the Wilson interval, widened because tries of one instance are not independent."""
    count = independent(groups)
    return wilson(rate(groups) * count, count)


class Pair(NamedTuple):
    """An instance, and the number of resolved tries in each arm, among those judged in both."""

    first: int
    second: int
    tries: int = 1


def sides_of(pairs: Sequence[Pair]) -> tuple[list[Group], list[Group]]:
    return (
        [Group(one.first, one.tries) for one in pairs],
        [Group(one.second, one.tries) for one in pairs],
    )


def difference(pairs: Sequence[Pair]) -> float:
    """Return the second rate minus the first rate."""
    first, second = sides_of(pairs)
    return rate(second) - rate(first)


def difference_interval(pairs: Sequence[Pair]) -> tuple[float, float]:
    """Return Newcombe's interval (1998, method 10) from both score intervals and a correlation."""
    first, second = sides_of(pairs)
    (low1, high1), (low2, high2) = clustered(first), clustered(second)
    one, other, together = rate(first), rate(second), _correlation(pairs)
    down = _reach(other - low2, high1 - one, together)
    up = _reach(high2 - other, one - low1, together)
    return max(other - one - down, -1.0), min(other - one + up, 1.0)


def by_chance(pairs: Sequence[Pair]) -> float:
    """Return the p-value of the exact test that randomly swaps the two arms within each instance.

    With one try per instance, this is McNemar's exact test.
    """
    steps = [abs(one.second - one.first) for one in pairs if one.second != one.first]
    ways = Counter({0: 1})
    for step in steps:
        up = Counter({total + step: times for total, times in ways.items()})
        ways = up + Counter({total - step: times for total, times in ways.items()})
    seen = abs(sum(one.second - one.first for one in pairs))
    return sum(times for total, times in ways.items() if abs(total) >= seen) / (1 << len(steps))


def holm(chances: Sequence[float]) -> list[float]:
    """Return the p-values with Holm's correction for several tests at once."""
    adjusted, least = [0.0] * len(chances), 0.0
    for rank, number in enumerate(sorted(range(len(chances)), key=lambda each: chances[each])):
        least = max(least, min(1.0, chances[number] * (len(chances) - rank)))
        adjusted[number] = least
    return adjusted


def _reach(one: float, other: float, together: float) -> float:
    return sqrt(max(one**2 - 2 * together * one * other + other**2, 0.0))


def _correlation(pairs: Sequence[Pair]) -> float:
    """Return the correlation with Newcombe's correction, which reduces a positive correlation."""
    first, second = (rate(side) for side in sides_of(pairs))
    apart = [(one.first - one.tries * first, one.second - one.tries * second) for one in pairs]
    spread = sqrt(sum(one * one for one, _ in apart) * sum(other * other for _, other in apart))
    if spread == 0:
        return 0.0
    shared = sum(one * other for one, other in apart)
    return max(shared - 0.5, 0.0) / spread if shared > 0 else shared / spread
