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
            "--- /dev/null\n+++ b/up/out\n@@ -0,0 +1 @@\n+a\n",
            "up/out is a symbolic link that leads out of the repository; only files in the "
            f"repository can be reached: write a path relative to its root{REFUSED}",
            id="through a link that leads out",
        ),
        pytest.param(
            "--- a/src/xy.txt\n+++ b/src/xy.txt\n@@ -1 +1 @@\n-a\n+b\n",
            f"src/xy.txt does not exist; near it: src/x.txt, src/y.txt{REFUSED}",
            id="missing",
        ),
        pytest.param(
            "--- a/zzzz\n+++ b/zzzz\n@@ -1 +1 @@\n-a\n+b\n",
            f"zzzz does not exist; to create it, write --- /dev/null{REFUSED}",
            id="missing, nothing near",
        ),
    ],
)
def test_refuses_before_git_sees_it(root: Path, files: Files, text: str, reason: str) -> None:
    (root / "up").symlink_to("..")
    (root / "link").symlink_to("src/x.txt")
    before = files(root)
    assert patch(root, text) == failed(reason)
    assert files(root) == before


WHOLE = "".join(f"{number:>4}| line {number}\n" for number in range(1, 13)).split("\n")


def says(last: int) -> str:
    return "\n".join(("the file says", *WHOLE[:last]))


def test_without_a_repository_it_is_an_answer(tmp_path: Path) -> None:
    seen = patch(tmp_path, CHANGE)
    assert seen.status is Status.FAILED
    assert seen.text.startswith("git ls-files: not a git repository")
