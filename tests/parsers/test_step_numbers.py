import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.transcript.step_numbers import read_numbers, write_numbers


@table_of(
    ("numbers", "written"),
    [
        pytest.param((), "", id="none"),
        pytest.param((7,), "7", id="one"),
        pytest.param((1, 2, 3), "1-3", id="a run"),
        pytest.param((5, 2, 3, 9, 8), "2-3,5,8-9", id="in any order"),
        pytest.param((4, 4), "4", id="twice the same"),
    ],
)
def test_runs_of_numbers_are_written_short(numbers: tuple[int, ...], written: str) -> None:
    assert write_numbers(numbers) == written


@table_of(
    ("text", "numbers"),
    [
        pytest.param("2-4,7", (2, 3, 4, 7), id="as written"),
        pytest.param(" 7 , 2 ", (2, 7), id="with blanks, in any order"),
        pytest.param("0-2,9", (1, 2, 9), id="from 1"),
        pytest.param("8-99999", (8, 9), id="no further than there are steps"),
        pytest.param("1-999999999", tuple(range(1, 10)), id="a range without end"),
        pytest.param("5-3", (), id="backwards"),
        pytest.param("3,3,2-3", (2, 3), id="twice the same"),
        pytest.param("many,-3,2-,²,1e3,99999999999,", (), id="no numbers"),
        pytest.param("", (), id="nothing"),
    ],
)
def test_reads_what_there_is(text: str, numbers: tuple[int, ...]) -> None:
    assert read_numbers(text, 9) == numbers


@given(st.sets(st.integers(1, 60)))
def test_reads_back_what_it_writes(numbers: set[int]) -> None:
    assert read_numbers(write_numbers(numbers), 60) == tuple(sorted(numbers))


@given(st.text("0123456789-,x ²", max_size=30), st.integers(0, 40))
def test_any_text_names_some_steps_or_none(text: str, most: int) -> None:
    assert set(read_numbers(text, most)) <= set(range(1, most + 1))
