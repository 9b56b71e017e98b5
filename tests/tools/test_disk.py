"""Files of ours: whole or as they were, no larger than they may be, and none that has no end."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from by_hand import files_of_at_most, write

from react_agent.tools import disk
from react_agent.tools.disk import remove_tree
from react_agent.tools.errors import WorkspaceError


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_reads_so_much_and_no_more(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("abc")
    assert disk.read_bytes(tmp_path / "file", 3) == b"abc"
    for path, most in ((tmp_path / "file", 2), (Path("/dev/zero"), 1_000_000)):
        with pytest.raises(OSError, match="File too large"):
            disk.read_bytes(path, most)


def test_reads_the_start_and_the_end(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"abcdef")
    assert (disk.start_of(file, 2), disk.end_of(file, 2)) == (b"ab", b"ef")


def test_text_has_one_kind_of_line_ends(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes("ä\r\nb\rc\n".encode())
    assert disk.read_text(file) == file.read_text(encoding="utf-8") == "ä\nb\nc\n"


def test_a_file_that_can_not_be_written_is_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "file"
    disk.write_over(file, b"old", mode=0o755)
    assert file.stat().st_mode & 0o777 == 0o755
    with files_of_at_most(1_000), pytest.raises(OSError):
        disk.write_over(file, b"x" * 2_000)
    assert (file.read_text(), names(tmp_path)) == ("old", ["file"])


@pytest.mark.attack(
    "a link in the place of a file of ours that is written anew", by="command", wall="paths"
)
def test_writes_where_nothing_is(tmp_path: Path) -> None:
    disk.write_new(tmp_path / "free", b"x")
    (tmp_path / "taken").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileExistsError):
        disk.write_new(tmp_path / "taken", b"x")
    assert names(tmp_path) == ["free", "taken"]


@pytest.mark.attack("{id} in the place of an index that is read", by="command", wall="paths")
@pytest.mark.parametrize(
    "made",
    [
        pytest.param(lambda path: path.symlink_to("file"), id="a link"),
        pytest.param(os.mkfifo, id="a pipe that nobody writes"),
        pytest.param(lambda path: path.mkdir(), id="a folder"),
    ],
)
def test_reads_what_is_a_file(made: Callable[[Path], None], tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"abc")
    assert disk.start_of_regular(tmp_path / "file", 2) == b"ab"
    made(tmp_path / "other")
    before = names(Path("/dev/fd"))
    with pytest.raises(OSError):
        disk.start_of_regular(tmp_path / "other", 2)
    assert names(Path("/dev/fd")) == before


@pytest.mark.attack(
    "a link in the place of the file that a shell tells its folder in", by="command", wall="paths"
)
def test_what_is_read_is_the_file_and_not_its_name(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("key")
    with disk.shared_file(".cwd-", str(tmp_path)) as (file, path):
        path.write_bytes(b"/folder\n")
        assert file.read() == b"/folder\n"
        path.unlink()
        path.symlink_to(tmp_path / "key")
        file.seek(0)
        assert file.read() == b"/folder\n"
    assert names(tmp_path) == ["key"]


def test_a_folder_that_resists_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    write(folder, {"closed/inner/file": "text"})
    (folder / "closed" / "inner").chmod(0o500)
    (folder / "closed").chmod(0o000)
    remove_tree(folder)
    assert not folder.exists()


def test_a_copy_that_fails_says_why_once(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    for name in ("one", "two"):
        os.mkfifo(tmp_path / "source" / name)
    with pytest.raises(OSError, match=r"\A`[^`]*` is a named pipe\Z"):
        disk.copy_tree(tmp_path / "source", tmp_path / "target")


def test_what_a_link_points_to_stays(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    kept.chmod(0o500)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link").symlink_to(kept)
    (tmp_path / "other").symlink_to(kept)
    (tmp_path / "file").write_text("text")
    remove_tree(folder, tmp_path / "other", tmp_path / "gone", tmp_path / "file")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept"]
    assert kept.stat().st_mode & 0o777 == 0o500


def test_what_can_not_be_removed_is_said(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    itself = tmp_path / "inner" / ".."
    with pytest.raises(WorkspaceError) as caught:
        remove_tree(itself)
    assert str(caught.value).startswith(f"{itself} can't be removed; rm: ")
