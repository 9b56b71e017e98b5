import os
from pathlib import Path

import pytest
from by_hand import files, files_of_at_most

from react_agent.tools.edits.edit import FileState, exchange


def test_a_file_may_become_a_folder(root: Path) -> None:
    after = {"src/x.txt/inner": FileState(b"i"), "src/x.txt": None}
    before = {"src/x.txt/inner": None, "src/x.txt": FileState(b"")}
    assert exchange(root, before, after) == ""
    assert files(root) == {"src/x.txt/inner": b"i", "src/y.txt": b"one\ntwo\n"}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("src/y.txt/z", id="below a file"),
        pytest.param("up/out", id="a folder swapped for a link"),
        pytest.param("src/link", id="a file swapped for a link"),
        pytest.param("pipe", id="a file swapped for a FIFO"),
    ],
)
def test_if_one_can_not_be_written_none_is(root: Path, name: str) -> None:
    (root / "up").symlink_to("..")
    (root / "src" / "link").symlink_to("../../out")
    os.mkfifo(root / "pipe")
    (root.parent / "out").write_bytes(b"out")
    original = files(root)
    before = {"new/one": None, "src/x.txt": FileState(original["src/x.txt"], 0o644), name: None}
    after = {"new/one": FileState(b"1"), "src/x.txt": FileState(b"x"), name: FileState(b"n")}
    assert exchange(root, before, after) == (
        f"{name} can't be written: it is not a regular file, or a parent is not a folder"
    )
    assert files(root) == original
    assert not (root / "new").exists()
    assert (root.parent / "out").read_bytes() == b"out"


def test_a_full_disk_leaves_everything_as_it_was(root: Path) -> None:
    original = files(root)
    before = {name: FileState(data, 0o644) for name, data in original.items()}
    after = {"src/x.txt": FileState(b"small"), "src/y.txt": FileState(b"x" * 5_000)}
    with files_of_at_most(2_000):
        refused = exchange(root, before, after)
    assert refused == "src/y.txt can't be written: File too large"
    assert files(root) == original
