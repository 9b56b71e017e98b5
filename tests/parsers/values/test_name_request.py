import pytest
from check_rows import table_of

from react_agent.parsers.values.arguments import Unreadable
from react_agent.parsers.values.files import NameRequest, parse_name_request


@table_of(
    ("text", "expected"),
    [
        pytest.param("x.py", NameRequest(("x.py",)), id="name"),
        pytest.param(" `x.py`\n\n'y.py' ", NameRequest(("x.py", "y.py")), id="two, quoted"),
        pytest.param("x.py\npath: src/", NameRequest(("x.py",), ("src/",)), id="folder"),
        pytest.param("path: src/x.py", NameRequest(("src/x.py",)), id="only a path"),
        pytest.param("name: x.py\npath: src", NameRequest(("x.py",), ("src",)), id="fields"),
        pytest.param('{"name": "x", "in": "src"}', NameRequest(("x",), ("src",)), id="object"),
        pytest.param('find . -name "*.py"', NameRequest(("*.py",)), id="find"),
        pytest.param(
            "find src -type f -iname '*.py' 2>/dev/null | head",
            NameRequest(("*.py",), ("src",)),
            id="find in a folder",
        ),
        pytest.param(
            "\n",
            Unreadable("no name given: write a file name, part of one, or a glob such as *.py"),
            id="nothing",
        ),
    ],
)
def test_reads_which_name(text: str, expected: NameRequest | Unreadable) -> None:
    assert parse_name_request(text) == expected


def test_broken_json_is_said() -> None:
    assert isinstance(parse_name_request('{"name": "x", "path": '), Unreadable)
