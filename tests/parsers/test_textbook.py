"""Arithmetic as people and models write it."""

import contextlib
import math

from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.text.textbook import calculated


@given(st.text(alphabet="0123456789.+-*/%^(),e sqrtlogmax", max_size=60))
def test_any_text_comes_to_something(text: str) -> None:
    with contextlib.suppress(ParseError):
        assert math.isfinite(calculated(text))


@given(st.integers(-(10**9), 10**9), st.integers(1, 10**6), st.sampled_from("+-*%"))
def test_whole_numbers_are_exact(one: int, other: int, sign: str) -> None:
    sums = {"+": one + other, "-": one - other, "*": one * other, "%": one % other}
    assert calculated(f"({one}) {sign} {other}") == sums[sign]
