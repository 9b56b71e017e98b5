"""Which two names are likely one, and which are near by design."""

import pytest
from check_rows import table_of

from react_agent.parsers.claims.spelling import is_part, is_restyled, misspelled_words


@table_of(
    ("written", "name", "word"),
    [
        pytest.param("prase_date", "parse_date", "prase", id="turned around"),
        pytest.param("get_color", "get_colour", "color", id="left out"),
        pytest.param("normalizeZone", "normalise_zone", "normalize", id="z and s"),
        pytest.param("seperator_width", "separator_width", "seperator", id="a vowel"),
        pytest.param("connection_pool", "collection_pool", "", id="two other letters"),
        pytest.param("test_from", "test_form", "", id="a word too short"),
        pytest.param("parse_date", "parse_date", "", id="the same"),
    ],
)
def test_a_slip_of_the_pen(written: str, name: str, word: str) -> None:
    found = misspelled_words(written, name)
    assert (found[0] if found else "") == word


def test_another_style() -> None:
    styles = ["parseDate", "ParseDate", "PARSE_DATE", "parse-date"]
    others = ["parse_date", "parse_dates", "date_parse", "parser_date"]
    assert [name for name in (*styles, *others) if is_restyled("parse_date", name)] == styles


def test_words_side_by_side() -> None:
    name = "BackOffFor"
    parts = ("back", "off", "for", "backoff", "OffFor", "back_off_for")
    assert all(is_part(part, name) for part in parts)
    assert not any(is_part(part, name) for part in ("backfor", "ack", "offf"))
