"""Rates and how far they can be trusted."""

import pytest
from check_rows import table_of
from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent.eval.report.statistics import Group, clustered, independent, rate, wilson

counts = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
groups = st.lists(
    st.integers(1, 6).flatmap(lambda n: st.builds(Group, st.integers(0, n), st.just(n))),
    min_size=1,
    max_size=8,
)


@table_of(
    ("resolved", "tried", "expected"),
    {
        "81 of 263": (81, 263, (0.2553, 0.3662)),
        "none of 20": (0, 20, (0.0, 0.1611)),
        "1 of 29": (1, 29, (0.0061, 0.1718)),
        "all of 20": (20, 20, (0.8389, 1.0)),
        "1 of 1": (1, 1, (0.2065, 1.0)),
    },
)
def test_wilson(resolved: int, tried: int, expected: tuple[float, float]) -> None:
    low, high = wilson(resolved, tried)
    assert (round(low, 4), round(high, 4)) == expected


@settings(max_examples=30)
@given(counts)
def test_an_interval_holds_its_rate_and_mirrors_that_of_failing(count: tuple[int, int]) -> None:
    (resolved, tried), (low, high) = count, wilson(*count)
    assert 0 <= low <= resolved / tried <= high <= 1
    assert low < high
    assert wilson(tried - resolved, tried) == pytest.approx((1 - high, 1 - low))
    single = [Group(int(number < resolved), 1) for number in range(tried)]
    assert clustered(single) == wilson(*count)


@table_of(
    ("tries", "expected"),
    {
        "always resolved: one witness each": ([Group(3, 3)] * 4, 4),
        "never": ([Group(0, 3)] * 4, 4),
        "the instances are alike": ([Group(1, 2)] * 4, 8),
        "the instance decides everything": ([Group(4, 4), Group(0, 4)], 1),
        "in between": ([Group(1, 2), Group(2, 2), Group(0, 2), Group(1, 2)], 6),
    },
)
def test_tries_of_one_instance_count_for_less(tries: list[Group], expected: float) -> None:
    assert independent(tries) == pytest.approx(expected)


@settings(max_examples=30)
@given(groups)
def test_tries_never_count_for_more_than_they_are(found: list[Group]) -> None:
    low, high = clustered(found)
    assert 1 <= independent(found) <= sum(one.tries for one in found)
    assert 0 <= low <= rate(found) + 1e-12 and rate(found) - 1e-12 <= high <= 1
