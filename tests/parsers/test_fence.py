import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.text.fence import Fence, opening_fence, unfenced


@table_of(
    ("line", "expected"),
    [
        pytest.param("```", Fence("`", 3), id="backticks"),
        pytest.param("`````", Fence("`", 5), id="more of them"),
        pytest.param("~~~", Fence("~", 3), id="tildes"),
        pytest.param("```python", Fence("`", 3, info="python"), id="info string"),
        pytest.param("```  diff a/b", Fence("`", 3, info="diff a/b"), id="info of words"),
        pytest.param("~~~`x`", Fence("~", 3, info="`x`"), id="backticks behind tildes"),
        pytest.param("  ```", Fence("`", 3, indent=2), id="indented"),
        pytest.param("", None, id="empty"),
        pytest.param("``", None, id="too short"),
        pytest.param("x```", None, id="not at the start"),
        pytest.param("```x```", None, id="code on one line"),
        pytest.param("``~", None, id="mixed"),
    ],
)
def test_sees_where_a_fence_opens(line: str, expected: Fence | None) -> None:
    assert opening_fence(line) == expected


@table_of(
    ("line", "closes"),
    [
        pytest.param("````", True, id="as long"),
        pytest.param("``````", True, id="longer"),
        pytest.param(" ````  ", True, id="blanks around"),
        pytest.param("```", False, id="shorter"),
        pytest.param("````python", False, id="info string"),
        pytest.param("~~~~", False, id="other mark"),
        pytest.param("", False, id="empty"),
    ],
)
def test_sees_where_it_closes(line: str, closes: bool) -> None:
    assert Fence("`", 4).is_closed_by(line) is closes


@table_of(
    ("text", "expected"),
    [
        pytest.param("", "", id="nothing"),
        pytest.param("\n  \n\n", "", id="empty lines only"),
        pytest.param("x", "x", id="one line"),
        pytest.param("\n\nx\n\n", "x", id="empty lines around"),
        pytest.param("  x\n y", "  x\n y", id="indentation stays"),
        pytest.param("@@ -1 +1 @@\n ", "@@ -1 +1 @@\n ", id="a last line of context stays"),
        pytest.param("```\nx\n```", "x", id="fence"),
        pytest.param("```\n\n x\n\n```\n\n", "\n x\n", id="all that the fence holds"),
        pytest.param("```\nx\n```\n  ", "x", id="blanks behind the fence"),
        pytest.param("\n~~~~diff\n```\nx\n```\n~~~~", "```\nx\n```", id="fence in a fence"),
        pytest.param("```\n```", "", id="empty fence"),
        pytest.param("```", "```", id="one fence line"),
        pytest.param("```\nx", "```\nx", id="open fence"),
        pytest.param("```\nx\n```\ny", "```\nx\n```\ny", id="text behind"),
        pytest.param("x\n```\ny\n```", "x\n```\ny\n```", id="text before"),
        pytest.param("```\nx\n```\n```\ny\n```", "```\nx\n```\n```\ny\n```", id="two fences"),
        pytest.param("```x```", "```x```", id="code on one line"),
    ],
)
def test_takes_a_fence_away_that_spans_it(text: str, expected: str) -> None:
    assert unfenced(text) == expected


@given(st.text().filter(lambda text: "```" not in text))
def test_a_fence_keeps_what_it_holds(text: str) -> None:
    assert unfenced(f"```text\n{text}\n```") == text
