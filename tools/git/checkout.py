"""Check out a tree to a separate folder, for tests and checks that may change the files."""

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.disk import remove_pipes, remove_tree
from react_agent.tools.errors import writing
from react_agent.tools.git.change import MOST_S
from react_agent.tools.git.door import Git, joined, names
from react_agent.tools.git.objects import FILE, PROGRAM, Entry
from react_agent.tools.git.repository import set_branch
from react_agent.tools.git.workspace import CHECKOUT_S, Workspace, copy_git_dir

LARGEST = 20 * 1024 * 1024
_REGULAR = (FILE, PROGRAM)


@dataclass(frozen=True, slots=True)
class CheckedFiles:
    """The files of a checkout that programs may change, and the changes that they made.

    git uses the workspace's settings and our own index, never the settings of a `.git` that the
    programs could write to. It does not follow a link that they put in place of a folder.
    """

    workspace: Workspace
    git: Git
    place: Path

    def changes(self) -> dict[str, bool]:
        """Return the paths changed since the checkout, and for each whether the change is an edit.

        `keep` accepts a change, and `put_back` undoes it. After an edit, a regular file is still
        regular, has the same executable bit and is not very large. New files are left out.
        """
        remove_pipes(self.place)  # git would wait at them
        self.git.ask("update-index", "-q", "--refresh", deadline_s=MOST_S)
        told = self.git.run("diff-files", "-z", "--raw", "--no-renames", deadline_s=MOST_S)
        fields = names(told)
        pairs = zip(fields[0::2], fields[1::2], strict=True)
        return {path: _is_edit(facts, self.place / path) for facts, path in pairs}

    def keep(self, paths: Iterable[str]) -> None:
        """Accept the current state of these files."""
        self.git.run("update-index", "-z", "--stdin", stdin=joined(paths))

    def put_back(self, paths: Iterable[str]) -> None:
        self.git.run("checkout-index", "--force", "--index", "-z", "--stdin", stdin=joined(paths))

    def entries(self, paths: Iterable[str] = ()) -> dict[str, Entry]:
        """Return the index entries of these paths, or of all paths."""
        told = self.git.run("ls-files", "--stage", "-z", "--", *paths)
        rows = (row.partition("\t") for row in names(told))
        facts = ((path, held.split(" ")) for held, _, path in rows)
        return {path: Entry(mode.encode(), id) for path, (mode, id, _) in facts}

    def make_git(self, git_dir: Path) -> None:
        """Create a git directory for the programs, with HEAD at the base and these files staged."""
        here = self.workspace
        copy_git_dir(here, git_dir, objects=[one.id for one in self.entries().values()])
        disk.copy(_index(here), git_dir / "index")
        set_branch(git_dir, here.branch, here.base.commit)


def check_out(workspace: Workspace, tree: str, place: Path) -> CheckedFiles:
    """Write the files of a tree to a separate folder, after removing an earlier attempt's files."""
    index = _index(workspace)
    remove_tree(place, index)
    with writing(place):
        disk.mkdir(place)
    git = Git(place).having(
        GIT_DIR=str(workspace.git_dir), GIT_WORK_TREE=str(place), GIT_INDEX_FILE=str(index)
    )
    git.run("read-tree", "--reset", "-u", tree, deadline_s=CHECKOUT_S)
    return CheckedFiles(workspace, git, place)


def _index(workspace: Workspace) -> Path:
    return workspace.git_dir / "react-agent-checkout"


def regular_files(workspace: Workspace, tree: str, paths: Iterable[str]) -> list[str]:
    """Return the paths that are regular files in the tree."""
    there = workspace.store.at(tree, paths)
    return sorted(path for path, one in there.items() if one.mode in _REGULAR)


def _is_edit(facts: str, place: Path) -> bool:
    before, after, *_, status = facts.removeprefix(":").split(" ")
    if status != "M" or before != after or before.encode() not in _REGULAR:
        return False
    found = os.lstat(place)  # git takes a pipe for a regular file
    return stat.S_ISREG(found.st_mode) and found.st_size <= LARGEST
