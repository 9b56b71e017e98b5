import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from react_agent.tools.errors import MachineError
from react_agent.tools.git.door import GitError
from react_agent.tools.git.staging import names, stage
from react_agent.tools.git.workspace import Workspace

PlainGit = Callable[..., str]
FilesOfAtMost = Callable[[int], AbstractContextManager[None]]


def _stage(made: Workspace) -> tuple[str, ...]:
    return stage(made.checkpoints, made.base.commit)


def _held(made: Workspace) -> list[str]:
    return names(made.checkpoints.run("ls-files", "-z"))


@pytest.mark.parametrize("name", ["README", "new"])
def test_without_room_nothing_is_left_out(
    made: Workspace, name: str, files_of_at_most: FilesOfAtMost
) -> None:
    (made.root / name).write_bytes(os.urandom(200_000))
    with files_of_at_most(50_000), pytest.raises(MachineError) as caught:
        _stage(made)
    assert str(caught.value) == "git update-index: a file grew too large"
    (made.git_dir / "checkpoints" / "index.lock").unlink()
    assert _stage(made) == ()
    assert name in _held(made)


@pytest.mark.parametrize("name", ["README", "new"])
def test_what_git_should_hold_and_can_not_is_an_error(made: Workspace, name: str) -> None:
    (made.root / name).write_text("what is to be held\n")
    (made.root / "other").write_text("other\n")
    blob = made.git.line("hash-object", name)
    place = made.git_dir / "objects" / blob[:2]
    place.write_text("a file where a folder should be")
    with pytest.raises(GitError, match=r"Not a directory|File exists"):
        _stage(made)
    place.unlink()
    assert _stage(made) == ()


def test_names_that_git_forbids_are_left_out(made: Workspace) -> None:
    for folder in ("git~1", ".GIT"):
        (made.root / folder).mkdir()
        (made.root / folder / "file").write_text("text\n")
    (made.root / ".gitmodules").symlink_to("README")
    (made.root / "good").write_text("text\n")
    assert _stage(made) == (".GIT/file", ".gitmodules", "git~1/file")
    assert _held(made) == [".gitignore", "README", "good", "src/one.py", "src/two.py"]


def test_a_tracked_file_made_into_what_git_forbids_is_named(
    tmp_path: Path, made: Workspace
) -> None:
    (made.root / ".gitmodules").write_text("")
    stage(made.git, made.base.commit)
    tree = made.git.line("write-tree")
    (made.root / ".gitmodules").unlink()
    (made.root / ".gitmodules").symlink_to("README")
    assert stage(made.git, tree) == (".gitmodules",)
