"""What commands leave in the way of the git that we run: indexes and locks."""

import hashlib
import os
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from by_hand import plain_git, write

from react_agent.tools import disk
from react_agent.tools.errors import MachineError
from react_agent.tools.git import workspace
from react_agent.tools.git.workspace import Workspace, added, reopen

TRACKED = {".gitignore", "README", "src/one.py", "src/two.py"}
Spoil = Callable[[Path], object]


def _index(*names: bytes, version: int = 2) -> bytes:
    """As git would never write it."""
    held = b"DIRC" + struct.pack(">II", version, len(names))
    for name in names:
        entry = struct.pack(">10I", *(0,) * 6, 0o100644, *(0,) * 3) + b"\1" * 20
        entry += struct.pack(">H", min(len(name), 0xFFF)) + (b"\0" if version == 4 else b"") + name
        held += entry + b"\0" * (1 if version == 4 else 8 - len(entry) % 8)
    return held + hashlib.sha1(held, usedforsecurity=False).digest()


def _grows(index: Path) -> None:
    """45 KB, of which git makes 6 MB: each name goes on where the one before it ends."""
    index.write_bytes(_index(b"a" * 30_000, *[b"b"] * 200, version=4))


def _link(index: Path) -> None:
    other = index.with_name("other")
    other.write_bytes(_index(b"linked"))
    index.unlink()
    index.symlink_to(other)


def _pipe(index: Path) -> None:
    index.unlink()
    os.mkfifo(index)


@pytest.mark.attack("while it is made anew, .git is swapped for a link", by="command", wall="paths")
def test_nothing_is_written_through_a_link_in_its_place(
    made: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs, other = made.root / ".git", tmp_path / "other"
    write(other, {"config": "of somebody else"})

    def removed(*places: Path) -> None:
        disk.remove_tree(*places)
        if theirs in places:  # as a command in the background does that waits for it
            theirs.symlink_to(other)

    monkeypatch.setattr(workspace, "remove_tree", removed)
    with pytest.raises(MachineError, match="can't be written"):
        workspace.renew_commands_git(made, made.base.commit)
    assert [(one.name, one.read_text()) for one in other.iterdir()] == [
        ("config", "of somebody else")
    ]
    monkeypatch.undo()
    workspace.renew_commands_git(made, made.base.commit)
    assert (theirs.is_symlink(), added(made)) == (False, TRACKED)


def test_that_of_an_older_version_knows_who_commits(made: Workspace, tmp_path: Path) -> None:
    disk.remove_tree(made.git_dir)
    (made.root / ".git" / "checkpoints").mkdir()
    assert workspace.is_older(made)
    assert workspace.move_out(made, tmp_path / "cuts", ()) == set()
    workspace.renew_commands_git(made, made.base.commit)
    assert plain_git(made.root, "config", "--local", "user.name") == "react-agent"


@pytest.mark.attack("commands leave an index that {id}", by="command", wall="git")
@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda index: index.write_bytes(b"DIRC\0\0\0\2\xff"), id="is cut off"),
        pytest.param(lambda index: index.write_bytes(os.urandom(5_000)), id="is noise"),
        pytest.param(_grows, id="grows beyond all memory when it is read"),
        pytest.param(_link, id="is a link"),
        pytest.param(_pipe, id="is a pipe"),
        pytest.param(lambda index: index.unlink(), id="is gone"),
    ],
)
def test_an_index_that_can_not_be_read_adds_nothing(made: Workspace, spoil: Spoil) -> None:
    index = made.root / ".git" / "index"
    index.write_bytes(_index(b"new.py"))
    assert added(made) == {"new.py"}
    spoil(index)
    assert added(made) == set()


@pytest.mark.attack("commands leave a folder where git has its locks", by="command", wall="git")
def test_a_folder_for_a_lock_does_not_keep_a_run_from_going_on(made: Workspace) -> None:
    (made.root / ".git" / "index.lock").mkdir()
    (made.git_dir / "index.lock").write_text("")
    again = reopen(made.base, root=made.root, branch=made.branch, cuts=made.root.parent / "cuts")
    assert added(again) == TRACKED
