"""Names of files and symbols in a text; ordinary words are none."""

from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.text.names import is_path, main_names, names_in


@table_of(
    ("thought", "names"),
    [
        ("what `limit` is, and `a b` is none", ("limit",)),
        ("socket.timeout is raised", ("socket.timeout",)),
        ("config/deploy/staging has it", ("config/deploy/staging",)),
        ("The DEFAULT is 37. It is JavaScript on GitHub.", ()),
    ],
)
def test_names(thought: str, names: tuple[str, ...]) -> None:
    assert names_in(thought) == names


@table_of(
    ("name", "expected"),
    [("src/a", True), ("a.py", True), ("parse_date", False), ("Enum.RED", False)],
)
def test_paths(name: str, expected: bool) -> None:
    assert is_path(name) is expected


@table_of(
    ("text", "found"),
    {
        "humps": ("HTTPServer and ParseError", ("HTTPServer", "ParseError")),
        "too long for a name": ("x_" * 70, ()),
        "so many": ("read_1 read_2 read_3 read_4", ("read_1", "read_2", "read_3")),
        "what is defined first": (
            "a.txt lines 1-3\n 1| import os.path\n 2| class Work:\n 3|     def take(self):",
            ("Work", "take", "a.txt"),
        ),
        "cut at its end": ("word " * 98 + "read_parts_of_it" + " x" * 400, ()),
    },
)
def test_the_main_names_of_a_text(text: str, found: tuple[str, ...]) -> None:
    assert main_names(text, 3) == found


@given(st.text(), st.integers(0, 5))
def test_names_stand_in_the_text(text: str, most: int) -> None:
    found = main_names(text, most)
    assert len(found) <= most
    assert all(name in text for name in found)
