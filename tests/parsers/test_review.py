"""What a reviewer answered."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.answers.labelled import Review, read_review


@table_of(
    ("text", "expected"),
    [
        pytest.param("best: Change 1", Review(1), id="with a word"),
        pytest.param("Change 2.", Review(2), id="a word and the number"),
        pytest.param("Best: 1 or 2", None, id="one or the other"),
        pytest.param("Best: 4", None, id="out of range"),
    ],
)
def test_reads(text: str, expected: Review | None) -> None:
    assert read_review(text, 3) == expected


@given(st.text())
def test_any_text_is_a_review_or_none(text: str) -> None:
    found = read_review(text, 3)
    assert found is None or 1 <= found.best <= 3
