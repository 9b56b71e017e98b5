"""What is not applied, and what is said of it."""

from pathlib import Path

import pytest
from small_patch import CHANGE, Files, patch

from react_agent.tools.observation import Status, failed

REFUSED = "; nothing was changed"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param(
            "change line 5",
            "there is no patch: write --- a/PATH and +++ b/PATH, below them hunks that begin with "
            "@@ -START,COUNT +START,COUNT @@, their lines with a blank, - or + before them"
            f"{REFUSED}",
            id="no patch",
        ),
        pytest.param(
            "--- a/../out\n+++ b/../out\n@@ -1 +1 @@\n-a\n+b\n",
            "../out is outside the repository: write its path from the root of the repository"
            f"{REFUSED}",
            id="outside",
        ),
        pytest.param(
            "--- /dev/null\n+++ b/.git/hooks/pre-commit\n@@ -0,0 +1 @@\n+a\n",
            f".git/hooks/pre-commit belongs to git: nothing in .git can be patched{REFUSED}",
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
            "l would have mode 120000: only files can be patched, of mode 100644 or 100755, "
            f"no links, no submodules{REFUSED}",
            id="a new link",
        ),
        pytest.param(
            "--- a/src/xy.txt\n+++ b/src/xy.txt\n@@ -1 +1 @@\n-a\n+b\n",
            f"src/xy.txt does not exist; near it: src/x.txt, src/y.txt{REFUSED}",
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
            "--- a/src\n+++ b/src\n@@ -1 +1 @@\n-a\n+b\n",
            f"src is a folder: write the path of a file{REFUSED}",
            id="folder",
        ),
        pytest.param(
            "--- /dev/null\n+++ b/src\n@@ -0,0 +1 @@\n+a\n",
            f"src is a folder: write the path of a file{REFUSED}",
            id="a folder, new",
        ),
        pytest.param(
            "--- /dev/null\n+++ b/src/y.txt\n@@ -0,0 +1 @@\n+a\n",
            "src/y.txt exists already: to change it, write --- a/src/y.txt and quote its lines"
            f"{REFUSED}",
            id="exists",
        ),
        pytest.param(
            "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+\ud800\n",
            f"the patch holds a character that no file can hold{REFUSED}",
            id="surrogate",
        ),
        pytest.param(
            CHANGE.replace("+five\n+and a half\n", "+line 5\n"),
            "no hunk changes anything: put - before the lines that go and + before those that come"
            f"{REFUSED}",
            id="no change",
        ),
    ],
)
def test_refuses_before_git_sees_it(root: Path, files: Files, text: str, reason: str) -> None:
    (root / "up").symlink_to("..")
    (root / "link").symlink_to("src/x.txt")
    before = files(root)
    assert patch(root, text) == failed(reason)
    assert files(root) == before


NOT_THERE = "hunk 1 of src/x.txt (line 3 of the patch) is not in the file as it quotes it"
WHOLE = "".join(f"{number:>4}| line {number}\n" for number in range(1, 13)).split("\n")


