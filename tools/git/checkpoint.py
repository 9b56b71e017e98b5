"""Checkpoints: the work tree as one git tree, byte for byte, taken and given back.

A checkpoint holds what is tracked in the base commit and every other file that no rule ignores.
Ignored files, and repositories that a command made inside the work tree, are not in it and stay.
"""

import contextlib
from dataclasses import dataclass
from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.errors import WorkspaceError
from react_agent.tools.git.door import OF_CHECKPOINTS, Git, GitError
from react_agent.tools.git.staging import names, stage_on, untracked
from react_agent.tools.git.workspace import CHECKOUT_S, Workspace
from react_agent.tools.removal import open_up, remove_pipes

_MANY = 100  # files, to be compared anew in each checkpoint


@dataclass(frozen=True, slots=True)
class Taken:
    tree: str
    left_out: tuple[str, ...]  # what git can't hold; a repository inside ends in a slash


def take(workspace: Workspace) -> str:
    """Write the work tree down; the id of its tree."""
    return written_down(workspace).tree


def written_down(workspace: Workspace) -> Taken:
    try:
        return _taken(workspace)
    except GitError as error:  # git may wait at a pipe, and a machine may have lost its power
        if error.is_late:
            remove_pipes(workspace.root)
        _forget(workspace)
        return _taken(workspace)


def _taken(workspace: Workspace) -> Taken:
    git, base, kept = workspace.checkpoints, workspace.base.commit, _kept(workspace)
    try:
        _put_in_place(kept, _index(workspace))
    except OSError:
        git.run("read-tree", "--reset", base)
    staged = stage_on(git)
    tree = git.line("write-tree")
    if staged.compared > _MANY or not kept.exists():
        git.run("read-tree", "--reset", f"--index-output={kept}", base)
    return Taken(tree, staged.left_out)


def _put_in_place(kept: Path, index: Path) -> None:
    """With its time, by which git tells what may have changed since without showing it."""
    new = kept.with_suffix(".new")
    disk.copy_with_times(kept, new)
    disk.rename(new, index)


def _forget(workspace: Workspace) -> None:
    index = _index(workspace)
    for path in (_kept(workspace), index, index.with_suffix(".lock")):  # git may have been killed
        disk.unlink(path, missing_ok=True)


def _index(workspace: Workspace) -> Path:
    return workspace.git_dir / OF_CHECKPOINTS / "index"


def _kept(workspace: Workspace) -> Path:
    """An index that holds the base commit, and what its files looked like when they were compared
    last: to begin with a copy takes no time, and each checkpoint begins there."""
    return workspace.git_dir / OF_CHECKPOINTS / "base-index"


def holds(workspace: Workspace, tree: str) -> bool:
    """Whether this checkpoint was taken here."""
    return workspace.checkpoints.ask("cat-file", "-e", f"{tree}^{{tree}}").code == 0


def restore(workspace: Workspace, tree: str) -> None:
    """Make the work tree what it was; HEAD and the index that commands see stay as they are.

    The base commit stands for the work tree that the workspace began with.
    """
    if not holds(workspace, tree):
        raise WorkspaceError(f"there is no checkpoint {tree} in {workspace.root}")
    # of the base, a checkout may have converted the ends of lines
    index = str(workspace.git_dir / "react-agent-index")
    as_base = workspace.git.having(GIT_INDEX_FILE=index)
    git = as_base if tree == workspace.base.commit else workspace.checkpoints
    if git.ask("read-tree", "--reset", tree).code:
        _forget(workspace)
        git.run("read-tree", "--reset", tree)
    try:
        _write(git, workspace, tree)
    except (GitError, PermissionError):  # a command may have closed a folder
        open_up(workspace.root)
        remove_pipes(workspace.root)
        _write(git, workspace, tree)


def _write(git: Git, workspace: Workspace, tree: str) -> None:
    git.run("checkout-index", "--all", "--force", "--index", deadline_s=CHECKOUT_S)
    # what the base tracks and the checkpoint does not goes too, though a rule may ignore it
    gone = git.run(
        *("diff-tree", "-r", "-z", "--name-only", "--no-renames", "--diff-filter=D"),
        *(workspace.base.commit, tree),
    )
    for path in {*untracked(git), *names(gone)} - workspace.laid:
        _remove(workspace.root, Path(path))


def _remove(root: Path, path: Path) -> None:
    folders = [root / folder for folder in path.parents[:-1]]
    if any(folder.is_symlink() or not folder.is_dir() for folder in folders):
        return  # through a link it would be somebody else's file
    file = root / path
    if file.is_symlink() or not file.is_dir():
        disk.unlink(file, missing_ok=True)
    with contextlib.suppress(OSError):  # until a folder is not empty
        for folder in folders:
            disk.rmdir(folder)
