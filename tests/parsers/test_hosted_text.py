import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.issue.forge_markdown import readable


@table_of(
    ("text", "expected"),
    [
        pytest.param("a\r\nb", "a\nb", id="ends of lines"),
        pytest.param("![](http://x/y.png?jwt=key 'a')", "[image: http://x/y.png]", id="a key"),
        pytest.param("![a](data:image/png;base64,AAAA)", "[image: a (within the text)]"),
        pytest.param(
            '<IMG width="1" alt="a b" src="http://x/y?z">', "[image: a b (http://x/y)]", id="tag"
        ),
        pytest.param("`![a](b)` ![a](b)", "`![a](b)` [image: a (b)]", id="in backticks"),
        pytest.param("```\n![a](b)\n<!-- c -->\n```", "```\n![a](b)\n<!-- c -->\n```", id="fence"),
        pytest.param("a\n<!-- b\n```\nc -->\nd", "a\nd", id="over several lines"),
        pytest.param("a <!-- b\nc", "a <!-- b\nc", id="never closed"),
    ],
)
def test_reads(text: str, expected: str) -> None:
    assert readable(text) == expected


@given(st.text(alphabet="`->[]()a\n ~", max_size=60))
def test_leaves_text_without_pictures_and_comments(text: str) -> None:
    assert readable(text) == text.strip("\n")


@table_of("piece", ["![", "![](", "<img ", "<!--", "-->", "`", "``` a\n", "<!-- `"])
def test_takes_time_by_the_length_of_the_text(piece: str) -> None:
    assert readable(piece * 50_000)


def test_many_comments() -> None:
    assert readable("<!-- -->" * 50_000 + "a") == "a"
