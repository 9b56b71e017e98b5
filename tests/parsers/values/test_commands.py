from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.values.commands import (
    words,
)


@given(st.text(st.sampled_from("-a \"'`\\,\n")))
def test_no_word_is_lost(line: str) -> None:
    assert all(word.text or word.quoted for word in words(line))
    assert (line.strip() == "") == (not list(words(line)))
