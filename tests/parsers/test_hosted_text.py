import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.issue.forge_markdown import readable


@table_of(
    ("text", "expected"),
    [
        pytest.param("a\r\nb", "a\nb", id="ends of lines"),
        pytest.param("`<!-- a -->`<!-- b -->", "`<!-- a -->`", id="in backticks"),
        pytest.param("```\n<!-- c -->\n```", "```\n<!-- c -->\n```", id="fence"),
        pytest.param("a\n<!-- b\n```\nc -->\nd", "a\nd", id="over several lines"),
        pytest.param("a <!-- b\nc --> d <!-- e -->\nf", "a  d \nf", id="within lines"),
        pytest.param("a <!-- b\nc", "a <!-- b\nc", id="never closed"),
    ],
)
def test_reads(text: str, expected: str) -> None:
    assert readable(text) == expected


@given(st.text(alphabet="`->[]()a\n ~", max_size=60))
def test_leaves_text_without_comments(text: str) -> None:
    assert readable(text) == text.strip("\n")
