"""How far a rate can be trusted."""

from collections.abc import Sequence
from math import comb, sqrt
from typing import NamedTuple

from react_agent.errors import ReactAgentError

Z = 1.959964  # standard deviations on either side that hold 95 %


class EmptyScore(ReactAgentError):
    """Nothing was judged: that is not 0 %."""


class Group(NamedTuple):
    """The judged tries of one instance: they are no independent witnesses."""

    resolved: int
    tries: int


def wilson(resolved: float, tried: float) -> tuple[float, float]:
    """The 95 % score interval of a rate; a mean of shares is one, too, on the safe side."""
    if tried <= 0:
        raise EmptyScore("nothing was judged: there is no rate")
    rate, square = resolved / tried, Z * Z / tried
    middle = (rate + square / 2) / (1 + square)
    reach = Z * sqrt(rate * (1 - rate) / tried + square / (4 * tried)) / (1 + square)
    low = 0.0 if resolved == 0 else middle - reach  # and not -1e-17
    high = 1.0 if resolved == tried else middle + reach
    return max(low, 0.0), min(high, 1.0)


def rate(groups: Sequence[Group]) -> float:
    tried = sum(one.tries for one in groups)
    if tried == 0:
        raise EmptyScore("nothing was judged: there is no rate")
    return sum(one.resolved for one in groups) / tried


def independent(groups: Sequence[Group]) -> float:
    """As how many independent attempts these count: as all of them where each is the only try."""
    share, tried = rate(groups), sum(one.tries for one in groups)
    judged = [one for one in groups if one.tries]
    if len(judged) == tried:
        return tried
    between = sum((one.resolved - one.tries * share) ** 2 for one in judged)
    if share in (0, 1) or len(judged) == 1:  # nothing says that more tries tell more
        return len(judged)
    spread = between * len(judged) / (len(judged) - 1) / tried**2
    return min(max(share * (1 - share) / spread, 1.0), tried) if spread else tried


def clustered(groups: Sequence[Group]) -> tuple[float, float]:
    """Wilson's interval, no narrower than the tries of the same instances allow."""
    count = independent(groups)
    return wilson(rate(groups) * count, count)


def pass_at(k: int, group: Group) -> float:
    """How likely one of k tries resolves it: the unbiased estimate from k tries or more."""
    if not 1 <= k <= group.tries:
        raise EmptyScore(f"pass@{k} needs {k} judged tries, and there are {group.tries}")
    return 1 - comb(group.tries - group.resolved, k) / comb(group.tries, k)
