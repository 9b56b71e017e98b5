import pytest
from check_rows import table_of

from react_agent.parsers.values.arguments import Unreadable
from react_agent.parsers.values.files import EditRequest, read_edit_request

HOW = "write the path on the first line, and below it what to change there"


@table_of(
    ("text", "expected"),
    [
        pytest.param("a/b.py\ndo it\nso", EditRequest("a/b.py", "do it\nso"), id="two parts"),
        pytest.param("File: `a/b.py`:\ndo it", EditRequest("a/b.py", "do it"), id="decorated"),
        pytest.param("a/b.py: do it", EditRequest("a/b.py", "do it"), id="one line"),
        pytest.param(
            '{"path": "a", "instructions": "do it"}', EditRequest("a", "do it"), id="an object"
        ),
        pytest.param('{"path": "a"}', Unreadable(HOW), id="an object without words"),
        pytest.param("a/b.py", Unreadable(HOW), id="no words"),
    ],
)
def test_reads_what_is_to_be_changed(text: str, expected: EditRequest | Unreadable) -> None:
    assert read_edit_request(text) == expected
