"""The same as difflib says."""

from difflib import SequenceMatcher

from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.patch.placing.alignment import ratio

texts = st.text("ab c(", max_size=24)


@given(texts, texts, st.sampled_from([0.0, 0.5, 0.6, 1.0]))
def test_is_what_difflib_says(one: str, other: str, least: float) -> None:
    said = SequenceMatcher(None, one, other, autojunk=False).ratio()
    assert ratio(one, other, least) == (said if said >= least else 0.0)
