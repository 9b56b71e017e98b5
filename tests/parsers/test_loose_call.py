"""Calls that are only written otherwise, and edits of one place."""

from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.repo.call_similarity import (
    is_same_call,
    is_same_place,
    loose_words,
    searched_words,
)
from react_agent.parsers.repo.changed_lines import changed_lines

DIFF = "--- a/x.py\n+++ b/x.py\n@@ -{0} +{0} @@\n context\n-{1}\n+{2}\n"
BLOCK = "x.py\n<<<<<<< SEARCH\ncontext\n{0}\n=======\ncontext\n{1}\n>>>>>>> REPLACE\n"
V4A = "*** Begin Patch\n*** Update File: x.py\n@@\n context\n-{0}\n+{1}\n*** End Patch\n"


@table_of(
    ("one", "other", "same"),
    [
        ("src/a.py", "./src/a.py", True),
        ("src/a.py", "src/a.py:10-20", True),
        ("src/a.py:10-20", "./src/a.py: 10-20", True),
        ("src/a.py", "/work/repo/src/a.py", True),
        ("src/a.py", "path: 'src/a.py'", True),
        ("src/a.py", "lib/a.py", False),
        ("/x/src/a.py", "/y/src/a.py", False),
        ("src/a.py", "src/b.py", False),
        ("make -j -k all", "make  -k -j 'all'", True),
        ("make -jk all", "make -k -j all", True),
        ("make -j all", "make -k all", False),
        ("make 1", "make 2", False),
        ("", "", False),
    ],
)
def test_calls(one: str, other: str, same: bool) -> None:
    assert is_same_call(loose_words(one), loose_words(other)) is same
    assert is_same_call(loose_words(other), loose_words(one)) is same


@table_of(
    ("one", "other", "same"),
    [
        ("parse(", r"parse\(", True),
        ("parse(", '"Parse("', True),
        ("a.*b", r"a\.b", True),
        ("parse", "parse\npath: src/", False),
        ("parse", "parser", False),
        ("(", "[", False),
    ],
)
def test_searches(one: str, other: str, same: bool) -> None:
    assert is_same_call(searched_words(one), searched_words(other)) is same


@table_of(
    ("one", "other", "same"),
    [
        (DIFF.format(1, "old", "new"), DIFF.format(9, "  old", "newer"), True),
        (DIFF.format(1, "old", "new"), BLOCK.format("old", "newest"), True),
        (DIFF.format(1, "old", "new"), V4A.format("old", "new"), True),
        (DIFF.format(1, "old", "new"), DIFF.format(1, "other", "new"), False),
        (DIFF.format(1, "old", "new"), DIFF.format(1, "old", "new").replace("x.py", "y.py"), False),
        ("nothing", "nothing", False),
    ],
)
def test_places(one: str, other: str, same: bool) -> None:
    assert is_same_place(one, other) is same


@given(st.text())
def test_any_text_can_be_compared(text: str) -> None:
    assert is_same_call(loose_words(text), loose_words(text)) is bool(loose_words(text))
    assert is_same_place(text, text) is bool(changed_lines(text).place)
    searched_words(text)
