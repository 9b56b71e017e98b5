"""Rates and how far they can be trusted."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent.eval.report.statistics import Group, clustered, independent, rate, wilson

counts = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
groups = st.lists(
    st.integers(1, 6).flatmap(lambda n: st.builds(Group, st.integers(0, n), st.just(n))),
    min_size=1,
    max_size=8,
)


@settings(max_examples=30)
@given(counts)
def test_an_interval_holds_its_rate_and_mirrors_that_of_failing(count: tuple[int, int]) -> None:
    (resolved, tried), (low, high) = count, wilson(*count)
    assert 0 <= low <= resolved / tried <= high <= 1
    assert low < high
    assert wilson(tried - resolved, tried) == pytest.approx((1 - high, 1 - low))
    single = [Group(int(number < resolved), 1) for number in range(tried)]
    assert clustered(single) == wilson(*count)


@settings(max_examples=30)
@given(groups)
def test_tries_never_count_for_more_than_they_are(found: list[Group]) -> None:
    low, high = clustered(found)
    assert 1 <= independent(found) <= sum(one.tries for one in found)
    assert 0 <= low <= rate(found) + 1e-12 and rate(found) - 1e-12 <= high <= 1
