"""Whether a patch that is to be published applies to a clean checkout, and gives what was meant."""

import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.errors import ReactAgentError
from react_agent.tools.git.changes import DIFF, MOST_S
from react_agent.tools.git.cut import new_repository
from react_agent.tools.git.door import Git, work_tree
from react_agent.tools.git.repository import in_repository
from react_agent.tools.git.workspace import CHECKOUT_S

_SIDES = ("--binary", "--src-prefix=a/", "--dst-prefix=b/")
_APPLY = ("apply", "--index", "--whitespace=nowarn", "-p1", "-")


@dataclass(frozen=True, slots=True)
class Published:
    """What a branch has beyond its base."""

    patch: bytes
    tree: str
    objects: Path  # of the repository that has both


def published(repository: Path, base: str, branch: str) -> Published | None:
    """None where the branch is not there, or does not hold the base."""
    with in_repository(repository) as git:
        ref = f"refs/heads/{branch}"
        if git.ask("merge-base", "--is-ancestor", base, ref).code:
            return None
        patch = git.run(*DIFF, *_SIDES, base, ref, deadline_s=MOST_S)
        tree = git.line("rev-parse", "--verify", f"{ref}^{{tree}}")
        objects = git.line("rev-parse", "--path-format=absolute", "--git-path", "objects")
    return Published(patch, tree, Path(objects))


def objection(of: Published, base: str, old: Collection[str]) -> str:
    """Why it must not be sent, in one line; `old` are the names that the patch changes.

    The repository lends its objects and nothing else: no setting of it counts, and none is added.
    """
    with disk.temporary_folder("check") as made:
        root = made.resolve()
        new_repository(root, base)
        alternates = root / ".git" / "objects" / "info" / "alternates"
        disk.write_bytes(alternates, os.fsencode(of.objects) + b"\n")
        try:
            return _tried(work_tree(root), of, base, old)
        except ReactAgentError as error:
            return f"the change could not be checked on a clean checkout of its base: {error}"


def _tried(git: Git, of: Published, base: str, old: Collection[str]) -> str:
    git.run("read-tree", "--reset", base)
    names = b"".join(os.fsencode(name) + b"\0" for name in old)
    git.run("checkout-index", "-u", "-z", "--stdin", stdin=names, deadline_s=CHECKOUT_S)
    answer = git.ask(*_APPLY, stdin=of.patch, deadline_s=MOST_S)
    if answer.code:
        said = answer.err.strip().split("\n")[0].removeprefix("error: ").removeprefix("fatal: ")
        return f"the change does not apply to a clean checkout of its base: {said}"
    if git.line("write-tree") != of.tree:
        return "the change, applied to a clean checkout of its base, is not what the branch holds"
    return ""
