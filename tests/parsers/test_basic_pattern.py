import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.basic_pattern import extended


@table_of(
    ("basic", "expected"),
    [
        pytest.param("foo.*bar", "foo.*bar", id="the same in both"),
        pytest.param("def foo(", r"def foo\(", id="a bracket"),
        pytest.param(r"\(a\)\|b\{2\}", "(a)|b{2}", id="with backslashes"),
        pytest.param("a|b+?", r"a\|b\+\?", id="without"),
        pytest.param("[(|)]*", "[(|)]*", id="a set"),
        pytest.param("[]a(]", "[]a(]", id="a set that begins with its end"),
        pytest.param("[[:alpha:](]", "[[:alpha:](]", id="a class in a set"),
        pytest.param(r"\.\*\w", r"\.\*\w", id="other backslashes"),
        pytest.param("*a^b$c", r"\*a\^b\$c", id="what is literal where it stands"),
        pytest.param(r"^*a\|^b$\|c$", r"^\*a|^b$|c$", id="anchors"),
        pytest.param("a[", "a[", id="an open set"),
        pytest.param("a\\", "a\\", id="an open backslash"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_is_extended(basic: str, expected: str) -> None:
    assert extended(basic) == expected


@given(st.text())
def test_any_text_is_extended(text: str) -> None:
    assert len(extended(text)) <= 2 * len(text)
