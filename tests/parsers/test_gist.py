import pytest
from check_rows import table_of

from react_agent.parsers.text.gist import bare, headline


@table_of(
    ("text", "first"),
    [
        pytest.param("\n  exit code 1\nmore", "exit code 1", id="the first that says something"),
        pytest.param("x" * 101, "x" * 99 + "…", id="long"),
    ],
)
def test_the_headline_of_a_text(text: str, first: str) -> None:
    assert headline(text) == first


@table_of(
    ("text", "inner"),
    [
        pytest.param(" **`Read a blank`** ", "Read a blank", id="one in another"),
        pytest.param("`a` calls `b`", "`a` calls `b`", id="of both of its ends"),
        pytest.param('"', '"', id="alone"),
    ],
)
def test_the_marks_around_a_text(text: str, inner: str) -> None:
    assert bare(text) == inner
