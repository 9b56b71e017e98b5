"""What a call looked for, and where."""

import pytest
from check_rows import table_of

from react_agent.parsers.claims.claims import Searched, not_imported, searched


@table_of(
    ("tool", "given", "expected"),
    [
        pytest.param("grep", "def parse_x\npath: src", Searched(("parse_x",), ("src",)), id="grep"),
        pytest.param("grep", r"class\s+Date_?Parser\b", Searched(("Date_Parser",)), id="a pattern"),
        pytest.param(
            "list_files", "**/dates.py", Searched(("dates.py",), (), by_name=True), id="a glob"
        ),
        pytest.param(
            "read_file", "a/b:3-9", Searched(("a/b",), (), by_name=True, is_path=True), id="read"
        ),
        pytest.param("run", "grep -rn parse_x src | head -5", Searched(("parse_x",), ("src",)),
                     id="run grep"),
        pytest.param("run", "grep -rn x1_y --include='*.py' .", Searched(("x1_y",), ("*.py",)),
                     id="run grep with a filter"),
        pytest.param("run", "find . -name 'x*' -not -path './.git/*' ! -name y",
                     Searched(("x",), (), by_name=True), id="run find but for some"),
        pytest.param("run", "ls src/x.py", Searched(("src/x.py",), (), by_name=True, is_path=True),
                     id="run ls"),
        pytest.param("run", "cat a.py 2>/dev/null",
                     Searched(("a.py",), (), by_name=True, is_path=True), id="run cat"),
        pytest.param("run", "python3 x.py", None, id="a program"),
        pytest.param("run", "find . -name x -delete", None, id="find that deletes"),
        pytest.param("run", "grep 'abc", Searched(("abc",)), id="an open quote"),
        pytest.param("replace", "x", None, id="another tool"),
        pytest.param("run", "git grep -n zork", Searched(("zork",)), id="run git grep"),
    ],
)  # fmt: skip
def test_what_was_looked_for(tool: str, given: str, expected: Searched | None) -> None:
    assert searched(tool, given) == expected


@table_of(
    ("said", "names"),
    [
        ("Traceback\nModuleNotFoundError: No module named 'shared'", ("shared",)),
        ("ImportError: No module named 'a.b.slugs'\n", ("slugs",)),
        ("the docs say: No module named 'x'", ()),
    ],
)
def test_what_could_not_be_imported(said: str, names: tuple[str, ...]) -> None:
    found = not_imported(said)
    assert (found.names if found else ()) == names
    assert found is None or found.is_module
