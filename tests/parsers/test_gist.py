import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.text.gist import bare, headline, names


@table_of(
    ("text", "first"),
    [
        pytest.param("", "", id="nothing"),
        pytest.param("\n \n", "", id="blanks"),
        pytest.param("\n  exit code 1\nmore", "exit code 1", id="the first that says something"),
        pytest.param("x" * 101, "x" * 99 + "…", id="long"),
        pytest.param("x" * 100, "x" * 100, id="not too long"),
    ],
)
def test_the_headline_of_a_text(text: str, first: str) -> None:
    assert headline(text) == first


@table_of(
    ("text", "inner"),
    [
        pytest.param('"Read a blank"', "Read a blank", id="quotes"),
        pytest.param(" **`Read a blank`** ", "Read a blank", id="one in another"),
        pytest.param('"90 min" is read', '"90 min" is read', id="of its beginning"),
        pytest.param("`a` calls `b`", "`a` calls `b`", id="of both of its ends"),
        pytest.param('"', '"', id="alone"),
        pytest.param('""', "", id="around nothing"),
    ],
)
def test_the_marks_around_a_text(text: str, inner: str) -> None:
    assert bare(text) == inner


@table_of(
    ("text", "found"),
    [
        pytest.param("", (), id="nothing"),
        pytest.param("this is prose, and No Names", (), id="prose"),
        pytest.param(
            "see src/parts/reader.py and setup.cfg",
            ("src/parts/reader.py", "setup.cfg"),
            id="files",
        ),
        pytest.param(
            "parse_part calls readAll, then parse_part",
            ("parse_part", "readAll"),
            id="the frequent first",
        ),
        pytest.param("HTTPServer and ParseError", ("ParseError",), id="humps"),
        pytest.param("x_" * 40, (), id="too long for a name"),
        pytest.param("x." * 5000 + "py", (), id="one giant word"),
        pytest.param("read_1 read_2 read_3 read_4", ("read_1", "read_2", "read_3"), id="so many"),
        pytest.param(
            "prose " * 900 + "FAILED test_last", ("test_last",), id="at the end of a long one"
        ),
        pytest.param(
            "a.txt lines 1-3\n 1| import os.path\n 2| class Work:\n 3|     def take(self):",
            ("Work", "take", "a.txt"),
            id="what is defined first",
        ),
        pytest.param("this class of functions, def x", (), id="no definition"),
        pytest.param("word " * 98 + "read_parts_of_it" + " x" * 400, (), id="cut at its end"),
        pytest.param("x " * 400 + "read_parts_of_it" + " word" * 38, (), id="cut before it"),
    ],
)
def test_the_names_in_a_text(text: str, found: tuple[str, ...]) -> None:
    assert names(text, 3) == found


@given(st.text(), st.integers(0, 5))
def test_names_stand_in_the_text(text: str, most: int) -> None:
    found = names(text, most)
    assert len(found) <= most
    assert all(name in text for name in found)
