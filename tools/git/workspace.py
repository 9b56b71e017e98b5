"""A workspace: a private clone of the base commit, and our own git directory for it.

The clone's own `.git` belongs to the commands that the model runs: they may write anything there,
and nothing of it is read here but the names in its index. Our git directory lies beside the work
tree, where no sandbox lets commands write: its configuration, attributes, index and hooks are ours.
"""

import contextlib
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.disk import remove_tree
from react_agent.tools.errors import Damaged, MachineError, WorkspaceError
from react_agent.tools.git import repository
from react_agent.tools.git.built import Built, files_in, lay
from react_agent.tools.git.cut import cut, new_repository
from react_agent.tools.git.door import AUTHOR, OF_CHECKPOINTS, Git, GitError, host_git
from react_agent.tools.git.repository import Base
from react_agent.tools.git.staging import untracked

CHECKOUT_S = 600.0
MOST_NAMES = 10  # of the branches that runs cut and taken up again leave
STAGE = "stage"  # below our git directory: an empty work tree
_OURS_ALONE = (OF_CHECKPOINTS, STAGE, "objects", "react-agent-*", "*.lock")
# For the commands that the model runs: they get no other configuration.
CONFIG = f"""\
[user]
\tname = {AUTHOR[0]}
\temail = {AUTHOR[1]}
[gc]
\tauto = 0
[maintenance]
\tauto = false
"""
_SPECIAL, _ESCAPED = re.compile(r"[*?\[\\\s]"), r"\\\g<0>"  # in a name that is to be a rule
# Of checkpoints: no end of line, keyword or encoding is converted, and no filter runs.
AS_THEY_ARE = "* -text !ident !filter !working-tree-encoding\n"


@dataclass(frozen=True, slots=True)
class Workspace:
    root: Path
    branch: str
    base: Base
    built: Built | None = None  # laid into its work tree, and no part of any change

    @property
    def git_dir(self) -> Path:
        """Ours, of which commands see nothing."""
        return host_git(self.root)

    @property
    def git(self) -> Git:
        """git on the files of the work tree, whose index holds the base commit."""
        return Git(self.root).having(GIT_DIR=str(self.git_dir), GIT_WORK_TREE=str(self.root))

    @property
    def objects(self) -> Git:
        """git on trees and commits alone, with an index of its own.

        Its work tree is a folder that is empty: attributes are those that the index holds.
        """
        stage = self.git_dir / STAGE
        own = self.git_dir / "react-agent-index"
        return Git(stage).having(
            GIT_DIR=str(self.git_dir), GIT_WORK_TREE=str(stage), GIT_INDEX_FILE=str(own)
        )

    @property
    def laid(self) -> frozenset[str]:
        """What it was given of that, by their paths; and what the base has in their place."""
        return frozenset(files_in(self.built.folder) if self.built else ())

    @property
    def checkpoints(self) -> Git:
        """git on the same files, in a repository that takes and gives back every byte as it is."""
        return self.git.having(
            GIT_DIR=str(self.git_dir / OF_CHECKPOINTS),
            GIT_OBJECT_DIRECTORY=str(self.git_dir / "objects"),
        )


def make(
    base: Base, *, root: Path, branch: str, cuts: Path, built: Built | None = None
) -> Workspace:
    """A new workspace at `root`; if that fails, nothing of it stays."""
    _check_name(branch)
    workspace = Workspace(root.absolute(), branch, base, built)
    with contextlib.ExitStack() as undo:
        try:
            disk.mkdir(root, parents=True)
        except OSError as error:
            raise WorkspaceError(f"no workspace at {root}: {error.strerror}") from None
        undo.callback(remove, workspace)
        _build(workspace, cut(base.repository, base.commit, cuts))
        undo.pop_all()
    return workspace


def reopen(base: Base, *, root: Path, branch: str, cuts: Path) -> Workspace:
    """The workspace that an earlier process made with these, and may have been killed in."""
    workspace = Workspace(root.absolute(), branch, base)
    cut(base.repository, base.commit, cuts)
    if not is_whole(workspace):
        raise Damaged(f"the workspace {root} is gone or damaged; start a new run")
    for lock in _locks(workspace):
        disk.unlink(lock)
    return workspace


def copy_git_dir(workspace: Workspace, place: Path, objects: Iterable[str]) -> None:
    """A copy of our git directory for commands: of its own objects, it holds only these."""
    ours = workspace.git_dir
    try:
        disk.copy_tree(ours, place, without=_OURS_ALONE)
        disk.mkdir(place / "objects" / "info", parents=True)
        for name in ("info/alternates", *(f"{id[:2]}/{id[2:]}" for id in objects)):
            if (ours / "objects" / name).is_file():  # else it is the base's
                disk.mkdir((place / "objects" / name).parent, exist_ok=True)
                disk.copy(ours / "objects" / name, place / "objects" / name)
    except OSError as error:
        raise MachineError(f"{place} can't be written: {error}") from None


