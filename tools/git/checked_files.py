"""The files of a checkout that programs may change, and what they changed of them.

git looks at them with the workspace's settings and an index of ours, never with those of a `.git`
that the programs could write to; it follows no link that they have put in a folder's place.
"""

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.git.changes import MOST_S, check_out
from react_agent.tools.git.door import Git
from react_agent.tools.git.staging import names
from react_agent.tools.git.tree_edit import Held, held, stored
from react_agent.tools.git.workspace import Workspace, copy_git_dir
from react_agent.tools.removal import remove_pipes

REGULAR = ("100644", "100755")
LARGEST = 20 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Change:
    path: str
    is_edit: bool  # a regular file still, as executable as before, and not very large


@dataclass(frozen=True, slots=True)
class CheckedFiles:
    git: Git
    place: Path

    def changes(self) -> list[Change]:
        """Since they were checked out, kept or put back; new files are none."""
        remove_pipes(self.place)  # git would wait at them
        self.git.ask("update-index", "-q", "--refresh", deadline_s=MOST_S)
        told = self.git.run("diff-files", "-z", "--raw", "--no-renames", deadline_s=MOST_S)
        fields = names(told)
        pairs = zip(fields[0::2], fields[1::2], strict=True)
        return [Change(path, _is_edit(facts, self.place / path)) for facts, path in pairs]

    def keep(self, paths: Iterable[str]) -> None:
        """As they are now."""
        self.git.run("update-index", "-z", "--stdin", stdin=_joined(paths))

    def put_back(self, paths: Iterable[str]) -> None:
        self.git.run("checkout-index", "--force", "--index", "-z", "--stdin", stdin=_joined(paths))

    def read(self, path: str) -> bytes:
        return self.git.run("cat-file", "blob", f":{path}")

    def write(self, path: str, data: bytes) -> None:
        name = stored(self.git, data)
        mode = self.git.line("ls-files", "--stage", "--", path).split(" ")[0]
        self.git.run("update-index", "--cacheinfo", f"{mode},{name},{path}")
        self.put_back([path])

    def entries(self, paths: Iterable[str]) -> dict[str, Held]:
        told = self.git.run("ls-files", "--stage", "-z", "--", *paths)
        rows = (row.partition("\t") for row in names(told))
        return {path: Held(*facts.split(" ")[:2]) for facts, _, path in rows}


def checked_files(workspace: Workspace, tree: str, place: Path) -> CheckedFiles:
    return CheckedFiles(check_out(workspace, tree, place), place)


def make_git(workspace: Workspace, files: CheckedFiles, place: Path) -> None:
    """A repository for the programs: its HEAD is the base, its index holds these files."""
    staged = files.git.run("ls-files", "--stage", "-z")
    copy_git_dir(workspace, place, objects=[row.split(" ")[1] for row in names(staged)])
    index = Path(dict(files.git.variables)["GIT_INDEX_FILE"])
    disk.write_bytes(place.joinpath("index"), disk.read_bytes(index))
    git = files.git.having(GIT_DIR=str(place), GIT_INDEX_FILE=str(place / "index"))
    ref = f"refs/heads/{workspace.branch}"
    git.run("update-ref", ref, workspace.base.commit)
    git.run("symbolic-ref", "HEAD", ref)


def regular_files(workspace: Workspace, tree: str, paths: Iterable[str]) -> dict[str, str]:
    """Of these paths, those that are regular files in a tree, with their modes."""
    there = held(workspace.objects, tree, list(paths))
    return {path: one.mode for path, one in there.items() if one.mode in REGULAR}


def _is_edit(facts: str, place: Path) -> bool:
    before, after, *_, status = facts.removeprefix(":").split(" ")
    if status != "M" or before != after or before not in REGULAR:
        return False
    found = os.lstat(place)  # git takes a pipe for a regular file
    return stat.S_ISREG(found.st_mode) and found.st_size <= LARGEST


def _joined(paths: Iterable[str]) -> bytes:
    return b"".join(os.fsencode(path) + b"\0" for path in paths)
