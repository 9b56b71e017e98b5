"""A critic's answer in the ways that models give it."""

import pytest
from check_rows import table_of

from react_agent.parsers.answers.labelled import Criticism, read_criticism


@table_of(
    ("text", "expected"),
    [
        pytest.param("Step: 4\nReason: too early", Criticism(4, "too early"), id="as asked"),
        pytest.param("**Step:** 4.\n**Reason:** too early", Criticism(4, "too early"), id="bold"),
        pytest.param(
            "Let me think.\n\nStep: 12\nReason: a guess\nGood luck!",
            Criticism(12, "a guess"),
            id="prose around",
        ),
        pytest.param("It is step 3, because it guessed.", Criticism(3, "it guessed."), id="prose"),
        pytest.param("step #7\nreason - a guess", Criticism(7, "a guess"), id="sloppy"),
        pytest.param("Step: step 5\nReason:\nnext line", Criticism(5, "next line"), id="below"),
        pytest.param("Step 2 led to step 5.\nStep: 2\nReason: x", Criticism(2, "x"), id="label"),
        pytest.param(
            "Step: 1\nReason: int.from_hex and __all__ are no methods",
            Criticism(1, "int.from_hex and __all__ are no methods"),
            id="names with underscores",
        ),
        pytest.param("_Step:_ 4\n__Reason__: a guess", Criticism(4, "a guess"), id="italics"),
        pytest.param("Step: 9", Criticism(9), id="no reason"),
        pytest.param("Step 2 or step 5, I think", None, id="two of them"),
        pytest.param("I can't tell.", None, id="none"),
        pytest.param("Step: four\nReason: x", None, id="a word"),
        pytest.param("", None, id="nothing"),
    ],
)
def test_reads_an_answer(text: str, expected: Criticism | None) -> None:
    assert read_criticism(text) == expected
