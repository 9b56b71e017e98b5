"""Which commands a shell line runs, and the first that has another answer."""

from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.shell.line import commands


@given(st.lists(st.text(), min_size=1))
def test_a_quoted_line_is_read_as_its_words(words: list[str]) -> None:
    quoted = " ".join("'{}'".format(word.replace("'", "'\\''")) for word in ["x", *words])
    assert [one.words for one in commands(quoted)] == [["x", *words]]
