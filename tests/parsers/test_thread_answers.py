"""What a Conclusion answers to the threads of a review, in the ways that models write it."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.answers.labelled import read_answers


@table_of(
    ("conclusion", "count", "expected"),
    [
        pytest.param("### Thread #1\n", 1, {1: "### Thread #1"}, id="a heading says nothing"),
        pytest.param("I changed\n1. a.py\n2. b.py\n3. c.py", 2, {}, id="a list of something else"),
        pytest.param("Thread 7: done\nThread 1: x", 2, {1: "x"}, id="one that there is not"),
    ],
)
def test_reads_answers(conclusion: str, count: int, expected: dict[int, str]) -> None:
    assert read_answers(conclusion, count) == expected


_LINE = st.text("ab .,", min_size=1).map(str.strip).filter(bool)


@given(st.dictionaries(st.integers(1, 9), _LINE, min_size=1))
def test_reads_back_what_it_writes(answers: dict[int, str]) -> None:
    written = "\n".join(f"Thread {number}: {text}" for number, text in answers.items())
    assert read_answers(written, 9) == answers


@given(st.text(), st.integers(1, 5))
def test_any_text_has_answers_or_none(text: str, count: int) -> None:
    assert set(read_answers(text, count)) <= set(range(1, count + 1))
