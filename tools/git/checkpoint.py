"""Checkpoints: the work tree as one git tree, byte for byte, taken and given back.

A checkpoint holds what is tracked in the base commit and every other file that no rule ignores.
Ignored files, and repositories that a command made inside the work tree, are not in it and stay.
"""

import contextlib
import os
import stat
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.disk import open_up, remove_pipes
from react_agent.tools.errors import OF_THE_MACHINE, MachineError, WorkspaceError, reason
from react_agent.tools.git.door import OF_CHECKPOINTS, Git, GitError
from react_agent.tools.git.objects import FILE, LINK, PROGRAM, Entry, Objects, is_known, objects_in
from react_agent.tools.git.staging import names, stage_on, untracked
from react_agent.tools.git.status import MOST, Looked, look
from react_agent.tools.git.workspace import CHECKOUT_S, Workspace

FIRST_S = 5.0  # for a first look at all files; then pipes go that git may wait at


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
    """By one `git status`; by git's index where a path is one that git may refuse to hold."""
    kept = _kept(workspace)
    if not kept.exists():
        index = f"--index-output={kept}"
        workspace.checkpoints.run("read-tree", "--reset", index, workspace.base.commit)
    if is_known(workspace.base.commit):
        looked = _look(workspace, kept)
        if looked is not None:
            return _stored(workspace, looked)
    return _staged(workspace)


def _look(workspace: Workspace, kept: Path) -> Looked | None:
    git = workspace.checkpoints.having(GIT_INDEX_FILE=str(kept))
    try:
        return look(git, FIRST_S)
    except GitError as error:
        if not error.is_late:
            raise
        remove_pipes(workspace.root)
        return look(git, CHECKOUT_S)


def _stored(workspace: Workspace, looked: Looked) -> Taken:
    objects = objects_in(workspace.git_dir)
    edits: dict[bytes, Entry | None] = {os.fsencode(path): None for path in looked.gone}
    left_out = list(looked.inner)
    for path in looked.changed:
        entry = _entry(objects, workspace.root, path)
        if entry is None:
            left_out.append(path)
        else:
            edits[os.fsencode(path)] = entry
    tree = objects.edited(objects.tree_of(workspace.base.commit), edits)
    return Taken(tree or objects.store("tree", b""), tuple(sorted(left_out)))


def take_again(workspace: Workspace, last: str, paths: Collection[str]) -> str | None:
    """The checkpoint after only these files have changed since the last one, without any process.

    None where git has to be asked: a new file may be one that a rule ignores.
    """
    if not is_known(last):
        return None
    objects = objects_in(workspace.git_dir)
    edits = dict[bytes, Entry | None]()
    for path in paths:
        name = os.fsencode(path)
        if path.rpartition("/")[2] == ".gitignore" or not objects.find(last, name):
            return None
        there = os.path.lexists(workspace.root / path)
        edits[name] = _entry(objects, workspace.root, path) if there else None
        if there and edits[name] is None:
            return None
    return objects.edited(last, edits) or objects.store("tree", b"")


def _entry(objects: Objects, root: Path, path: str) -> Entry | None:
    """The file as it is, stored; None where git can't hold it."""
    *folders, name = path.split("/")
    try:
        found = os.lstat(root / path)
        if stat.S_ISLNK(found.st_mode):
            return Entry(LINK, objects.store("blob", os.fsencode((root / path).readlink())))
        data = disk.start_of_regular_below((root, *folders), name, MOST + 1)
    except OSError as error:
        if error.errno in OF_THE_MACHINE:
            raise MachineError(f"{path} can't be read: {reason(error)}") from None
        return None
    mode = PROGRAM if found.st_mode & 0o100 else FILE
    return Entry(mode, objects.store("blob", data)) if len(data) <= MOST else None


def _staged(workspace: Workspace) -> Taken:
    git, base, kept = workspace.checkpoints, workspace.base.commit, _kept(workspace)
    try:
        _put_in_place(kept, _index(workspace))
    except OSError:
        git.run("read-tree", "--reset", base)
    staged = stage_on(git)
    return Taken(git.line("write-tree"), staged.left_out)


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
    remove_pipes(workspace.root)
    # of the base, a checkout may have converted the ends of lines
    index = str(workspace.git_dir / "react-agent-index")
    as_base = workspace.git.having(GIT_INDEX_FILE=index)
    git = as_base if tree == workspace.base.commit else workspace.checkpoints
    with contextlib.suppress(OSError):  # so that what did not change keeps its time
        _put_in_place(_kept(workspace), _index(workspace))
    if git.ask("read-tree", "--reset", tree).code:
        _forget(workspace)
        git.run("read-tree", "--reset", tree)
    git.ask("update-index", "-q", "--refresh", deadline_s=CHECKOUT_S)
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