def says(last: int) -> str:
    return "\n".join(("the file says", *WHOLE[:last]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            CHANGE.replace("-line 5", "-line five"),
            f"{NOT_THERE}{REFUSED}:\n"
            f"  `-line five` is not there; line 5 of the file is `line 5`\n{says(9)}",
            id="a misquoted line",
        ),
        pytest.param(
            CHANGE.replace(" line 4", " line for").replace("-line 5", "-line five"),
            f"{NOT_THERE}{REFUSED}:\n"
            "  ` line for` is not there; line 4 of the file is `line 4`\n"
            f"  `-line five` is not there; line 5 of the file is `line 5`\n{says(9)}",
            id="all misquoted lines",
        ),
        pytest.param(
            CHANGE.replace("-line 5\n", ""),
            "hunk 1 of src/x.txt (line 3 of the patch) leaves out lines between those it quotes "
            f"(line 5 of the file): quote them too{REFUSED}\n{says(9)}",
            id="a line that is not quoted",
        ),
        pytest.param(
            "--- a/src/x.txt\n+++ b/src/x.txt\n@@ -3,4 +3,4 @@\n line 3\n-line for\n+five\n "
            "line 6\n line 7\n",
            f"{NOT_THERE}{REFUSED}:\n"
            f"  `-line for` is not there; line 4 of the file is `line 4`\n{says(11)}",
            id="both",
        ),
        pytest.param(
            "--- a/src/x.txt\n+++ b/src/x.txt\n@@ -2,2 +2,2 @@\n qqqq\n-zzzz\n+yyyy\n",
            "hunk 1 of src/x.txt (line 3 of the patch) quotes lines that the file does not have: "
            f"read the file again, and quote it{REFUSED}\n" + "\n".join(WHOLE[:8]),
            id="lines from elsewhere",
        ),
        pytest.param(
            CHANGE.replace("-4,3 +4,4", "-4,5 +4,7").replace(" line 6\n", ""),
            "hunk 1 of src/x.txt (line 3 of the patch) looks cut off: its header announces "
            "lines that did not come: send all of it, with three unchanged lines at its end"
            f"{REFUSED}",
            id="cut off",
        ),
    ],
)
def test_says_what_does_not_fit_and_what_the_file_says(
    root: Path, files: Files, text: str, expected: str
) -> None:
    before = files(root)
    assert patch(root, text) == failed(expected, "src/x.txt")
    assert files(root) == before


def test_of_very_many_misquoted_lines_some_are_shown(root: Path) -> None:
    body = "".join(f"-{number}\n" if number % 2 else f" line {number}\n" for number in range(1, 41))
    (root / "f").write_text("".join(f"line {number}\n" for number in range(1, 41)))
    lines = patch(root, f"--- a/f\n+++ b/f\n@@ -1,40 +1,20 @@\n{body}").text.split("\n")
    assert lines[0] == (
        f"hunk 1 of f (line 3 of the patch) is not in the file as it quotes it{REFUSED}:"
    )
    assert lines[7:9] == ["  and 14 more of its lines", "the file says"]


@pytest.mark.parametrize("start", [1, 4])
def test_says_where_lines_stand_that_stand_twice(root: Path, start: int) -> None:
    (root / "g").write_text("0\nx\ny\nz\n\nx\ny\nz\n")
    text = f"--- a/g\n+++ b/g\n@@ -{start},3 +{start},3 @@\n x\n-y\n+Y\n z\n"
    assert patch(root, text) == failed(
        "hunk 1 of g (line 3 of the patch) fits equally well at lines 2, 6: quote more of the "
        f"lines around the one that is meant, or write its line number{REFUSED}",
        "g",
    )


def test_a_hunk_that_quotes_nothing_of_a_file_with_lines(root: Path) -> None:
    text = "--- a/src/y.txt\n+++ b/src/y.txt\n@@ -1,0 +1 @@\n+zero\n"
    assert patch(root, text) == failed(
        "hunk 1 of src/y.txt (line 3 of the patch) quotes no line of the file: quote the lines "
        f"between which the new ones belong{REFUSED}",
        "src/y.txt",
    )


def test_a_refusal_of_several_files_names_them_all(root: Path) -> None:
    text = CHANGE.replace("-line 5", "-zzzz 5") + CHANGE.replace("x.txt", "y.txt")
    lines = patch(root, text).text.split("\n")
    assert [line.split(" (")[0] for line in lines if line.startswith("hunk")] == [
        "hunk 1 of src/x.txt",
        "hunk 1 of src/y.txt",
    ]


def test_without_a_repository_it_is_an_answer(tmp_path: Path) -> None:
    seen = patch(tmp_path, CHANGE)
    assert seen.status is Status.FAILED
    assert seen.text.startswith("git ls-files: not a git repository")
