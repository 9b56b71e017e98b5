"""Checkpoints: the work tree as one git tree, byte for byte, taken and given back.

A checkpoint holds what is tracked in the base commit and every other file that no rule ignores.
Ignored files, and repositories that a command made inside the work tree, are not in it and stay.
"""

import contextlib
from pathlib import Path

from react_agent.tools.errors import WorkspaceError
from react_agent.tools.git import Git, GitError
from react_agent.tools.removal import open_up
from react_agent.tools.staging import names, stage, untracked
from react_agent.tools.workspace import CHECKOUT_S, Workspace


def take(workspace: Workspace) -> str:
    """Write the work tree down; the id of its tree."""
    stage(workspace.checkpoints, workspace.base.commit)
    return workspace.checkpoints.line("write-tree")


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
    git = workspace.ours if tree == workspace.base.commit else workspace.checkpoints
    git.run("read-tree", "--reset", tree)
    try:
        _write(git, workspace, tree)
    except (GitError, PermissionError):  # a command may have closed a folder
        open_up(workspace.root)
        _write(git, workspace, tree)


def _write(git: Git, workspace: Workspace, tree: str) -> None:
    git.run("checkout-index", "--all", "--force", "--index", deadline_s=CHECKOUT_S)
    # what the base tracks and the checkpoint does not goes too, though a rule may ignore it
    gone = git.run(
        *("diff-tree", "-r", "-z", "--name-only", "--no-renames", "--diff-filter=D"),
        *(workspace.base.commit, tree),
    )
    for path in (*untracked(git), *names(gone)):
        _remove(workspace.root, Path(path))


def _remove(root: Path, path: Path) -> None:
    folders = [root / folder for folder in path.parents[:-1]]
    if any(folder.is_symlink() or not folder.is_dir() for folder in folders):
        return  # through a link it would be somebody else's file
    file = root / path
    if file.is_symlink() or not file.is_dir():
        file.unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # until a folder is not empty
        for folder in folders:
            folder.rmdir()
