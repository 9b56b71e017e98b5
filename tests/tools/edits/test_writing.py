import os
import stat
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from react_agent.tools.edits.edit import FileState, exchange, states, target
from react_agent.tools.files.paths import Cause, Place, Refused

Files = Callable[[Path], dict[str, bytes]]
OUT = "only files in the repository can be reached: write a path relative to its root"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("`./src/x.txt`", "src/x.txt", id="as models write it"),
        pytest.param("new/deep/x", "new/deep/x", id="missing parent"),
        pytest.param(
            "../x",
            Refused(Cause.FORBIDDEN, f"../x is outside the repository; {OUT}"),
            id="dots",
        ),
        pytest.param(
            "/etc/zzz",
            Refused(Cause.FORBIDDEN, f"/etc/zzz is outside the repository; {OUT}"),
            id="absolute",
        ),
        pytest.param(
            ".git/config",
            Refused(
                Cause.FORBIDDEN, ".git/config belongs to git: nothing in .git can be reached"
            ),
            id="git",
        ),
        pytest.param(
            "up/x",
            Refused(
                Cause.FORBIDDEN, f"up/x is a symbolic link that leads out of the repository; {OUT}"
            ),
            id="link out",
        ),
        pytest.param(
            "gits/x",
            Refused(Cause.FORBIDDEN, "gits/x leads into .git, which can't be reached"),
            id="link into .git",
        ),
        pytest.param(
            "link",
            Refused(Cause.FORBIDDEN, "link is a link to src/x.txt: edit that file"),
            id="link",
        ),
        pytest.param(
            ".",
            Refused(
                Cause.FOLDER, "this is the repository's root, a folder: write a file's path"
            ),
            id="root",
        ),
    ],
)  # fmt: skip
def test_where_a_file_may_be_written(root: Path, text: str, expected: str | Refused) -> None:
    (root / "up").symlink_to("..")
    (root / "gits").symlink_to(".git")
    (root / "link").symlink_to("src/x.txt")
    found = target(root, text)
    assert (found.name if isinstance(found, Place) else found) == expected


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        pytest.param("src", "src is a folder", id="folder"),
        pytest.param("pipe", "pipe is not a regular file: only those can be read", id="FIFO"),
        pytest.param("large", "large is too large to be edited (20,000,001 bytes)", id="large"),
    ],
)
def test_what_is_no_file_has_no_state(root: Path, name: str, reason: str) -> None:
    os.mkfifo(root / "pipe")
    with (root / "large").open("wb") as file:
        file.truncate(20_000_001)
    found = states(root, ["src/x.txt", name])
    assert isinstance(found, Refused)
    assert found.reason == reason


def test_writes_creates_and_deletes_and_goes_back(root: Path, files: Files) -> None:
    (root / "src" / "x.txt").chmod(0o640)
    original = files(root)
    after = {
        "src/x.txt": FileState(b"new\r\n", 0o640),
        "src/y.txt": None,
        "deep/er/z": FileState(b"z"),
        "run": FileState(b"", 0o755),
    }
    before = states(root, after)
    assert not isinstance(before, Refused)
    assert exchange(root, before, after) is None
    assert files(root) == {"src/x.txt": b"new\r\n", "deep/er/z": b"z", "run": b""}
    assert stat.S_IMODE((root / "src" / "x.txt").stat().st_mode) == 0o640
    assert os.access(root / "run", os.X_OK)
    assert exchange(root, after, before) is None
    assert files(root) == original
    assert not (root / "deep").exists()


def test_a_file_may_become_a_folder(root: Path, files: Files) -> None:
    after = {"src/x.txt/inner": FileState(b"i"), "src/x.txt": None}
    before = {"src/x.txt/inner": None, "src/x.txt": FileState(b"")}
    assert exchange(root, before, after) is None
    assert files(root) == {"src/x.txt/inner": b"i", "src/y.txt": b"one\ntwo\n"}


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        pytest.param("src", "src is a folder: write a file's path", id="folder"),
        pytest.param(
            "src/y.txt/z",
            "src/y.txt/z can't be written: a part of its path is no folder, or it is no regular "
            "file",
            id="below a file",
        ),
        pytest.param(
            "up/out",
            "up/out can't be written: a part of its path is no folder, or it is no regular file",
            id="a folder swapped for a link",
        ),
        pytest.param(
            "src/link",
            "src/link can't be written: a part of its path is no folder, or it is no regular file",
            id="a file swapped for a link",
        ),
        pytest.param(
            "pipe",
            "pipe can't be written: a part of its path is no folder, or it is no regular file",
            id="a file swapped for a FIFO",
        ),
    ],
)
def test_if_one_can_not_be_written_none_is(
    root: Path, files: Files, name: str, reason: str
) -> None:
    (root / "up").symlink_to("..")
    (root / "src" / "link").symlink_to("../../out")
    os.mkfifo(root / "pipe")
    (root.parent / "out").write_bytes(b"out")
    original = files(root)
    before = {"new/one": None, "src/x.txt": FileState(original["src/x.txt"], 0o644), name: None}
    after = {"new/one": FileState(b"1"), "src/x.txt": FileState(b"x"), name: FileState(b"n")}
    assert exchange(root, before, after) == Refused(Cause.FORBIDDEN, reason)
    assert files(root) == original
    assert not (root / "new").exists()
    assert (root.parent / "out").read_bytes() == b"out"


def test_a_full_disk_leaves_everything_as_it_was(
    root: Path,
    files: Files,
    files_of_at_most: Callable[[int], AbstractContextManager[None]],
) -> None:
    original = files(root)
    before = {name: FileState(data, 0o644) for name, data in original.items()}
    after = {"src/x.txt": FileState(b"small"), "src/y.txt": FileState(b"x" * 5_000)}
    with files_of_at_most(2_000):
        refused = exchange(root, before, after)
    assert refused == Refused(Cause.FORBIDDEN, "src/y.txt can't be written: File too large")
    assert files(root) == original
