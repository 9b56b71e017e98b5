"""Whether a line defines a name, or uses it."""

import pytest
from check_rows import table_of

from react_agent.parsers.claims.definitions import (
    Sort,
    defined_as,
    is_aside,
    is_data,
    sort_before,
    uses,
)
from react_agent.parsers.claims.found_lines import FoundLine, found_lines, is_all_of_it


@table_of(
    ("line", "name", "sort"),
    [
        pytest.param("def parse_date(text):", "parse_date", Sort.FUNCTION, id="python"),
        pytest.param("func (c *Client) BackOff(n int) int {", "BackOff", Sort.FUNCTION, id="go"),
        pytest.param("export const slug = (text) => {", "slug", Sort.FUNCTION, id="arrow"),
        pytest.param("class Dates:", "Dates", Sort.CLASS, id="class"),
        pytest.param("MAX_SIZE = 3", "MAX_SIZE", Sort.VALUE, id="constant"),
        pytest.param("#define KELVIN 273", "KELVIN", Sort.VALUE, id="macro"),
        pytest.param("timeout: 3", "timeout", Sort.VALUE, id="yaml"),
        pytest.param("CREATE VIEW daily AS", "daily", Sort.VALUE, id="sql"),
        pytest.param("x = parse_date(text)", "parse_date", None, id="a call"),
        pytest.param("# def parse_date(text):", "parse_date", None, id="a comment"),
        pytest.param("if size == 3:", "size", None, id="a comparison"),
        pytest.param("from dates import parse_date", "parse_date", None, id="an import"),
    ],
)
def test_a_definition(line: str, name: str, sort: Sort | None) -> None:
    assert defined_as(line, name) is sort


@pytest.mark.parametrize(
    ("path", "line", "expected"),
    [
        pytest.param("a.py", "x = parse_date(y)", True, id="a call"),
        pytest.param("a.py", "from dates import parse_date", True, id="an import"),
        pytest.param("setup.cfg", "    d = dates:parse_date", True, id="a setting"),
        pytest.param("a.py", "def parse_date(y):", False, id="the definition"),
        pytest.param("a.py", "# parse_date(y)", False, id="a comment"),
        pytest.param("README.md", "call parse_date(y)", False, id="a document"),
        pytest.param("tests/test_a.py", "parse_date(y)", False, id="a test"),
        pytest.param("a.py", 'print("parse_date(y)")', False, id="a text"),
    ],
)
def test_a_use(path: str, line: str, *, expected: bool) -> None:
    assert uses(path, line, "parse_date") is expected


def test_what_is_not_the_projects_own() -> None:
    assert is_aside("tests/helpers.py")
    assert is_aside("node_modules/a/b.js")
    assert not is_aside("src/contest.py")
    assert is_data("conf/a.toml")
    assert not is_data("a.py")


def test_the_sort_that_was_looked_for() -> None:
    assert sort_before(r"grep -rn 'def\s+parse' src", "parse") is Sort.FUNCTION
    assert sort_before("class Parse", "Parse") is Sort.CLASS
    assert sort_before("define parse", "parse") is None


def test_lines_of_a_search() -> None:
    shown = "2 matching lines in 2 of 9 files\na.py\n   6| def a():\nb.py\n   1| import a\n[note]"
    assert found_lines(shown) == (
        FoundLine("a.py", 6, "def a():"),
        FoundLine("b.py", 1, "import a"),
    )
    assert is_all_of_it(shown)
    assert not is_all_of_it("99 matching lines in 9 of 9 files; 39 of them are not shown: x")
