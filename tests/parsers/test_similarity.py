"""Calls that are only written otherwise, and edits of one place."""

from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.repo.similarity import (
    is_same_call,
    is_same_place,
    loose_words,
    searched_words,
)


@given(st.text())
def test_any_text_can_be_compared(text: str) -> None:
    assert is_same_call(loose_words(text), loose_words(text)) is bool(loose_words(text))
    is_same_place(text, text)
    searched_words(text)
