"""A critic's answer in the ways that models give it."""

import pytest
from check_rows import table_of

from react_agent.parsers.answers.labelled import Criticism, read_criticism


@table_of(
    ("text", "expected"),
    [
        pytest.param("**Step:** 4.\n**Reason:** too early", Criticism(4, "too early"), id="bold"),
        pytest.param("step #7:\nreason - a guess", Criticism(7, "a guess"), id="sloppy"),
        pytest.param("Step: step 5\nReason:\nnext line", Criticism(5, "next line"), id="below"),
        pytest.param("Step: 9", Criticism(9), id="no reason"),
        pytest.param("Step: four\nReason: x", None, id="a word"),
    ],
)
def test_reads_an_answer(text: str, expected: Criticism | None) -> None:
    assert read_criticism(text) == expected
