"""A patch is applied to the letter, or not at all."""

import re

import pytest
from check_rows import table_of

from react_agent.parsers.patch.write import applied

FILES = {"x": "1\n2\n3\n4\n", "end": "1\n2", "empty": ""}
HEAD = "diff --git a/x b/x\n--- a/x\n+++ b/x\n"
GOOD = f"{HEAD}@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n"


@table_of(
    ("patch", "expected"),
    [
        pytest.param(GOOD, {"x": "1\ntwo\n3\n4\n"}, id="changed"),
        pytest.param(
            f"{HEAD}@@ -2,0 +3 @@\n+new\n@@ -4 +4,0 @@\n-4\n",
            {"x": "1\n2\nnew\n3\n"},
            id="two hunks",
        ),
        pytest.param(
            "diff --git a/y z b/y z\nnew file mode 100644\n--- /dev/null\n+++ b/y z\t\n"
            "@@ -0,0 +1 @@\n+1\n\\ No newline at end of file\n",
            {"y z": "1"},
            id="created",
        ),
        pytest.param(
            "diff --git a/x b/end\nrename from x\nrename to end\n"
            "diff --git a/end b/x\nrename from end\nrename to x\n",
            {"x": "1\n2", "end": "1\n2\n3\n4\n"},
            id="swapped",
        ),
    ],
)
def test_applies(patch: str, expected: dict[str, str | None]) -> None:
    assert applied(patch, FILES) == expected


@table_of(
    ("patch", "reason"),
    [
        pytest.param(GOOD[:-1], "the patch does not end in a newline", id="cut off"),
        pytest.param("x\n", "expected diff --git and the names of a file, found 'x'", id="prose"),
        pytest.param(
            "diff --git a/x b/z\nrename from x\nrename to y\n",
            "expected diff --git and the names of a file, found 'a/x b/z'",
            id="another name",
        ),
        pytest.param(
            HEAD.replace("+++ b/x", "+++ b/y"),
            "expected --- a/x and +++ b/x, found ['--- a/x', '+++ b/y']",
            id="+++",
        ),
        pytest.param(HEAD[:-1] + "\n", "expected a hunk", id="no hunk"),
        pytest.param(
            f"{HEAD}@@ -1 +1 @@ def\n-1\n+one\n",
            "expected @@ -START,COUNT +START,COUNT @@",
            id="section",
        ),
        pytest.param(
            GOOD.replace("@@ -1,3 +1,3", "@@ -1,4 +1,4"),
            "its lines are not as many as it says",
            id="counts too large",
        ),
        pytest.param(
            f"{HEAD}@@ -1,2 +1 @@\n-1\n-2\n-3\n+1\n",
            "its lines are not as many as it says",
            id="counts of one side",
        ),
        pytest.param(
            GOOD.replace("-1,3 +1", "-2,3 +2"),
            "its old lines are not those of the file",
            id="place",
        ),
        pytest.param(
            GOOD + "@@ -2 +2 @@\n-2\n+b\n", "no place in 4 lines", id="above the one before"
        ),
        pytest.param(
            f"{HEAD}@@ -1,0 +2 @@\n+b\n\\ No newline at end of file\n",
            "a line without a newline is not the last one",
            id="newline in the middle",
        ),
        pytest.param(
            "diff --git a/x b/x\ndeleted file mode 100644\n",
            "x is deleted, and something of it stays",
            id="not all deleted",
        ),
        pytest.param(GOOD + GOOD, "x is written twice", id="twice"),
        pytest.param(
            "diff --git a/x b/y\nrename from x\nrename to y\n"
            "diff --git a/x b/z\nrename from x\nrename to z\n",
            "a file is taken twice",
            id="renamed twice",
        ),
    ],
)
def test_refuses(patch: str, reason: str) -> None:
    with pytest.raises(ValueError, match=rf"^(line \d+ of the patch: )?{re.escape(reason)}$"):
        applied(patch, FILES)
