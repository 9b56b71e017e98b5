"""What git and unidiff make of a patch that is about to leave."""

import os
from pathlib import Path

import pytest
from by_hand import plain_git, write
from check_rows import table_of
from refusals import refusal

from react_agent.parsers.patch import Refused, Repaired
from react_agent.parsers.patch.changes import Result
from react_agent.tools.edits import repair_patch
from react_agent.tools.edits.repair_patch import RepoFiles, Unusable, files_of, repaired_for_git
from react_agent.tools.errors import WorkspaceError

HEAD = "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n"
ONE = f"{HEAD}@@ -1,2 +1,2 @@\n-one\n+uno\n two\n"
LATIN = f"{HEAD}@@ -1 +1 @@\n-gr\udcfc\udcdfe\x0c\n+gross\udce9\n"
NEW = (
    "diff --git a/n.py b/n.py\nnew file mode 100755\n--- /dev/null\n+++ b/n.py\n@@ -0,0 +1 @@\n+x\n"
)
GONE = (
    "diff --git a/x.py b/x.py\ndeleted file mode 100644\n--- a/x.py\n+++ /dev/null\n"
    "@@ -1,2 +0,0 @@\n-one\n-two\n"
)
MOVED = (
    "diff --git a/x.py b/y z.py\nsimilarity index 50%\nrename from x.py\nrename to y z.py\n"
    "--- a/x.py\n+++ b/y z.py\n@@ -1,2 +1,2 @@\n-one\n+uno\n two\n"
)


def objection(patch: str, result: Result, folder: Path) -> str:
    made = Repaired(patch, (result,), ())
    found = repaired_for_git("", files_of(folder), repair=lambda *_: made)
    return "\n".join(found.reasons) if isinstance(found, Refused) else ""


@table_of(
    ("before", "patch", "result"),
    [
        (b"gr\xfc\xdfe\x0c\n", LATIN, Result("x.py", "x.py", "gross\udce9\n")),
        pytest.param(b"", NEW, Result(None, "n.py", "x\n", "100755"), id="new"),
        pytest.param(b"one\ntwo\n", GONE, Result("x.py", None, None), id="deleted"),
        pytest.param(b"one\ntwo\n", MOVED, Result("x.py", "y z.py", "uno\ntwo\n"), id="renamed"),
    ],
)
def test_nobody_objects(tmp_path: Path, before: bytes, patch: str, result: Result) -> None:
    (tmp_path / "x.py").write_bytes(before)
    assert objection(patch, result, tmp_path) == ""
    assert [path.name for path in tmp_path.iterdir()] == ["x.py"]  # tried on copies
    assert (tmp_path / "x.py").read_bytes() == before


@table_of(
    ("patch", "result", "line"),
    {
        "does not apply": (
            ONE.replace("two", "tow"),
            Result("x.py", "x.py", "uno\ntwo\n"),
            "git rejects the repaired patch: patch failed: x.py:1",
        ),
        "another result": (
            ONE,
            Result("x.py", "x.py", "UNO\ntwo\n"),
            "git applies the repaired patch differently: x.py",
        ),
    },
)
def test_objects(tmp_path: Path, patch: str, result: Result, line: str) -> None:
    (tmp_path / "x.py").write_text("one\ntwo\n")
    assert objection(patch, result, tmp_path) == line


NAMES = ["a b.txt", "crlf.txt", 'quo"te.txt', "src/x.py", "two\nlines.txt"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    top = tmp_path / "top"
    (top / "src").mkdir(parents=True)
    for name in NAMES:
        (top / name).write_bytes(b"one\r\ntwo\r\n" if name == "crlf.txt" else b"one\ntwo\n")
    return top


def test_lists_what_git_lists_from_the_top(folder: Path) -> None:
    plain_git(folder, "init", "--quiet")
    write(folder, {".gitignore": "*.log\n", "x.log": ""})
    plain_git(folder, "add", "src")
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


def test_refuses_to_read_a_pipe(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with pytest.raises(Unusable) as caught:
        RepoFiles(folder, lambda: ["pipe"])["pipe"]
    reason = "pipe is not a regular file: only those can be patched"
    assert (str(caught.value), caught.value.exit_code) == (reason, 1)


def test_too_many_to_guess_among(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repair_patch, "MOST_FILES", 4)
    told = refusal(WorkspaceError, lambda: list(files_of(folder)))
    line = f"{folder} is not a repository and holds more than 4 files: "
    assert told == f"{line}name a smaller folder with --repo"


@table_of(
    ("name", "line"),
    [
        ("bare", "{0}/bare is a bare repository or inside .git: name a work tree"),
        ("top/.git/refs", "{0}/top/.git is a bare repository or inside .git: name a work tree"),
        ("nowhere", "there is no folder {0}/nowhere"),
        ("top/src/x.py", "{0}/top/src/x.py is not a folder"),
    ],
)
def test_no_folder_to_work_in(folder: Path, tmp_path: Path, name: str, line: str) -> None:
    plain_git(folder, "init", "--quiet")
    plain_git(tmp_path, "init", "--quiet", "--bare", "bare")
    assert refusal(WorkspaceError, files_of, tmp_path / name) == line.format(tmp_path)
