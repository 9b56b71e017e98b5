import pytest
from check_rows import table_of

from react_agent.parsers.claims.spelling import Looser, alone, looser, misspelled

WORD = Looser(
    "with one letter of word changed",
    r"(?:\w?ord|w\word|owrd|w\w?rd|wo\wrd|wrod|wo\w?d|wor\wd|wodr|wor\w?|word\w)",
)


@table_of(
    ("pattern", "expected"),
    {
        "camel case": (
            "parseHTTPDate",
            [
                Looser("ignoring case", "parseHTTPDate"),
                Looser(
                    "spelled parse_http_date, parseHttpDate or parse-http-date",
                    "parse[-_ ]?http[-_ ]?date",
                ),
                Looser("its words in this order", "parse.*http.*date"),
            ],
        ),
        "a word with other letters": ("Köln", [Looser("ignoring case", "Köln")]),
        "quotes": (
            '"foo"',
            [Looser("ignoring case", '"foo"'), Looser("without the quotes", "foo")],
        ),
        "basic regular expression": (
            r"a\|b",
            [
                Looser("ignoring case", r"a\|b"),
                Looser(r"with \| ( and ) as operators", "a|b"),
                Looser("as plain text", r"a\|b", plain=True),
                Looser("its words in this order", "a.*b"),
            ],
        ),
        "space around it": (
            " f(",
            [
                Looser("ignoring case", " f("),
                Looser("without the space around it", "f("),
                Looser("as plain text", "f(", plain=True),
            ],
        ),
    },
)
def test_the_nearest_patterns_come_first(pattern: str, expected: list[Looser]) -> None:
    assert list(looser(pattern)) == expected


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
