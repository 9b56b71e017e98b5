"""Ages as they are shown and asked for."""

from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.text.counted import read_age, write_age


@given(st.integers(0, 10**8))
def test_what_is_shown_is_no_older_than_it_is(seconds: int) -> None:
    assert (read_age(write_age(seconds)) or 0) <= seconds
