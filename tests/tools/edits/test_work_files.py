"""The files that an edit may be of."""

from collections.abc import Callable
from pathlib import Path

import pytest

from react_agent.tools.context import Context
from react_agent.tools.edits.apply_patch import APPLY_PATCH
from react_agent.tools.observation import Observation

Files = Callable[[Path], dict[str, bytes]]
REFUSED = "; nothing was changed"


def edit(name: str, old: str = "one", new: str = "1") -> str:
    return f"--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-{old}\n+{new}\n"


def create(name: str) -> str:
    return f"--- /dev/null\n+++ b/{name}\n@@ -0,0 +1 @@\n+a\n"


def patch(root: Path, text: str) -> Observation:
    return APPLY_PATCH.call(text, Context(root))


@pytest.fixture
def folder(root: Path) -> Path:
    """With a link to a file, one to a folder, and files that git ignores."""
    (root / ".gitignore").write_text("*.log\nbuilt/\n")
    (root / "a.log").write_text("one\n")
    (root / "built").mkdir()
    (root / "built" / "it.txt").write_text("one\n")
    (root / "link").symlink_to("src/y.txt")
    (root / "folder").symlink_to("src")
    return root


@pytest.mark.parametrize("name", ["a.log", "built/it.txt"])
def test_ignored_files_are_edited_by_their_names(folder: Path, name: str) -> None:
    assert patch(folder, edit(name)).text == f"changed {name} (+1 -1)\n{name}\n   1| 1"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param(create("a.log"), "a.log exists already: to change it, write --- a/a.log and "
                     "quote its lines", id="an ignored file is in the way"),
        pytest.param(edit("link"), "link is a link to src/y.txt: edit that file", id="link"),
        pytest.param(edit("folder/y.txt"), "folder/y.txt is a link to src/y.txt: edit that file",
                     id="behind a link"),
        pytest.param(create("src/y.txt/z"), "src/y.txt is a file, so src/y.txt/z can't be made: "
                     "write another path", id="a file is in the way"),
    ],
)  # fmt: skip
def test_refuses_what_is_no_place_for_a_file(
    folder: Path, files: Files, text: str, reason: str
) -> None:
    before = files(folder)
    seen = patch(folder, text)
    assert (seen.status, seen.text) == ("failed", f"{reason}{REFUSED}")
    assert files(folder) == before


def test_permissions_stay_and_follow_a_renamed_file(folder: Path) -> None:
    (folder / "src" / "y.txt").chmod(0o750)
    moved = "diff --git a/src/y.txt b/z.txt\nrename from src/y.txt\nrename to z.txt\n"
    assert patch(folder, edit("src/y.txt")).status == "ok"
    assert (folder / "src" / "y.txt").stat().st_mode & 0o777 == 0o750
    assert patch(folder, moved).status == "ok"
    assert (folder / "z.txt").stat().st_mode & 0o777 == 0o750


@pytest.mark.parametrize(
    ("before", "said", "after"), [(0o640, "100755", 0o751), (0o755, "100644", 0o644)]
)
def test_a_mode_says_whether_a_file_can_be_executed(
    folder: Path, before: int, said: str, after: int
) -> None:
    (folder / "src" / "y.txt").chmod(before)
    other = "100644" if said == "100755" else "100755"
    text = f"diff --git a/src/y.txt b/src/y.txt\nold mode {other}\nnew mode {said}\n"
    assert patch(folder, text).status == "ok"
    assert (folder / "src" / "y.txt").stat().st_mode & 0o777 == after


def test_a_file_that_is_too_large(folder: Path) -> None:
    with (folder / "big").open("wb") as big:
        big.truncate(20_000_001)
    assert patch(folder, edit("big")).text == (
        f"big is too large to be edited (20,000,001 bytes){REFUSED}"
    )
