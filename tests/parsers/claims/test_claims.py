"""Sentences of a Thought that deny something, and many more that only look so."""

from pathlib import Path

import pytest
from check_rows import EachRow, table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.claims.claims import claims, vague_claim

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


DENIALS = [
    ("I see, the shop doesn't have a vat module. I correct the cart.", "module"),
    ("None of them is around. I make one.", ""),
    ("No retry of any kind.", ""),
    ("There isn't any code for a connection that drops, so I write it.", ""),
    ("OK. Such a helper was never written.", "helper"),
    ("Strange, the class is missing. Then I define it.", "class"),
    ("So the project lacks an uploader; I add one.", ""),
]
NO_DENIALS = [
    "It is there. I read it.",
    "Is there no such module?",
    "If there is no such module, I write one.",
    "There is no need to look further.",
    "No other file has it; this is the one.",
    "No test fails any more.",
    "There are no errors now.",
    "Nothing in src/ does that, I look in lib.",
    "There's no cache in this class.",
    "There is nothing else to do.",
    "The issue says the module is missing.",
    "Maybe it is not there at all.",
    "I make sure that no such file exists.",
    "I was wrong: it is not missing.",
]


@pytest.mark.parametrize(("thought", "kind"), DENIALS, ids=[row[0][:30] for row in DENIALS])
def test_a_denial(thought: str, kind: str) -> None:
    claim = vague_claim(thought)
    assert claim is not None
    assert (claim.names, claim.kind, claim.place) == ((), kind, "")


@table_of("thought", NO_DENIALS)
def test_no_denial(thought: str) -> None:
    assert vague_claim(thought) is None


@given(st.text())
def test_any_text(text: str) -> None:
    claim = vague_claim(text)
    assert claim is None or claim.names == ()
