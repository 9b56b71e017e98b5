"""Calls that are only written otherwise, and edits of one place."""

from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.repo.similarity import (
    changed_lines,
    is_same_call,
    is_same_place,
    likeness,
    loose_words,
    searched_words,
)

DIFF = "--- a/x.py\n+++ b/x.py\n@@ -{0} +{0} @@\n context\n-{1}\n+{2}\n"
BLOCK = "x.py\n<<<<<<< SEARCH\ncontext\n{0}\n=======\ncontext\n{1}\n>>>>>>> REPLACE\n"
V4A = "*** Begin Patch\n*** Update File: x.py\n@@\n context\n-{0}\n+{1}\n*** End Patch\n"


@table_of(
    ("one", "other", "same"),
    [
        ("src/a.py:10-20", "./src/a.py: 10-20", True),
        ("src/a.py", "path: 'src/a.py'", True),
        ("src/a.py", "lib/a.py", False),
        ("", "", False),
    ],
)
def test_calls(one: str, other: str, same: bool) -> None:
    assert is_same_call(loose_words(one), loose_words(other)) is same
    assert is_same_call(loose_words(other), loose_words(one)) is same


def test_searches() -> None:
    assert is_same_call(searched_words("parse("), searched_words('"Parse("'))
    assert not is_same_call(searched_words("parse"), searched_words("parse\npath: src/"))


@table_of(
    ("one", "other", "same"),
    [
        (DIFF.format(1, "old", "new"), DIFF.format(9, "  old", "newer"), True),
        (DIFF.format(1, "old", "new"), BLOCK.format("old", "newest"), True),
        (DIFF.format(1, "old", "new"), V4A.format("old", "new"), True),
        (DIFF.format(1, "old", "new"), DIFF.format(1, "other", "new"), False),
        (DIFF.format(1, "old", "new"), DIFF.format(1, "old", "new").replace("x.py", "y.py"), False),
    ],
)
def test_places(one: str, other: str, same: bool) -> None:
    assert is_same_place(one, other) is same


@given(st.text())
def test_any_text_can_be_compared(text: str) -> None:
    assert is_same_call(loose_words(text), loose_words(text)) is bool(loose_words(text))
    is_same_place(text, text)
    searched_words(text)


PATCH = """\
diff --git a/src/a.py b/src/a.py
index 1..2 100644
--- a/src/a.py
+++ b/src/a.py
@@ -1,3 +1,4 @@
 import re
-x = "one"
+x  =  'two'
+
"""


def test_lines_by_path_and_sign() -> None:
    assert changed_lines(PATCH) == {("src/a.py", "-", "x = 'one'"), ("src/a.py", "+", "x = 'two'")}


def test_a_file_that_goes_and_one_that_comes() -> None:
    gone = "diff --git a/o b/o\n--- a/o\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n"
    come = "diff --git a/n b/n\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+++ counter\n"
    assert changed_lines(gone + come) == {("o", "-", "old"), ("n", "+", "++ counter")}


def test_nothing_is_like_nothing() -> None:
    assert likeness(changed_lines(""), changed_lines("")) == 1.0
