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


@given(st.dictionaries(names, values))
def test_reads_the_facts_it_writes(facts: dict[str, str]) -> None:
    assert read_facts(write_facts(facts)) == facts


@given(st.lists(values.filter(bool)).map(tuple))
def test_reads_the_list_it_writes(members: tuple[str, ...]) -> None:
    assert read_list(write_list(members)) == members
    assert read_facts(write_facts({"x": write_list(members)})) == {"x": write_list(members)}


@given(st.sets(st.integers(1, 60)))
def test_reads_the_numbers_it_writes(numbers: set[int]) -> None:
    assert read_numbers(write_numbers(numbers), 60) == tuple(sorted(numbers))


@given(st.text("0123456789-,x ²", max_size=30), st.integers(0, 40))
def test_any_text_names_some_steps_or_none(text: str, most: int) -> None:
    assert set(read_numbers(text, most)) <= set(range(1, most + 1))
