"""What a search looks for and where, in every way of writing it."""

from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.values.arguments import Unreadable
from react_agent.parsers.values.searches import searches


@given(st.text(st.sampled_from("-rneg \"'a/.:=|path\n")))
def test_as_it_is_written_is_always_a_reading(text: str) -> None:
    found = searches(text, lambda word: "a" in word)
    assert isinstance(found, Unreadable) or not any(one[-1].repaired for one in found)
