"""Checkpoints of another workspace, copied object by object, each hashed again first.

Older versions kept them below the work tree's `.git`, where a command could write: of such a folder
regular files are read, through no link, and nothing else.
"""

import errno
import hashlib
import zlib
from collections.abc import Collection, Iterator
from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.disk import remove_tree
from react_agent.tools.errors import MachineError, reason
from react_agent.tools.git.cut import cut, new_repository
from react_agent.tools.git.door import OF_CHECKPOINTS, host_git
from react_agent.tools.git.workspace import Workspace, borrow, make_git_dir

MOST_BYTES = 256 * 1024 * 1024  # of one object
_OLDER_COMMANDS_GIT = "commands.git"  # beside the work tree: what confined commands had as .git


def is_older(workspace: Workspace) -> bool:
    """Whether a version made it that kept our git directory in the work tree."""
    older = workspace.root / ".git" / OF_CHECKPOINTS
    return not workspace.git_dir.exists() and older.is_dir()


def move_out(workspace: Workspace, cuts: Path, trees: Collection[str]) -> set[str]:
    """Give an older workspace our git directory beside it; the trees that can't be had."""
    base, theirs = workspace.base, workspace.root / ".git"
    lender = cut(base.repository, base.commit, cuts)
    with disk.temporary_folder("git") as made:
        git = new_repository(made, base.commit, f"--initial-branch={workspace.branch}")
        borrow(made / ".git", lender)
        git.run("update-ref", f"refs/heads/{workspace.branch}", base.commit)
        git.run("read-tree", "--reset", base.commit)
        make_git_dir(workspace, made / ".git")
    missing = adopt(workspace, workspace.root, trees, is_old=True)
    commands = workspace.root.with_name(_OLDER_COMMANDS_GIT)
    if commands.is_dir() and not commands.is_symlink():
        remove_tree(theirs)
        disk.rename(commands, theirs)
    return missing


def adopt(
    workspace: Workspace, other: Path, trees: Collection[str], *, is_old: bool = False
) -> set[str]:
    """Have these trees of the workspace at `other` too; those that can't be had."""
    ours = host_git(other)
    if is_old or not (ours / OF_CHECKPOINTS).is_dir():
        source: tuple[Path | str, ...] = (other, ".git", OF_CHECKPOINTS, "objects")
    else:
        source = (ours, "objects")
    absent = {tree: list(_copied(workspace, source, tree)) for tree in trees}
    asked = sorted({id for ids in absent.values() for id in ids})
    given = "".join(f"{id}\n" for id in asked).encode()
    told = workspace.objects.run("cat-file", "--batch-check", stdin=given) if asked else b""
    lost = {id for id, row in zip(asked, told.split(b"\n"), strict=False) if b" missing" in row}
    return {tree for tree, ids in absent.items() if lost.intersection(ids)}


def _copied(workspace: Workspace, source: tuple[Path | str, ...], tree: str) -> Iterator[str]:
    """The objects below a tree that are not there; they may be the base's."""
    left, seen = [tree], set[str]()
    while left:
        id = left.pop()
        if id in seen:
            continue
        seen.add(id)
        place = workspace.git_dir / "objects" / id[:2] / id[2:]
        try:
            packed = disk.start_of_regular_below((*source, id[:2]), id[2:], MOST_BYTES + 1)
            kind, data = _content(packed, id)
        except (OSError, zlib.error, ValueError):
            yield id
            continue
        if not place.exists():
            _store(place, packed)
        left += _ids(data, len(id) // 2) if kind == b"tree" else ()


def _content(packed: bytes, id: str) -> tuple[bytes, bytes]:
    """Raises ValueError for all that is not the object of this name."""
    held = zlib.decompressobj().decompress(packed, MOST_BYTES + 64)
    head, _, data = held.partition(b"\0")
    kind, _, size = head.partition(b" ")
    digest = hashlib.sha1(held, usedforsecurity=False) if len(id) == 40 else hashlib.sha256(held)
    if digest.hexdigest() != id or size != str(len(data)).encode():
        raise ValueError(id)
    return kind, data


def _ids(tree: bytes, length: int) -> Iterator[str]:
    """Of what a tree holds, but for commits of submodules."""
    at = 0
    while at < len(tree):
        end = tree.index(b"\0", at) + 1
        if not tree.startswith(b"160000 ", at):
            yield tree[end : end + length].hex()
        at = end + length


def _store(place: Path, packed: bytes) -> None:
    try:
        disk.mkdir(place.parent, exist_ok=True)
        disk.write_over(place, packed)
    except OSError as error:
        if error.errno != errno.EEXIST:
            raise MachineError(f"{place} can't be written: {reason(error)}") from None
