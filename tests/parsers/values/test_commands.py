from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.values.arguments import Named, Unreadable
from react_agent.parsers.values.commands import (
    ALL,
    COMMANDS,
    PATCHES,
    Word,
    background_numbers,
    checked_edit,
    named_text,
    words,
)


@table_of(
    ("text", "expected"),
    {
        "more": ('{"cmd": "ls", "timeout": 10}', Named(("ls",), ("timeout",))),
        "words": ('{"command": ["ls", "a b"]}', Named(("ls 'a b'",))),
        "a number": ('{"command": 3}', None),
        "two of them": ('{"command": "a", "cmd": "b"}', None),
        "two requests": ('[{"command": "a"}, {"command": "b"}]', None),
        "a command": ("ls -la", None),
        "several lines": ("command: ls\ncd x", None),
        "fields below": ("command: ls\ntimeout: 9", Named(("ls",), ("timeout",))),
        "damaged": (
            '{"command": "a',
            Unreadable("JSON, line 1: never closed: '\"a'; the text is '{\"command\": \"a'"),
        ),
    },
)
def test_finds_the_command(text: str, expected: Named | Unreadable | None) -> None:
    assert named_text(text, COMMANDS) == expected


def test_finds_a_patch_and_says_what_was_left_out() -> None:
    found = named_text('{"patch": "--- a\\n+++ b", "explanation": "x"}', PATCHES)
    assert found == Named(("--- a\n+++ b",), ("explanation",))
    assert isinstance(found, Named)
    assert found.said == "read as --- a, +++ b; left out: explanation"


BLOCK = "a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE"
DIFF = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2"
FUNCTION = "def f():\n    return 2"


@table_of(
    ("edit", "last", "command"),
    {
        "block": (BLOCK, "then: run_tests tests/a.py", "run_tests tests/a.py"),
        "capital, blank lines": (BLOCK, "\nThen:  make check \n", "make check"),
        "fence": (f"```diff\n{DIFF}\n```", "then: make", "make"),
        "Python definition": (FUNCTION, "then: pytest -q", "pytest -q"),
        "our tests": ("a.yml\non: push\nif: x", "then: run_tests", "run_tests"),
        "a file without an end": ("a.yml\non: push\nif: x", "then: deploy", ""),
        "an open block": ("a.yml\n<<<<<<< SEARCH\na: 1\n=======", "then: b", ""),
        "an added line": (DIFF, "+then: make", ""),
        "not the last line": (BLOCK, "then: make\nmore", ""),
        "no edit": ("", "then: make", ""),
    },
)
def test_finds_the_command_below_an_edit(edit: str, last: str, command: str) -> None:
    found = checked_edit(f"{edit}\n{last}")
    assert (found.edit, found.command) == (edit, command) if command else found is None


@table_of(
    ("text", "expected"),
    [
        ("1", (1,)),
        ("id: 2", (2,)),
        ("%1", (1,)),
        ("1, 2 and 2", (1, 2)),
        ("kill -9 1", (1,)),
        ("-SIGKILL %2", (2,)),
        ('{"id": 1}', (1,)),
        ('{"ids": [1, 2]}', (1, 2)),
        ('{"id": ', ()),
        ("command 1 (npm start)", (1,)),
        ("all", ALL),
        ("everything", ALL),
        ('{"id": "all"}', ALL),
        ("the server on v1.2", ()),
    ],
)
def test_which_are_meant(text: str, expected: tuple[int, ...] | str) -> None:
    assert background_numbers(text) == expected


@table_of(
    ("line", "expected"),
    {
        "double quotes": ('"a b" c', [Word("a b", True), Word("c")]),
        "others": ("'a b' `c d`", [Word("a b", True), Word("c d", True)]),
        "escapes": (r'"a\"b\."', [Word(r'a"b\.', True)]),
        "apostrophe": ("it's", [Word("it's")]),
        "quotes within a word": ('"a"b', [Word('"a"b')]),
    },
)
def test_parts_a_line_at_its_blanks(line: str, expected: list[Word]) -> None:
    assert list(words(line)) == expected


@given(st.text(st.sampled_from("-a \"'`\\,\n")))
def test_no_word_is_lost(line: str) -> None:
    assert all(word.text or word.quoted for word in words(line))
    assert (line.strip() == "") == (not list(words(line)))