def is_whole(workspace: Workspace) -> bool:
    """Whether its files and both of our git directories are there, and answer."""
    places = (workspace.root, workspace.git_dir, workspace.git_dir / OF_CHECKPOINTS)
    return all(place.is_dir() and not place.is_symlink() for place in places) and all(
        git.ask("cat-file", "-e", workspace.base.commit).code == 0
        for git in (workspace.git, workspace.checkpoints)
    )


def publish(workspace: Workspace) -> str:
    """Give the branch to the user's repository; its name there, which may have got a number."""
    base, branch = workspace.base, workspace.branch
    commit = workspace.git.line("rev-parse", "--verify", f"refs/heads/{branch}^{{commit}}")
    if commit == base.commit:
        raise WorkspaceError(f"nothing was committed on {branch}, so there is nothing to publish")
    for name in _names(branch):
        if repository.branch_at(base, name) == commit:
            return name  # by a process that was killed before it could say so
        if repository.branch_is_free(base, name):
            try:
                repository.give(base, name, commit, source=workspace.git_dir)
            except GitError:
                if repository.branch_is_free(base, name):
                    raise
                continue  # another run was first
            return name
    raise WorkspaceError(f"{base.repository} has too many branches {branch}-...; delete some")


def _names(branch: str) -> Iterator[str]:
    """Of the branch, until one is free; without its slash, where a branch bears its first part."""
    for stem in (branch, branch.replace("/", "-")):
        yield stem
        yield from (f"{stem}-{number}" for number in range(2, MOST_NAMES))


def remove(workspace: Workspace) -> None:
    remove_tree(workspace.root)
    remove_tree(workspace.git_dir)


def _build(workspace: Workspace, lender: Path) -> None:
    """First the clone for the commands, then ours beside it: no command has run yet."""
    commit, theirs = workspace.base.commit, workspace.root / ".git"
    new_repository(workspace.root, commit, f"--initial-branch={workspace.branch}")
    disk.append_text(theirs / "config", CONFIG)
    borrow(theirs, lender)
    git = workspace.git.having(GIT_DIR=str(theirs))
    git.run("update-ref", f"refs/heads/{workspace.branch}", commit)
    git.run("read-tree", "--reset", "-u", commit, deadline_s=CHECKOUT_S)
    rules = _laid(git, workspace) if workspace.built else b""
    make_git_dir(workspace, theirs, rules)


def make_git_dir(workspace: Workspace, source: Path, rules: bytes = b"") -> None:
    """Ours, out of a git directory of the base commit that no command has written to."""
    building = workspace.git_dir.with_name(".building-git")
    try:
        remove_tree(building)
        disk.copy_tree(source, building, without=("logs", "*.lock"))
        disk.mkdir(building / STAGE)
        own = building / OF_CHECKPOINTS
        for folder in (building / "info", own, own / "refs", own / "info"):
            disk.mkdir(folder, exist_ok=True)
        for name in ("config", "shallow"):
            if (building / name).exists():
                disk.copy(building / name, own / name)
        disk.write_text(own / "HEAD", f"{workspace.base.commit}\n")
        disk.write_text(own / "info" / "attributes", AS_THEY_ARE)
        for place in (building, own) if rules else ():
            disk.write_bytes(place / "info" / "exclude", rules)
        remove_tree(workspace.git_dir)
        disk.rename(building, workspace.git_dir)  # the last: with it, the workspace is whole
    except OSError as error:
        raise MachineError(f"{workspace.git_dir} can't be written: {error.strerror}") from None


def _laid(git: Git, workspace: Workspace) -> bytes:
    """Lay what was built into the work tree; the rules by which git sees nothing of it."""
    assert workspace.built is not None
    lay(workspace.built, workspace.root, workspace.base.commit)
    git.run("update-index", "-q", "--refresh")  # their times may be others
    rules = (f"/{_SPECIAL.sub(_ESCAPED, path)}\n" for path in untracked(git))
    exclude = os.fsencode("".join(rules))
    disk.mkdir(workspace.root / ".git" / "info", exist_ok=True)
    disk.write_bytes(workspace.root / ".git" / "info" / "exclude", exclude)
    return exclude


def borrow(git_dir: Path, lender: Path) -> None:
    if (lender / "shallow").exists():
        disk.copy(lender / "shallow", git_dir / "shallow")
    alternates = git_dir / "objects" / "info" / "alternates"
    disk.write_bytes(alternates, os.fsencode(lender / "objects") + b"\n")


def _locks(workspace: Workspace) -> list[Path]:
    """What killed git commands leave behind, which would make the next ones refuse."""
    ours, theirs = workspace.git_dir, workspace.root / ".git"
    found = [*ours.glob("*.lock"), *ours.glob(f"{OF_CHECKPOINTS}/*.lock")]
    found += ours.glob("refs/**/*.lock")
    if theirs.is_dir() and not theirs.is_symlink():
        found += theirs.glob("index.lock")
    return [lock for lock in found if lock.is_symlink() or not lock.is_dir()]


def _check_name(branch: str) -> None:
    if Git(Path("/")).ask("check-ref-format", "--branch", branch).code:
        raise WorkspaceError(f"a branch can't be called {branch!r}")
