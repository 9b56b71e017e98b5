"""Sentences of a Thought that deny something, and many more that only look so."""

from pathlib import Path

from check_rows import EachRow

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
