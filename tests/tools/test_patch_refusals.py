"""What is not applied, and what is said of it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from react_agent.tools.apply_patch import APPLY_PATCH
from react_agent.tools.context import Context
from react_agent.tools.observation import Observation, Status, failed

Files = Callable[[Path], dict[str, bytes]]
CHANGE = """\
--- a/src/x.txt
+++ b/src/x.txt
@@ -4,3 +4,4 @@
 line 4
-line 5
+five
+and a half
 line 6
"""


def patch(root: Path, text: str) -> Observation:
    return APPLY_PATCH.call(text, Context(root))


REFUSED = "; nothing was changed"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param(
            "change line 5",
            "there is no diff: write --- a/PATH, +++ b/PATH and hunks that begin with "
            f"@@ -START,COUNT +START,COUNT @@{REFUSED}",
            id="no diff",
        ),
        pytest.param(
            "--- a/../out\n+++ b/../out\n@@ -1 +1 @@\n-a\n+b\n",
            "../out is outside the repository; only files in the repository can be reached: "
            f"write a path relative to its root{REFUSED}",
            id="outside",
        ),
        pytest.param(
            "--- /dev/null\n+++ b/.git/hooks/pre-commit\n@@ -0,0 +1 @@\n+a\n",
            f".git/hooks/pre-commit belongs to git: nothing in .git can be reached{REFUSED}",
            id="git",
        ),
        pytest.param(
            "--- /dev/null\n+++ b/up/out\n@@ -0,0 +1 @@\n+a\n",
            "up/out is a symbolic link that leads out of the repository; only files in the "
            f"repository can be reached: write a path relative to its root{REFUSED}",
            id="through a link that leads out",
        ),
        pytest.param(
            "--- a/link\n+++ b/link\n@@ -1 +1 @@\n-a\n+b\n",
            f"link is a link to src/x.txt: edit that file{REFUSED}",
            id="a link",
        ),
        pytest.param(
            "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/",
            "l would be a symbolic link or a submodule: only regular files can be patched"
            f"{REFUSED}",
            id="a new link",
        ),
        pytest.param(
            "--- a/x.txt\n+++ b/x.txt\n@@ -1 +1 @@\n-a\n+b\n",
            f"x.txt does not exist; near it: src/x.txt{REFUSED}",
            id="missing",
        ),
        pytest.param(
            "--- a/zzzz\n+++ /dev/null\n", f"zzzz does not exist{REFUSED}", id="missing, deleted"
        ),
        pytest.param(
            "--- a/src/z.txt\n+++ b/src/z.txt\n@@ -1 +1 @@\n-a\n+b\n",
            f"src/z.txt does not exist; near it: src/x.txt, src/y.txt{REFUSED}",
            id="missing, its folder is not",
        ),
        pytest.param(
            "--- a/zzzz\n+++ b/zzzz\n@@ -1 +1 @@\n-a\n+b\n",
            f"zzzz does not exist; to create it, write --- /dev/null{REFUSED}",
            id="missing, nothing near",
        ),
        pytest.param(
            "--- a/src\n+++ b/src\n@@ -1 +1 @@\n-a\n+b\n", f"src is a folder{REFUSED}", id="folder"
        ),
        pytest.param(
            "--- /dev/null\n+++ b/src/y.txt\n@@ -0,0 +1 @@\n+a\n",
            "src/y.txt exists already: to change it, write --- a/src/y.txt and quote its lines"
            f"{REFUSED}",
            id="exists",
        ),
        pytest.param(
            "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+\ud800\n",
            f"the diff holds a character that no file can hold{REFUSED}",
            id="surrogate",
        ),
        pytest.param(
            f"```diff\n{CHANGE}",
            f"the diff was cut off: it ends where the end of the fence should stand{REFUSED}",
            id="open fence",
        ),
    ],
)
def test_refuses_before_git_sees_it(root: Path, files: Files, text: str, reason: str) -> None:
    (root / "up").symlink_to("..")
    (root / "link").symlink_to("src/x.txt")
    before = files(root)
    assert patch(root, text) == failed(reason)
    assert files(root) == before


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            CHANGE.replace("-line 5", "-line five"),
            "hunk 1 of src/x.txt (line 3 of the diff) misquotes line 5 of the file; nothing was "
            "changed\n"
            "the diff says, where the file differs\n   5| line five\n"
            "the file says\n   1| line 1\n   2| line 2\n   3| line 3\n   4| line 4\n   5| line 5\n"
            "   6| line 6\n   7| line 7\n   8| line 8\n   9| line 9",
            id="a misquoted line",
        ),
        pytest.param(
            CHANGE.replace("-line 5", "-  line 5"),
            "hunk 1 of src/x.txt (line 3 of the diff) misquotes line 5 of the file; nothing was "
            "changed\n"
            "the diff says, with other spaces\n   5|   line 5\n"
            "the file says\n   1| line 1\n   2| line 2\n   3| line 3\n   4| line 4\n   5| line 5\n"
            "   6| line 6\n   7| line 7\n   8| line 8\n   9| line 9",
            id="other indentation",
        ),
        pytest.param(
            CHANGE.replace(" line 4", " line for").replace("-line 5", "-line five"),
            "hunk 1 of src/x.txt (line 3 of the diff) misquotes lines 4, 5 of the file; nothing "
            "was changed\n"
            "the diff says, where the file differs\n   4| line for\n   5| line five\n"
            "the file says\n   1| line 1\n   2| line 2\n   3| line 3\n   4| line 4\n   5| line 5\n"
            "   6| line 6\n   7| line 7\n   8| line 8\n   9| line 9",
            id="all misquoted lines",
        ),
        pytest.param(
            CHANGE.replace("-line 5\n", ""),
            "hunk 1 of src/x.txt (line 3 of the diff) leaves out line 5 of the file; nothing was "
            "changed\n"
            "the file says\n   1| line 1\n   2| line 2\n   3| line 3\n   4| line 4\n   5| line 5\n"
            "   6| line 6\n   7| line 7\n   8| line 8",
            id="a line that is not quoted",
        ),
        pytest.param(
            "--- a/src/x.txt\n+++ b/src/x.txt\n@@ -3,4 +3,4 @@\n line 3\n-line for\n+five\n "
            "line 6\n line 7\n",
            "hunk 1 of src/x.txt (line 3 of the diff) misquotes line 4 of the file and leaves out "
            "line 5 of it; nothing was changed\n"
            "the diff says, where the file differs\n   4| line for\n"
            "the file says\n   1| line 1\n   2| line 2\n   3| line 3\n   4| line 4\n   5| line 5\n"
            "   6| line 6\n   7| line 7\n   8| line 8\n   9| line 9",
            id="both",
        ),
        pytest.param(
            "--- a/src/x.txt\n+++ b/src/x.txt\n@@ -2,2 +2,2 @@\n qqqq\n-zzzz\n+yyyy\n",
            "hunk 1 of src/x.txt (line 3 of the diff) quotes lines that the file does not have; "
            "nothing was changed\n"
            "around line 2 the file says\n   1| line 1\n   2| line 2\n   3| line 3\n   4| line 4\n"
            "   5| line 5\n   6| line 6",
            id="lines from elsewhere",
        ),
        pytest.param(
            CHANGE.replace("-4,3 +4,4", "-4,5 +4,7").replace(" line 6\n", ""),
            "the diff looks cut off: its last hunk announces two or more lines that did not come, "
            "and ends in a change; send all of it, with unchanged lines at the end; nothing was "
            "changed",
            id="cut off",
        ),
        pytest.param(
            CHANGE.replace("+five\n+and a half\n", "+line 5\n"),
            "the diff changes nothing: what it removes it adds again; nothing was changed",
            id="no change",
        ),
    ],
)
def test_says_what_does_not_fit_and_what_the_file_says(
    root: Path, files: Files, text: str, expected: str
) -> None:
    before = files(root)
    assert patch(root, text) == failed(expected, "src/x.txt")
    assert files(root) == before


def test_of_very_many_misquoted_lines_some_are_named(root: Path) -> None:
    body = "".join(f"-{number}\n" if number % 2 else f" line {number}\n" for number in range(1, 41))
    (root / "f").write_text("".join(f"line {number}\n" for number in range(1, 41)))
    lines = patch(root, f"--- a/f\n+++ b/f\n@@ -1,40 +1,20 @@\n{body}").text.split("\n")
    assert (lines[0], lines[12]) == (
        "hunk 1 of f (line 3 of the diff) misquotes lines 1, 3, 5, 7, 9, 11, 13, 15, 17, 19 and "
        "10 more of the file; nothing was changed",
        "[10 more]",
    )


BELOW = "--- a/g\n+++ b/g\n@@ -2,2 +2,2 @@\n x\n-y\n+Y\n"


def test_adds_no_lines_where_the_place_is_not_plain(root: Path) -> None:
    (root / "g").write_text("0\nx\ny\nz\n\nx\ny\nz\n")
    assert patch(root, BELOW) == failed(
        "hunk 1 of g (line 3 of the diff) ends in a change, and so fits only at the end of the "
        "file: quote the unchanged lines below the change too; nothing was changed",
        "g",
    )


def test_says_where_lines_stand_that_stand_twice(root: Path) -> None:
    (root / "g").write_text("0\nx\ny\nz\n\nx\ny\nz\n")
    text = "--- a/g\n+++ b/g\n@@ -1,3 +1,3 @@\n x\n-y\n+Y\n z\n"
    assert patch(root, text) == failed(
        "hunk 1 of g (line 3 of the diff) has a wrong line number: what it quotes begins at line "
        "2, 6; write the right one, or quote more lines; nothing was changed",
        "g",
    )


def test_a_hunk_that_quotes_nothing_of_a_file_with_lines(root: Path) -> None:
    text = "--- a/src/y.txt\n+++ b/src/y.txt\n@@ -1,0 +1 @@\n+zero\n"
    assert patch(root, text) == failed(
        "git refuses the diff, patch failed: src/y.txt:1; nothing was changed", "src/y.txt"
    )


def test_without_a_repository_it_is_an_answer(tmp_path: Path) -> None:
    seen = patch(tmp_path, CHANGE)
    assert seen.status is Status.FAILED
    assert seen.text.startswith("git ls-files: not a git repository")
