"""A repository of ours for one errand to a remote: empty, with the objects of another one at hand.

No configuration but ours is read in it, and neither repository is changed by the errand.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.disk import remove_tree
from react_agent.tools.errors import MachineError
from react_agent.tools.git.cut import new_repository
from react_agent.tools.git.door import Git

MOST_REFS = 200  # of those that tell a remote what need not be sent
_REFS = ("refs/heads", "refs/remotes", "refs/tags")


@contextlib.contextmanager
def borrowing(lender: Git, within: Path | None = None) -> Iterator[Git]:
    """A bare repository, gone afterwards; within that folder, if it may grow large."""
    try:
        if within:
            disk.mkdir(within, parents=True, exist_ok=True)
        place = disk.new_folder(".errand-", within).absolute()
    except OSError as error:
        raise MachineError(
            f"{within or disk.temporary_place()} can't be written: {error.strerror}"
        ) from None
    try:
        kind = lender.line("rev-parse", "--show-object-format")
        new_repository(place, "0" * (64 if kind == "sha256" else 40), "--bare")
        _lend(lender, place)
        yield Git(place)
    finally:
        remove_tree(place)


def tell_what_is_there(lender: Git, git: Git) -> None:
    """Refs of ours to what the lender has, so that a fetch brings only what is new."""
    newest = ("--sort=-committerdate", f"--count={MOST_REFS}", "--format=%(objectname)")
    listed = lender.ask("for-each-ref", *newest, *_REFS)
    head = lender.ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    names = dict.fromkeys(f"{head.out.decode()}\n{listed.out.decode()}".split())
    lines = (f"create refs/theirs/{at} {name}\n" for at, name in enumerate(names))
    git.ask("update-ref", "--stdin", stdin="".join(lines).encode())  # else it brings all


def _lend(lender: Git, place: Path) -> None:
    objects, shallow = (_path(lender, name) for name in ("objects", "shallow"))
    disk.write_bytes(place / "objects" / "info" / "alternates", os.fsencode(objects) + b"\n")
    if shallow.is_file():
        disk.write_bytes(place / "shallow", disk.read_bytes(shallow))


def _path(lender: Git, name: str) -> Path:
    return lender.folder.absolute() / lender.line("rev-parse", "--git-path", name)
