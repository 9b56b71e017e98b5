"""Names of files and symbols in a text; ordinary words are none."""

from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.text.names import main_names


@given(st.text(), st.integers(0, 5))
def test_names_stand_in_the_text(text: str, most: int) -> None:
    found = main_names(text, most)
    assert len(found) <= most
    assert all(name in text for name in found)
