import pytest

from react_agent.parsers.looser import Looser, looser


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        pytest.param("foo", [Looser("ignoring case", "foo")], id="a word"),
        pytest.param(
            "parse_date",
            [
                Looser("ignoring case", "parse_date"),
                Looser("its words in this order", "parse.*date"),
            ],
            id="words joined by underscores",
        ),
        pytest.param(
            "parseHTTPDate",
            [
                Looser("ignoring case", "parseHTTPDate"),
                Looser("its words in this order", "parse.*http.*date"),
            ],
            id="camel case",
        ),
        pytest.param(
            '"foo"',
            [
                Looser("ignoring case", '"foo"'),
                Looser("without the quotes", "foo"),
            ],
            id="quotes",
        ),
        pytest.param(
            r"a\|b",
            [
                Looser("ignoring case", r"a\|b"),
                Looser(r"with \| ( and ) as operators", "a|b"),
                Looser("as plain text", r"a\|b", plain=True),
                Looser("its words in this order", "a.*b"),
            ],
            id="basic regular expression",
        ),
        pytest.param(
            " f(",
            [
                Looser("ignoring case", " f("),
                Looser("without the space around it", "f("),
                Looser("as plain text", "f(", plain=True),
            ],
            id="space around it",
        ),
    ],
)
def test_the_nearest_patterns_come_first(pattern: str, expected: list[Looser]) -> None:
    assert list(looser(pattern)) == expected
