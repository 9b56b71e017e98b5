"""Copy checkpoints from another workspace, object by object, and check each hash first.

Older versions kept them below the work tree's `.git`, where a command could write. Only regular
files are read from such a folder, and no link is followed.
"""

from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.disk import remove_tree
from react_agent.tools.git.cut import cut
from react_agent.tools.git.door import OF_CHECKPOINTS, Git, host_git
from react_agent.tools.git.objects import (
    MOST,
    SUBMODULE,
    ObjectError,
    ObjectStore,
    noted_in,
    unpacked,
)
from react_agent.tools.git.repository import lend, new_repository, set_branch
from react_agent.tools.git.workspace import Workspace, make_git_dir

_OLDER_COMMANDS_GIT = "commands.git"  # beside the work tree: what confined commands had as .git


def is_older(workspace: Workspace) -> bool:
    """Return whether an older version made it, which kept our git directory in the work tree."""
    older = workspace.root / ".git" / OF_CHECKPOINTS
    return not workspace.git_dir.exists() and older.is_dir()


def move_out(workspace: Workspace, cuts: Path, trees: Collection[str]) -> set[str]:
    """Give an older workspace our git directory beside it. Return the trees that are lost."""
    base, theirs = workspace.base, workspace.root / ".git"
    with disk.temporary_folder("git") as made:
        git_dir = new_repository(made / ".git", workspace.branch)
        lend(cut(base.repository, base.commit, cuts), git_dir)
        set_branch(git_dir, workspace.branch, base.commit)
        Git(made).run("read-tree", "--reset", base.commit)
        make_git_dir(workspace, git_dir)
    missing = adopt(workspace, workspace.root, trees, is_old=True)
    commands = workspace.root.with_name(_OLDER_COMMANDS_GIT)
    if commands.is_dir() and not commands.is_symlink():
        remove_tree(theirs)
        disk.rename(commands, theirs)
    return missing


def adopt(
    workspace: Workspace, other: Path, trees: Collection[str], *, is_old: bool = False
) -> set[str]:
    """Copy these trees from the workspace at `other`. Return the trees that are lost."""
    ours = host_git(other)
    is_old = is_old or not (ours / OF_CHECKPOINTS).is_dir()
    source = (other, ".git", OF_CHECKPOINTS, "objects") if is_old else (ours, "objects")
    noted = {} if is_old else dict(noted_in(ours / "objects"))

    def held(id: str) -> bytes:
        below = (*source, id[:2])
        return noted.get(id) or disk.start_of_regular_below(below, id[2:], MOST + 1)

    with workspace.store.together():
        absent = {tree: list(_copied(workspace.store, held, tree)) for tree in trees}
    lost = {id for ids in absent.values() for id in ids if not workspace.store.has(id)}
    return {tree for tree, ids in absent.items() if lost.intersection(ids)}


def _copied(objects: ObjectStore, held: Callable[[str], bytes], tree: str) -> Iterator[str]:
    """Copy the objects of a tree. Yield the ids of those not there, which may be the base's."""
    left, seen = [tree], set[str]()
    while left:
        id = left.pop()
        if id in seen:
            continue
        seen.add(id)
        try:
            kind, data = unpacked(held(id), id)
            objects.store(kind, data)
            below = objects.entries(id).values() if kind == "tree" else ()
        except (OSError, ObjectError):
            yield id
        else:
            left += (one.id for one in below if one.mode != SUBMODULE)
