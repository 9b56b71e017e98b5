import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.words import Word, lists, split_options, words


@table_of(
    ("line", "expected"),
    [
        pytest.param("a  b", [Word("a"), Word("b")], id="blanks"),
        pytest.param('"a b" c', [Word("a b", True), Word("c")], id="double quotes"),
        pytest.param("'a b' `c d`", [Word("a b", True), Word("c d", True)], id="others"),
        pytest.param(r'"a\"b\."', [Word(r'a"b\.', True)], id="escapes"),
        pytest.param("it's", [Word("it's")], id="apostrophe"),
        pytest.param('"a b', [Word('"a'), Word("b")], id="open quote"),
        pytest.param('"a"b', [Word('"a"b')], id="quotes within a word"),
    ],
)
def test_parts_a_line_at_its_blanks(line: str, expected: list[Word]) -> None:
    assert list(words(line)) == expected


@table_of(
    ("line", "expected"),
    [
        ("-n x.py", (("-n",), "x.py")),
        (" -la --color=never  a  b ", (("-la", "--color=never"), "a  b")),
        ("-R", (("-R",), "")),
        ("x.py -n", ((), "x.py -n")),
        ("-5 x", ((), "-5 x")),
        ("", ((), "")),
    ],
)
def test_parts_options_from_the_rest(line: str, expected: tuple[tuple[str, ...], str]) -> None:
    assert split_options(line) == expected


@table_of(
    ("line", "expected"),
    [
        ("a.py, b.py:1-60", [("a.py", "b.py:1-60"), ("a.py", "b.py:1-60")]),
        ("a b.py, c.py 1-2", [("a b.py", "c.py 1-2"), ("a", "b.py", "c.py", "1-2")]),
        ("'a b' \"c\"", [("'a b' \"c\"",), ("'a b'", '"c"')]),
        ("", [(), ()]),
    ],
)
def test_parts_paths_at_commas_and_at_blanks(line: str, expected: list[tuple[str, ...]]) -> None:
    assert list(lists(line)) == expected


@given(st.text(st.sampled_from("-a \"'`\\,\n")))
def test_no_word_is_lost(line: str) -> None:
    assert all(word.text or word.quoted for word in words(line))
    assert (line.strip() == "") == (not list(words(line)))
