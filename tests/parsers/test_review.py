"""What a reviewer answered."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.answers.labelled import Review, read_review


@table_of(
    ("text", "expected"),
    [
        pytest.param("Best: 2\nReason: it is whole", Review(2, "it is whole"), id="as asked"),
        pytest.param("**Best:** 2\n**Reason:** whole.", Review(2, "whole."), id="bold"),
        pytest.param("best: Change 1", Review(1), id="with a word"),
        pytest.param("Best is #2", Review(2), id="in a sentence"),
        pytest.param("I read all.\n\nBest: 3.\nReason: x", Review(3, "x"), id="prose before"),
        pytest.param("2", Review(2), id="the number alone"),
        pytest.param("Change 2.", Review(2), id="a word and the number"),
        pytest.param("Best: 1\nBest: 1", Review(1), id="twice the same"),
        pytest.param("Best: 1\nBest: 2", None, id="two"),
        pytest.param("Best: 1 or 2", None, id="one or the other"),
        pytest.param("Best: 4", None, id="out of range"),
        pytest.param("Best: 0", None, id="none"),
        pytest.param("Best: none", None, id="a word"),
        pytest.param("the second is best", None, id="no number"),
        pytest.param("", None, id="empty"),
    ],
)
def test_reads(text: str, expected: Review | None) -> None:
    assert read_review(text, 3) == expected


@given(st.text())
def test_any_text_is_a_review_or_none(text: str) -> None:
    found = read_review(text, 3)
    assert found is None or 1 <= found.best <= 3
