import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.edits.edits import FileText, parse_file_text
from react_agent.parsers.values.arguments import Unreadable

TEXT = "def f():\n    pass\n"


@table_of(
    ("text", "expected"),
    [
        pytest.param(f"a/b.py\n{TEXT}", FileText("a/b.py", TEXT), id="plain"),
        pytest.param(f"a/b.py\n{TEXT.strip()}", FileText("a/b.py", TEXT), id="no newline"),
        pytest.param(f"a/b.py\n\n{TEXT}\n\n", FileText("a/b.py", TEXT), id="blank ends"),
        pytest.param(f"`a/b.py`:\n```python\n{TEXT}```", FileText("a/b.py", TEXT), id="fence"),
        pytest.param(f"```\na/b.py\n{TEXT}```", FileText("a/b.py", TEXT), id="a fence around all"),
        pytest.param(
            "README.md\nSee\n```\nx\n```\n", FileText("README.md", "See\n```\nx\n```\n"),
            id="a fence within the text",
        ),
        pytest.param(f"path: a.py\ncontent:\n{TEXT}", FileText("a.py", TEXT), id="fields"),
        pytest.param("a.yml\ncontent:\n  b\n", FileText("a.yml", "content:\n  b\n"), id="YAML"),
        pytest.param("'a b.txt'\nx", FileText("a b.txt", "x\n"), id="a quoted path with a blank"),
        pytest.param("a/__init__.py", FileText("a/__init__.py", ""), id="empty"),
        pytest.param(
            '{"path": "a", "content": "x"}', FileText("a", "x"), id="an object, no newline"
        ),
        pytest.param('{"path": "a", "file_text": "x\\n"}', FileText("a", "x\n"), id="an object"),
        pytest.param(
            '{"path": "a", "text": ["x", "y"], "mode": 1}',
            FileText("a", "x\ny\n", left_out=("mode",)),
            id="a list of lines, and more",
        ),
        pytest.param(
            "just text",
            Unreadable("'just text' is not a path: HINT; quote a path that has spaces"),
            id="prose",
        ),
        pytest.param("word", Unreadable("no text below 'word': HINT"), id="one word"),
        pytest.param(
            "", Unreadable("'' is not a path: HINT; quote a path that has spaces"), id="none"
        ),
    ],
)  # fmt: skip
def test_reads_a_path_and_a_text(text: str, expected: FileText | Unreadable) -> None:
    assert parse_file_text(text, "HINT") == expected


@table_of(
    ("text", "expected"),
    [
        pytest.param("a.py\nafter line 3\nx = 1", FileText("a.py", "x = 1\n", 3), id="plain"),
        pytest.param("a.py\nline 3:\nx = 1", FileText("a.py", "x = 1\n", 3), id="line"),
        pytest.param("a.py\ninsert_line: 0\nx", FileText("a.py", "x\n", 0), id="a field"),
        pytest.param("a.py\n**After 3**\nx", FileText("a.py", "x\n", 3), id="bold"),
        pytest.param("a.py\nat the top\nx", FileText("a.py", "x\n", 0), id="top"),
        pytest.param("a.py\nafter line 3\n    x", FileText("a.py", "    x\n", 3), id="indented"),
        pytest.param("a.py\nafter line 3\n```\nx\n```", FileText("a.py", "x\n", 3), id="fence"),
        pytest.param(
            '{"path": "a", "insert_line": 3, "new_str": "x"}', FileText("a", "x", 3), id="object"
        ),
        pytest.param("a.py\nx = 1", FileText("a.py", "x = 1\n"), id="no line"),
    ],
)
def test_reads_where_a_text_is_to_stand(text: str, expected: FileText) -> None:
    assert parse_file_text(text, "HINT", inserted=True) == expected


@given(st.text(), st.booleans())
def test_any_text_is_read_or_not(text: str, inserted: bool) -> None:
    assert isinstance(parse_file_text(text, "HINT", inserted=inserted), (FileText, Unreadable))
