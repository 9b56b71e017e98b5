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


@given(st.text())
def test_any_text_is_read_or_not(text: str) -> None:
    assert isinstance(parse_file_text(text, "HINT"), (FileText, Unreadable))
