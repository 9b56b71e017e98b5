import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.transcript.facts import (
    read_facts,
    read_list,
    read_numbers,
    write_facts,
    write_list,
    write_numbers,
)

names = st.text("abcdefgh_", min_size=1)
values = st.text() | st.text("% ,=\n2CA05", max_size=8)


@table_of(
    ("facts", "written"),
    [
        pytest.param({"a": "b\nc"}, "a=b%0Ac", id="line end"),
        pytest.param({"a": "100%"}, "a=100%25", id="percent"),
    ],
)
def test_facts_are_words(facts: dict[str, str], written: str) -> None:
    assert (write_facts(facts), read_facts(written)) == (written, facts)


@table_of(
    ("text", "facts"),
    [
        pytest.param("at noon n=3  , x", {"n": "3"}, id="words for people"),
    ],
)
def test_skips_what_is_no_fact(text: str, facts: dict[str, str]) -> None:
    assert read_facts(text) == facts


@table_of(
    ("members", "written"),
    [
        pytest.param((), "", id="none"),
        pytest.param(("a,b", "c%2C"), "a%2Cb,c%252C", id="commas"),
    ],
)
def test_lists_are_joined_by_commas(members: tuple[str, ...], written: str) -> None:
    assert (write_list(members), read_list(written)) == (written, members)


@given(st.dictionaries(names, values))
def test_reads_the_facts_it_writes(facts: dict[str, str]) -> None:
    assert read_facts(write_facts(facts)) == facts


@given(st.lists(values.filter(bool)).map(tuple))
def test_reads_the_list_it_writes(members: tuple[str, ...]) -> None:
    assert read_list(write_list(members)) == members
    assert read_facts(write_facts({"x": write_list(members)})) == {"x": write_list(members)}


@table_of(
    ("numbers", "written"),
    [
        pytest.param((5, 2, 3, 9, 8), "2-3,5,8-9", id="in any order"),
    ],
)
def test_runs_of_numbers_are_written_short(numbers: tuple[int, ...], written: str) -> None:
    assert write_numbers(numbers) == written


@table_of(
    ("text", "numbers"),
    [
        pytest.param("2-4,7", (2, 3, 4, 7), id="as written"),
        pytest.param(" 7 , 2 ", (2, 7), id="with blanks, in any order"),
    ],
)
def test_reads_what_there_is(text: str, numbers: tuple[int, ...]) -> None:
    assert read_numbers(text, 9) == numbers


@given(st.sets(st.integers(1, 60)))
def test_reads_the_numbers_it_writes(numbers: set[int]) -> None:
    assert read_numbers(write_numbers(numbers), 60) == tuple(sorted(numbers))


@given(st.text("0123456789-,x ²", max_size=30), st.integers(0, 40))
def test_any_text_names_some_steps_or_none(text: str, most: int) -> None:
    assert set(read_numbers(text, most)) <= set(range(1, most + 1))
