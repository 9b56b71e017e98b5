"""A folder as a mapping: which names it has, which texts, and what it refuses to read."""

import os
import subprocess
from pathlib import Path

import pytest

from react_agent.tools.edits.repair_patch import RepoFiles, Unusable, files_of, walked
from react_agent.tools.errors import WorkspaceError

NAMES = ["a b.txt", "crlf.txt", 'quo"te.txt', "src/x.py", "two\nlines.txt"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    top = tmp_path / "top"
    (top / "src").mkdir(parents=True)
    for name in NAMES:
        (top / name).write_bytes(b"one\r\ntwo\r\n" if name == "crlf.txt" else b"one\ntwo\n")
    return top


def git(top: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(top), *arguments], check=True, capture_output=True)


def test_lists_what_git_lists_from_the_top(folder: Path) -> None:
    git(folder, "init", "--quiet")
    (folder / ".gitignore").write_text("*.log\n")
    (folder / "x.log").write_text("")
    git(folder, "add", "src")
    files = files_of(folder / "src")
    assert files.root == folder.resolve()
    assert list(files) == sorted([*NAMES, ".gitignore"])
    assert ("x.log" in files, "src/x.py" in files, len(files)) == (True, True, 6)


def test_reads_only_what_is_asked_for(folder: Path) -> None:
    files = files_of(folder)
    assert sorted(files) == NAMES
    for name in NAMES[2:]:
        (folder / name).unlink()
    assert (files["a b.txt"], files["crlf.txt"]) == ("one\ntwo\n", "one\r\ntwo\r\n")
    (folder / "a b.txt").write_text("another\n")
    assert files["a b.txt"] == "one\ntwo\n"  # as it was when the patch was placed
    with pytest.raises(KeyError):
        files["nosuch"]


def test_any_bytes_survive(folder: Path) -> None:
    data = b"\xef\xbb\xbfgr\xfc\xdfe\x0c\r\n\xe2\x80\xa8"
    (folder / "latin.txt").write_bytes(data)
    assert files_of(folder)["latin.txt"].encode(errors="surrogateescape") == data


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        pytest.param("src", "src is not a regular file: only those can be patched", id="folder"),
        pytest.param("pipe", "pipe is not a regular file: only those can be patched", id="FIFO"),
    ],
)
def test_refuses_to_read(folder: Path, name: str, reason: str) -> None:
    os.mkfifo(folder / "pipe")
    with pytest.raises(Unusable) as caught:
        RepoFiles(folder, lambda: [name])[name]
    assert (str(caught.value), caught.value.exit_code) == (reason, 1)


def test_too_many_to_guess_among(folder: Path) -> None:
    with pytest.raises(WorkspaceError) as caught:
        walked(folder, most=4)
    line = f"{folder} is no repository and holds more than 4 files: "
    assert str(caught.value) == f"{line}name a smaller folder with --repo"


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("bare", "{0}/bare is a bare repository, or lies in .git: name a work tree"),
        ("top/.git/refs", "{0}/top/.git is a bare repository, or lies in .git: name a work tree"),
        ("nowhere", "there is no folder {0}/nowhere"),
        ("top/src/x.py", "{0}/top/src/x.py is not a folder"),
    ],
)
def test_no_folder_to_work_in(folder: Path, tmp_path: Path, name: str, line: str) -> None:
    git(folder, "init", "--quiet")
    git(tmp_path, "init", "--quiet", "--bare", "bare")
    with pytest.raises(WorkspaceError) as caught:
        files_of(tmp_path / name)
    assert str(caught.value) == line.format(tmp_path)
