from check_rows import table_of

from react_agent.parsers.edits.edits import FileText, parse_file_text
from react_agent.parsers.values.arguments import Unreadable

TEXT = "def f():\n    pass\n"


@table_of(
    ("text", "expected"),
    {
        "no newline": (f"a/b.py\n{TEXT.strip()}", FileText("a/b.py", TEXT)),
        "fence": (f"`a/b.py`:\n```python\n{TEXT}```", FileText("a/b.py", TEXT)),
        "a fence around all": (f"```\na/b.py\n{TEXT}```", FileText("a/b.py", TEXT)),
        "a fence within the text": (
            "README.md\nSee\n```\nx\n```\n",
            FileText("README.md", "See\n```\nx\n```\n"),
        ),
        "fields": (f"path: a.py\ncontent:\n{TEXT}", FileText("a.py", TEXT)),
        "YAML": ("a.yml\ncontent:\n  b\n", FileText("a.yml", "content:\n  b\n")),
        "a quoted path with a blank": ("'a b.txt'\nx", FileText("a b.txt", "x\n")),
        "empty": ("a/__init__.py", FileText("a/__init__.py", "")),
        "an object": ('{"path": "a", "file_text": "x\\n"}', FileText("a", "x\n")),
        "an object, and more": (
            '{"path": "a", "text": "x", "mode": 1}',
            FileText("a", "x", left_out=("mode",)),
        ),
        "prose": (
            "just text",
            Unreadable("'just text' is not a path: HINT; quote a path that has spaces"),
        ),
        "one word": ("word", Unreadable("no text below 'word': HINT")),
    },
)
def test_reads_a_path_and_a_text(text: str, expected: FileText | Unreadable) -> None:
    assert parse_file_text(text, "HINT") == expected
