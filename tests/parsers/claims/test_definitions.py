"""Whether a line defines a name."""

import pytest
from check_rows import table_of

from react_agent.parsers.claims.definitions import Sort, defined_as, is_aside, is_data, sort_before


@table_of(
    ("line", "name", "sort"),
    [
        pytest.param("def parse_date(text):", "parse_date", Sort.FUNCTION, id="python"),
        pytest.param("func (c *Client) BackOff(n int) int {", "BackOff", Sort.FUNCTION, id="go"),
        pytest.param("class Dates:", "Dates", Sort.CLASS, id="class"),
        pytest.param("#define KELVIN 273", "KELVIN", Sort.VALUE, id="macro"),
        pytest.param("timeout: 3", "timeout", Sort.VALUE, id="yaml"),
        pytest.param("CREATE VIEW daily AS", "daily", Sort.VALUE, id="sql"),
        pytest.param("# def parse_date(text):", "parse_date", None, id="a comment"),
        pytest.param("if size == 3:", "size", None, id="a comparison"),
    ],
)
def test_a_definition(line: str, name: str, sort: Sort | None) -> None:
    assert defined_as(line, name) is sort


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
