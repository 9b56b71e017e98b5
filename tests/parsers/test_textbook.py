"""Arithmetic as people and models write it."""

import contextlib
import math
import time
from pathlib import Path

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent import tools
from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.text.textbook import calculated, nearest, read_fact_file, written

SHIPPED = Path(tools.__path__[0], "facts.txt").read_text(encoding="utf-8")


@table_of(
    ("text", "result"),
    [
        ("29 ** 0.23 =", "2.169459462491557"),
        ("2^3^2", "512"),
        ("-2^2", "-4"),
        ("7 // 2 + 7 % 2", "4"),
        ("6 ÷ 3 × 2 − 1", "3"),
        ("1_000 * 1e3", "1000000"),
        ("sqrt(16) + √(9)", "7"),
        ("SQRT(2.25)", "1.5"),
        ("+".join("1" * 500), "500"),
    ],
)
def test_works_out(text: str, result: str) -> None:
    assert written(calculated(text)) == result


@table_of(
    ("text", "message"),
    [
        ("1 + * 2", "expected a sum such as 2 * (3 + 4), found '1 + * 2'"),
        ("2, 3", "expected a sum such as 2 * (3 + 4), found '(2, 3)'"),
        ("e.real", "expected a sum such as 2 * (3 + 4), found 'e.real'"),
        ("2 & 3", "expected a sum such as 2 * (3 + 4), found '2 & 3'"),
        ("sqrt(1, 2)", "expected a sum such as 2 * (3 + 4), found 'sqrt(1, 2)'"),
        ("__import__(os)", "expected a sum such as 2 * (3 + 4), found '__import__(os)'"),
        ("9" * 1001, "expected at most 1000 characters, found 1001"),
        ("-" * 999 + "1", f"expected a sum such as 2 * (3 + 4), found '{'-' * 60}'"),
    ],
)
def test_says_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        calculated(text)
    assert str(caught.value) == message


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


@table_of(
    ("question", "title"),
    [
        ("Who is Olivia Wilde's boyfriend?", "Olivia Wilde"),
        ("Who won the Eurovision Song Contest in 2021?", "Eurovision 2021"),
        ("Cockburn, Olivia Jane", "Olivia Wilde"),
        ("Måneskin", "Eurovision 2021"),
        ("population of Atlantis", None),
        ("python snakes in zoos of Atlantis", "Python"),
        ("", None),
    ],
)
def test_finds_the_nearest(question: str, title: str | None) -> None:
    found = nearest(question, read_fact_file(SHIPPED))
    assert (found[0].title if found else None) == title
