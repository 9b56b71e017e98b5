"""What a run changed: one tree, proposed from the work tree, shown and committed as it is."""

import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.errors import MachineError
from react_agent.tools.git.commands_git import added
from react_agent.tools.git.door import AUTHOR, Git, GitError, work_tree
from react_agent.tools.git.staging import names, stage
from react_agent.tools.git.workspace import CHECKOUT_S, Workspace
from react_agent.tools.removal import remove_tree

DIFF = (
    "diff",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--ignore-submodules=dirty",
)
MOST_S = 300.0


@dataclass(frozen=True, slots=True)
class Proposal:
    tree: str  # what the branch is to hold
    left_out: tuple[str, ...]  # new files that no edit tool wrote and no command added


def propose(workspace: Workspace, wrote: Collection[str]) -> Proposal:
    """What was tracked or has been added, and what the edit tools wrote, as it is now."""
    git = workspace.ours
    wanted = (added(workspace) | frozenset(wrote)) - workspace.laid
    left_out = stage(git, workspace.base.commit, wanted=wanted.__contains__)
    return Proposal(git.line("write-tree"), left_out)


def diff(workspace: Workspace, tree: str) -> bytes:
    """A patch from the base to this tree, which git apply takes."""
    return _compared(workspace, tree, "--binary", "--src-prefix=a/", "--dst-prefix=b/")


def file_in(workspace: Workspace, tree: str, path: str) -> bytes | None:
    """What a file of this tree holds; None where there is none."""
    answer = workspace.git.ask("cat-file", "blob", f"{tree}:{path}")
    return answer.out if answer.code == 0 else None


def diff_stat(workspace: Workspace, tree: str) -> str:
    return _compared(workspace, tree, "--stat=100").decode(errors="replace").rstrip("\n")


def commit(
    workspace: Workspace, message: str, tree: str, author: tuple[str, str] = AUTHOR
) -> str | None:
    """One commit of this tree on the base, whatever was committed in between; None: no change."""
    git, base = workspace.git, workspace.base.commit
    if tree == git.line("rev-parse", f"{base}^{{tree}}"):
        stand_on(workspace, base)
        return None
    text = message.replace("\0", "").strip("\n").encode(errors="replace") + b"\n"
    made = _made_before(workspace, tree, text)
    if made is None:
        git = git.having(GIT_AUTHOR_NAME=author[0], GIT_AUTHOR_EMAIL=author[1])
        made = git.run("commit-tree", tree, "-p", base, stdin=text).decode().strip()
    stand_on(workspace, made)
    return made


def check_out(workspace: Workspace, tree: str, place: Path) -> Git:
    """Write this tree's files to a folder of their own; what an earlier try left there goes.

    The git that is returned knows them as they are now.
    """
    remove_tree(place)
    try:
        disk.mkdir(place)
    except OSError as error:
        raise MachineError(f"{place} can't be made: {error.strerror}") from None
    git_dir = f"{workspace.root}/.git"
    git = work_tree(place).having(GIT_DIR=git_dir, GIT_INDEX_FILE=f"{git_dir}/react-agent-checkout")
    git.run("read-tree", "--reset", tree)
    git.run("checkout-index", "--all", "--force", "--index", deadline_s=CHECKOUT_S)
    return git


def stand_on(workspace: Workspace, commit: str) -> None:
    """HEAD on our branch at this commit, and the index as it; the work tree stays as it is."""
    stand_at(workspace, commit)
    workspace.git.run("read-tree", "--reset", commit)


def stand_at(workspace: Workspace, commit: str) -> None:
    """The same, but for the index."""
    ref = f"refs/heads/{workspace.branch}"
    workspace.git.run("update-ref", ref, commit)
    workspace.git.run("symbolic-ref", "HEAD", ref)


def begin_again(workspace: Workspace) -> None:
    """Stand on the base; what commands have added to the index stays in it, killed or not."""
    git, base = workspace.git, workspace.base.commit
    stand_at(workspace, base)
    index = workspace.root / ".git" / "index"
    new = index.with_name("react-agent-new-index")
    added = git.ask("diff-index", "-z", "--cached", "--no-renames", "--diff-filter=A", base)
    beside = git.having(GIT_INDEX_FILE=str(new))
    try:
        disk.copy(index, new)
        beside.run("read-tree", "--reset", base)
    except (OSError, GitError):
        disk.unlink(new, missing_ok=True)
        beside.run("read-tree", "--reset", base)
    if not added.code and added.out:
        beside.run("update-index", "-z", "--index-info", stdin=_entries(added.out))
    disk.rename(new, index)


def forget_gone(workspace: Workspace) -> None:
    """New files that the index holds, and that are not there any more."""
    listed = ("diff-index", "-z", "--cached", "--name-only", "--no-renames", "--diff-filter=A")
    paths = names(workspace.git.run(*listed, workspace.base.commit))
    gone = [path for path in paths if not os.path.lexists(workspace.root / path)]
    if gone:
        given = b"".join(os.fsencode(path) + b"\0" for path in gone)
        workspace.git.run("update-index", "-z", "--force-remove", "--stdin", stdin=given)


def _entries(raw: bytes) -> bytes:
    """What `diff-index` tells of new files, as `update-index` takes it."""
    fields = raw.split(b"\0")
    rows = zip(fields[0::2], fields[1::2], strict=False)
    return b"".join(
        b"%s %s\t%s\0" % (told.split(b" ")[1], told.split(b" ")[3], path) for told, path in rows
    )


def _made_before(workspace: Workspace, tree: str, text: bytes) -> str | None:
    """The same commit, by a process that was killed after it: another would have another id."""
    ref = f"refs/heads/{workspace.branch}"
    shown = workspace.git.ask("log", "-1", "--format=%H%n%T %P%n%B", ref)
    made, _, rest = shown.out.partition(b"\n")
    same = rest.rstrip(b"\n") == f"{tree} {workspace.base.commit}\n".encode() + text.rstrip(b"\n")
    return made.decode() if same else None


def _compared(workspace: Workspace, tree: str, *how: str) -> bytes:
    return workspace.ours.run(*DIFF, *how, workspace.base.commit, tree, deadline_s=MOST_S)
