import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.values.commands import Word, words


@table_of(
    ("line", "expected"),
    [
        pytest.param('"a b" c', [Word("a b", True), Word("c")], id="double quotes"),
        pytest.param("'a b' `c d`", [Word("a b", True), Word("c d", True)], id="others"),
        pytest.param(r'"a\"b\."', [Word(r'a"b\.', True)], id="escapes"),
        pytest.param("it's", [Word("it's")], id="apostrophe"),
        pytest.param('"a"b', [Word('"a"b')], id="quotes within a word"),
    ],
)
def test_parts_a_line_at_its_blanks(line: str, expected: list[Word]) -> None:
    assert list(words(line)) == expected


@given(st.text(st.sampled_from("-a \"'`\\,\n")))
def test_no_word_is_lost(line: str) -> None:
    assert all(word.text or word.quoted for word in words(line))
    assert (line.strip() == "") == (not list(words(line)))
