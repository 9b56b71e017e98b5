"""The same as difflib says."""

from difflib import SequenceMatcher

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.patch.placing.alignment import ratio

texts = st.text("ab c(", max_size=24)


@given(texts, texts, st.sampled_from([0.0, 0.5, 0.6, 1.0]))
def test_is_what_difflib_says(one: str, other: str, least: float) -> None:
    said = SequenceMatcher(None, one, other, autojunk=False).ratio()
    assert ratio(one, other, least) == (said if said >= least else 0.0)


@table_of(
    ("one", "other", "expected"),
    [
        pytest.param("", "", 1.0, id="both empty"),
        pytest.param("", "x", 0.0, id="one empty"),
        pytest.param("total", "totel", 0.8, id="a letter"),
        pytest.param("abcd", "dcba", 0.0, id="too little in order"),
    ],
)
def test_of_two_lines(one: str, other: str, expected: float) -> None:
    assert ratio(one, other, 0.6) == expected
