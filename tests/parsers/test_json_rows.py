"""Values of a JSON file, each with the line that it begins in."""

import pytest
from check_rows import table_of

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.text.json_rows import numbered_values


def test_numbers_the_values_of_a_file() -> None:
    lines, listed = '{"a": 1}\n\n{"b": 2}\r\n', '\n[\n{"a":\n1}, 2\n,\n3]\n'
    assert list(numbered_values(lines)) == [(1, {"a": 1}), (3, {"b": 2})]
    assert list(numbered_values(listed)) == [(3, {"a": 1}), (4, 2), (6, 3)]


@table_of(
    ("text", "error"),
    [
        pytest.param("{x: 1}", "line 1: expected JSON, found '{x: 1}'", id="no JSON"),
        pytest.param("[1]\n{", "line 2: expected the end of the list, found '[1]\\n{'", id="more"),
    ],
)
def test_says_where_a_file_is_no_json(text: str, error: str) -> None:
    with pytest.raises(ParseError) as raised:
        list(numbered_values(text))
    assert str(raised.value) == error
