from typing import Any

import pytest
from check_rows import table_of

from react_agent.parsers.claims.spelling import Looser, alone, looser, misspelled

WORD = Looser(
    "with one letter of word changed",
    r"(?:\w?ord|w\word|owrd|w\w?rd|wo\wrd|wrod|wo\w?d|wor\wd|wodr|wor\w?|word\w)",
)


CASE = "ignoring case"


@table_of(
    ("pattern", "expected"),
    {
        "camel case": (
            "parseHTTPDate",
            [
                (CASE, "parseHTTPDate"),
                (
                    "spelled parse_http_date, parseHttpDate or parse-http-date",
                    "parse[-_ ]?http[-_ ]?date",
                ),
                ("its words in this order", "parse.*http.*date"),
            ],
        ),
        "a word with other letters": ("Köln", [(CASE, "Köln")]),
        "quotes": (
            '"foo"',
            [(CASE, '"foo"'), ("without the quotes and the space around it", "foo")],
        ),
        "basic regular expression": (
            r"a\|b",
            [
                (CASE, r"a\|b"),
                (r"with \| ( and ) as operators", "a|b"),
                ("as plain text", r"a\|b", True),
                ("its words in this order", "a.*b"),
            ],
        ),
        "space around it": (
            " f(",
            [
                (CASE, " f("),
                ("without the quotes and the space around it", "f("),
                ("as plain text", "f(", True),
            ],
        ),
    },
)
def test_the_nearest_patterns_come_first(pattern: str, expected: list[tuple[Any, ...]]) -> None:
    assert list(looser(pattern)) == [Looser(*row) for row in expected]


@table_of(
    ("pattern", "expected"),
    [
        pytest.param("größe_x", [], id="not ASCII"),
        pytest.param("(import|from) word", [WORD], id="beside words of a language"),
        pytest.param("parse_date units", [], id="one of several"),
    ],
)
def test_a_name_may_have_one_wrong_letter(pattern: str, expected: list[Looser]) -> None:
    assert list(misspelled(pattern)) == expected


@table_of(
    ("pattern", "expected"),
    [
        pytest.param("def word", [Looser("word alone", "word")], id="what stands around it"),
        pytest.param("word", [], id="nothing around it"),
        pytest.param("def abc", [], id="too short"),
    ],
)
def test_a_name_may_stand_otherwise(pattern: str, expected: list[Looser]) -> None:
    assert list(alone(pattern)) == expected
