"""Sentences of a Thought that deny something, and many more that only look so."""

from pathlib import Path

import pytest
from check_rows import EachRow, table_of

from react_agent.parsers.claims.claims import claims

LINES = (Path(__file__).parents[2] / "data" / "claims.txt").read_text().splitlines()
MADE = [line[2:].split(" | ", 2) for line in LINES if line.startswith("+ ")]
NOT_MADE = [line[2:] for line in LINES if line.startswith("- ")]
SEARCHED = (("normalise", "normalise"),)


def test_claims_are_found(each_row: EachRow) -> None:
    def check(row: list[str]) -> None:
        *expected, sentence = row
        found = claims(sentence, SEARCHED)
        shown = [[" ".join(one.names) or "?", one.place or "*"] for one in found]
        assert shown[:1] == [expected]

    each_row([(row[2], row) for row in MADE], check)


def test_other_sentences_are_no_claims(each_row: EachRow) -> None:
    def check(sentence: str) -> None:
        assert claims(sentence, SEARCHED) == ()

    each_row([(sentence, sentence) for sentence in NOT_MADE], check)


def test_there_are_many_of_both() -> None:
    assert len(MADE) >= 60
    assert len(NOT_MADE) >= 75


@table_of(
    "text",
    [
        pytest.param("```\nparse_date does not exist\n```", id="a code block"),
        pytest.param("> parse_date does not exist", id="a quoted line"),
        pytest.param("", id="nothing"),
        pytest.param("I read dates.py and then the tests.", id="nothing is denied"),
    ],
)
def test_what_is_not_said_by_the_model_is_no_claim(text: str) -> None:
    assert claims(text) == ()


def test_each_sentence_has_its_own() -> None:
    text = "There is no parse_date. I look on. And dates.py does not exist either."
    assert [claim.names for claim in claims(text)] == [("parse_date",), ("dates.py",)]


def test_a_word_that_was_searched_for_is_a_name() -> None:
    (claim,) = claims("Castling rights aren't tracked.", (("castling rights", "castling_rights"),))
    assert (claim.names, claim.is_plain) == (("castling_rights",), True)
