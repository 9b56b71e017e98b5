"""What a role said, without the marks of a script."""

from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.answers.speech import process


@given(st.text(), st.lists(st.text(max_size=5), max_size=3))
def test_never_leaves_nothing_of_something(text: str, names: list[str]) -> None:
    assert bool(process(text, names, names)) == bool(text.strip())
