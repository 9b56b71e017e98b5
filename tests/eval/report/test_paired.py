"""Two arms on the same instances."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent.eval.report.statistics import Pair, by_chance, difference, difference_interval

single = st.lists(st.builds(Pair, st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=20)
several = st.lists(
    st.integers(1, 4).flatmap(
        lambda n: st.builds(Pair, st.integers(0, n), st.integers(0, n), st.just(n))
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=30)
@given(several)
def test_an_interval_holds_its_difference_and_the_other_way_round_is_the_mirror(
    pairs: list[Pair],
) -> None:
    low, high = difference_interval(pairs)
    assert -1 <= low <= difference(pairs) + 1e-12
    assert difference(pairs) - 1e-12 <= high <= 1
    swapped = [Pair(one.second, one.first, one.tries) for one in pairs]
    assert difference_interval(swapped) == pytest.approx((-high, -low))
    assert by_chance(swapped) == by_chance(pairs)


@settings(max_examples=30)
@given(single)
def test_with_one_try_swapping_is_mcnemar(pairs: list[Pair]) -> None:
    """Flips as tosses of a coin, by the textbook."""
    won = sum(one.second > one.first for one in pairs)
    lost = sum(one.second < one.first for one in pairs)
    tail = sum(math.comb(won + lost, number) for number in range(min(won, lost) + 1))
    assert by_chance(pairs) == pytest.approx(min(1.0, 2 * tail / (1 << won + lost)))
