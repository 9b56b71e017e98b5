"""A workspace: a private clone with a configuration of ours, on a branch of its own."""

import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.errors import Damaged, WorkspaceError
from react_agent.tools.git import repository
from react_agent.tools.git.built import Built, files_in, lay
from react_agent.tools.git.cut import cut, new_repository
from react_agent.tools.git.door import AUTHOR, Git, GitError, work_tree
from react_agent.tools.git.repository import Base
from react_agent.tools.git.staging import untracked
from react_agent.tools.removal import remove_tree
from react_agent.tools.sandbox.sandbox import COMMANDS_GIT

CHECKOUT_S = 600.0
MOST_NAMES = 10  # of the branches that runs cut and taken up again leave
CHECKPOINTS = "checkpoints"  # below .git: a repository whose index and objects only we use
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
    def git(self) -> Git:
        """git as the agent's commands see it."""
        return work_tree(self.root)

    @property
    def ours(self) -> Git:
        """git with an index of ours, so that the one the agent's commands see stays as it is."""
        return self.git.having(GIT_INDEX_FILE=f"{self.root}/.git/react-agent-index")

    @property
    def laid(self) -> frozenset[str]:
        """What it was given of that, by their paths; and what the base has in their place."""
        return frozenset(files_in(self.built.folder) if self.built else ())

    @property
    def checkpoints(self) -> Git:
        """git on the same files, in a repository that takes and gives back every byte as it is."""
        return self.git.having(GIT_DIR=f"{self.root}/.git/{CHECKPOINTS}")


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
        undo.callback(remove_tree, workspace.root)
        _build(workspace, cut(base.repository, base.commit, cuts))
        undo.pop_all()
    return workspace


def reopen(base: Base, *, root: Path, branch: str, cuts: Path) -> Workspace:
    """The workspace that an earlier process made with these, and may have been killed in."""
    workspace = Workspace(root.absolute(), branch, base)
    cut(base.repository, base.commit, cuts)
    if not is_whole(workspace):
        raise Damaged(f"the workspace {root} is gone or damaged; start a new run")
    copy = workspace.root.parent / COMMANDS_GIT
    for lock in _locks(workspace.root / ".git", copy):
        disk.unlink(lock)
    return workspace


def is_whole(workspace: Workspace) -> bool:
    """Whether both of its repositories are there and answer, which a command can end."""
    git_dir = workspace.root / ".git"
    return all(
        place.is_dir()
        and not place.is_symlink()  # it would be somebody else's
        and git.ask("cat-file", "-e", workspace.base.commit).code == 0
        for place, git in (
            (git_dir, workspace.git),
            (git_dir / CHECKPOINTS, workspace.checkpoints),
        )
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
                repository.give(base, name, commit, source=workspace.root / ".git")
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


def _build(workspace: Workspace, lender: Path) -> None:
    commit, git_dir = workspace.base.commit, workspace.root / ".git"
    new_repository(workspace.root, commit, f"--initial-branch={workspace.branch}")
    disk.append_text(git_dir / "config", CONFIG)
    _borrow(git_dir, lender)
    workspace.git.run("update-ref", f"refs/heads/{workspace.branch}", commit)
    workspace.git.run("read-tree", "--reset", "-u", commit, deadline_s=CHECKOUT_S)
    own = git_dir / CHECKPOINTS
    new_repository(own, commit, "--bare")
    disk.mkdir(own / "info")
    disk.write_text(own / "info" / "attributes", AS_THEY_ARE)
    if workspace.built:
        _lay(workspace, workspace.built)
    _borrow(own, lender)  # the last: with it, the workspace is whole


def _lay(workspace: Workspace, built: Built) -> None:
    """git sees nothing of it: what no rule of the repository ignores, one of ours does."""
    git_dir = workspace.root / ".git"
    lay(built, workspace.root, workspace.base.commit)
    workspace.git.run("update-index", "-q", "--refresh")  # their times may be others
    rules = (f"/{_SPECIAL.sub(_ESCAPED, path)}\n" for path in untracked(workspace.git))
    exclude = os.fsencode("".join(rules))
    for place in (git_dir, git_dir / CHECKPOINTS):
        disk.mkdir(place / "info", exist_ok=True)
        disk.write_bytes(place / "info" / "exclude", exclude)


def _borrow(git_dir: Path, lender: Path) -> None:
    if (lender / "shallow").exists():
        disk.copy(lender / "shallow", git_dir / "shallow")
    alternates = git_dir / "objects" / "info" / "alternates"
    disk.write_bytes(alternates, os.fsencode(lender / "objects") + b"\n")


def _locks(git_dir: Path, commands: Path) -> list[Path]:
    """What killed git commands leave behind, which would make the next ones refuse."""
    found = (
        *list(git_dir.glob("*.lock")),
        *list(git_dir.glob(f"{CHECKPOINTS}/*.lock")),
        *list(git_dir.glob("refs/**/*.lock")),
        *list(commands.glob("index.lock")),
    )
    return [lock for lock in found if lock.is_symlink() or not lock.is_dir()]


def _check_name(branch: str) -> None:
    if Git(Path("/")).ask("check-ref-format", "--branch", branch).code:
        raise WorkspaceError(f"a branch can't be called {branch!r}")
