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
            "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+\ud800\n",
            f"the patch holds a character that no file can hold{REFUSED}",
            id="surrogate",
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
    ],
)
def test_says_what_does_not_fit_and_what_the_file_says(
    root: Path, files: Files, text: str, expected: str
) -> None:
    before = files(root)
    assert patch(root, text) == failed(expected, "src/x.txt")
    assert files(root) == before


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
