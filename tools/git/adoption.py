"""Checkpoints of another workspace, copied object by object, each hashed again first."""

import hashlib
import zlib
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.git.door import host_git
from react_agent.tools.git.objects import SUBMODULE, ObjectError, ObjectStore, noted_in
from react_agent.tools.git.workspace import Workspace

MOST_BYTES = 256 * 1024 * 1024  # of one object


def adopt(workspace: Workspace, other: Path, trees: Collection[str]) -> set[str]:
    """Have these trees of the workspace at `other` too; those that can't be had."""
    ours = host_git(other)
    noted = dict(noted_in(ours / "objects"))

    def held(id: str) -> bytes:
        below = (ours, "objects", id[:2])
        return noted.get(id) or disk.start_of_regular_below(below, id[2:], MOST_BYTES + 1)

    with workspace.store.together():
        absent = {tree: list(_copied(workspace.store, held, tree)) for tree in trees}
    lost = {id for ids in absent.values() for id in ids if not workspace.store.has(id)}
    return {tree for tree, ids in absent.items() if lost.intersection(ids)}


def _copied(objects: ObjectStore, held: Callable[[str], bytes], tree: str) -> Iterator[str]:
    """The objects below a tree that are not there; they may be the base's."""
    left, seen = [tree], set[str]()
    while left:
        id = left.pop()
        if id in seen:
            continue
        seen.add(id)
        try:
            kind, data = _content(held(id), id)
            objects.store(kind, data)
            below = objects.entries(id).values() if kind == "tree" else ()
        except (OSError, zlib.error, ValueError, ObjectError):
            yield id
        else:
            left += (one.id for one in below if one.mode != SUBMODULE)


def _content(packed: bytes, id: str) -> tuple[str, bytes]:
    """Raises ValueError for all that is not the object of this name."""
    stream = zlib.decompressobj()
    held = stream.decompress(packed, MOST_BYTES + 64)
    head, _, data = held.partition(b"\0")
    kind, _, size = head.partition(b" ")
    found = hashlib.sha1(held, usedforsecurity=False).hexdigest()
    is_whole = stream.eof and not stream.unused_data  # git reads none with more behind it
    if not is_whole or found != id or size != str(len(data)).encode():
        raise ValueError(id)
    return kind.decode(), data
