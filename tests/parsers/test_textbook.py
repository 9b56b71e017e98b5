"""Arithmetic as people and models write it."""

import contextlib
import math
import time

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.text.textbook import calculated, read_fact_file


def test_names_what_it_knows() -> None:
    with pytest.raises(ParseError, match=r"^expected one of sqrt, .*, e, found '__import__'"):
        calculated("__import__(os)")


@table_of(
    ("text", "message"),
    [
        ("1/0", "division by zero"),
        ("sqrt(-1)", "sqrt(-1) is not a number"),
        ("(-8)^0.5", "a negative number can't be raised to this power"),
        ("1e308 * 10", "the result is too large for a number"),
        ("9^9^9", "a power of more than 10000 bits is not computed"),
    ],
)
def test_what_is_no_number(text: str, message: str) -> None:
    began = time.monotonic()
    with pytest.raises(ParseError) as caught:
        calculated(text)
    assert str(caught.value) == message
    assert time.monotonic() - began < 1


@given(st.text(alphabet="0123456789.+-*/%^(),e sqrtlogmax", max_size=60))
def test_any_text_comes_to_something(text: str) -> None:
    with contextlib.suppress(ParseError):
        assert math.isfinite(calculated(text))


@given(st.integers(-(10**9), 10**9), st.integers(1, 10**6), st.sampled_from("+-*%"))
def test_whole_numbers_are_exact(one: int, other: int, sign: str) -> None:
    sums = {"+": one + other, "-": one - other, "*": one * other, "%": one % other}
    assert calculated(f"({one}) {sign} {other}") == sums[sign]


def test_reads_entries() -> None:
    text = "# no entry\nOne | First\nof all\n# nor this\nand more\n\n\nTwo\n"
    assert [(entry.titles, entry.text) for entry in read_fact_file(text)] == [
        (("One", "First"), "of all\nand more"),
        (("Two",), ""),
    ]
