import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.text.fence import Fence, opening_fence, unfenced


@table_of(
    ("line", "expected"),
    [
        pytest.param("```  diff a/b", Fence("`", 3, info="diff a/b"), id="info of words"),
        pytest.param("  ```", Fence("`", 3, indent=2), id="indented"),
        pytest.param("``", None, id="too short"),
        pytest.param("```x```", None, id="code on one line"),
    ],
)
def test_sees_where_a_fence_opens(line: str, expected: Fence | None) -> None:
    assert opening_fence(line) == expected


@table_of(
    ("line", "closes"),
    [
        pytest.param(" ````  ", True, id="blanks around"),
        pytest.param("```", False, id="shorter"),
        pytest.param("````python", False, id="info string"),
    ],
)
def test_sees_where_it_closes(line: str, closes: bool) -> None:
    assert Fence("`", 4).is_closed_by(line) is closes


@table_of(
    ("text", "expected"),
    [
        pytest.param("", "", id="nothing"),
        pytest.param("\n\nx\n\n", "x", id="empty lines around"),
        pytest.param("```\nx\n```\n  ", "x", id="blanks behind the fence"),
        pytest.param("```\nx\n```\ny", "```\nx\n```\ny", id="text behind"),
    ],
)
def test_takes_a_fence_away_that_spans_it(text: str, expected: str) -> None:
    assert unfenced(text) == expected


@given(st.text().filter(lambda text: "```" not in text))
def test_a_fence_keeps_what_it_holds(text: str) -> None:
    assert unfenced(f"```text\n{text}\n```") == text
