"""A tree with some of its files as in another one, or not there; no work tree is needed."""

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from react_agent.tools.git.door import Git

_INDEX = "react-agent-tree"


class Held(NamedTuple):
    """A file of a tree."""

    mode: str
    blob: str


def held(git: Git, tree: str, paths: Sequence[str]) -> dict[str, Held]:
    """Those of them that it has."""
    if not paths:
        return {}
    listed = git.run("ls-tree", "-r", "-z", "--full-tree", tree, "--", *paths)
    rows = (row.partition("\t") for row in os.fsdecode(listed).split("\0") if row)
    return {path: Held(facts.split()[0], facts.split()[2]) for facts, _, path in rows}


def stored(git: Git, data: bytes) -> str:
    return git.run("hash-object", "-w", "--stdin", stdin=data).decode().strip()


def edited(git: Git, tree: str, edits: Mapping[str, Held | None]) -> str:
    """With these files like this; None is gone."""
    if not edits:
        return tree
    own = git.having(GIT_INDEX_FILE=f"{dict(git.variables)['GIT_DIR']}/{_INDEX}")
    own.run("read-tree", "--reset", tree)
    nothing = Held("0", "0" * len(tree))
    lines = (f"{mode} {blob}\t{path}\0" for path, (mode, blob) in _filled(edits, nothing))
    own.run("update-index", "-z", "--index-info", stdin=os.fsencode("".join(lines)))
    return own.line("write-tree")


def _filled(edits: Mapping[str, Held | None], nothing: Held) -> list[tuple[str, Held]]:
    return [(path, held_now or nothing) for path, held_now in edits.items()]
