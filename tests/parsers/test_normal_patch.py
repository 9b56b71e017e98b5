"""What two patches have in common."""

import pytest
from check_rows import table_of

from react_agent.parsers.repo.patch_similarity import changed_lines, likeness

PATCH = """\
diff --git a/src/a.py b/src/a.py
index 1..2 100644
--- a/src/a.py
+++ b/src/a.py
@@ -1,3 +1,4 @@
 import re
-x = "one"
+x  =  'two'  # better
+
+# a comment
"""


def test_lines_by_path_and_sign() -> None:
    assert changed_lines(PATCH) == {("src/a.py", "-", "x = 'one'"), ("src/a.py", "+", "x = 'two'")}


def test_a_file_that_goes_and_one_that_comes() -> None:
    gone = "diff --git a/o b/o\n--- a/o\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n"
    come = "diff --git a/n b/n\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+++ counter\n"
    assert changed_lines(gone + come) == {("o", "-", "old"), ("n", "+", "++ counter")}


@table_of(
    ("one", "other", "expected"),
    [
        pytest.param("+a = 1", '+a  =  1  # "so"', 1.0, id="spacing and comment"),
        pytest.param('+say("a")', "+say('a')", 1.0, id="quotes"),
        pytest.param("+f(a,)", "+f(a,)", 1.0, id="the same"),
        pytest.param("+a = 1", "-a = 1", 0.0, id="sign"),
        pytest.param("+a = 1", "+a = 2", 0.0, id="another value"),
        pytest.param('+a = "b # 1"', '+a = "b # 2"', 0.0, id="no comment in a text"),
        pytest.param("+a\n+b", "+a\n+c", 1 / 3, id="half of it"),
    ],
)
def test_likeness(one: str, other: str, expected: float) -> None:
    patches = [
        f"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n{each}\n" for each in (one, other)
    ]
    assert likeness(*map(changed_lines, patches)) == pytest.approx(expected)


def test_nothing_is_like_nothing() -> None:
    assert likeness(changed_lines(""), changed_lines("")) == 1.0
