"""What a run changed: one tree, proposed from the work tree, shown and committed as it is."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.disk import remove_tree
from react_agent.tools.errors import MachineError
from react_agent.tools.git import checkpoint
from react_agent.tools.git.attributes import changed_files, normalise
from react_agent.tools.git.commands_git import added
from react_agent.tools.git.door import AUTHOR, Git
from react_agent.tools.git.workspace import CHECKOUT_S, Workspace

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
    filtered: tuple[str, ...] = ()  # left out, too: their content is stored by a filter, as LFS is


def propose(workspace: Workspace, wrote: Collection[str]) -> Proposal:
    """What was tracked or has been added, and what the edit tools wrote, as it is now.

    Ends of lines become what the attributes of the base commit say, whatever the work tree says.
    """
    taken = checkpoint.written_down(workspace)
    git, base = workspace.objects, workspace.base.commit
    changed = changed_files(git, base, taken.tree)
    wanted = (added(workspace) | frozenset(wrote)) - workspace.laid
    unasked = {one.path for one in changed if not one.old and one.path not in wanted}
    git.run("read-tree", "--reset", base)
    filtered = normalise(git, [one for one in changed if one.path not in unasked])
    left_out = tuple(sorted(unasked.union(taken.left_out)))
    return Proposal(git.line("write-tree"), left_out, filtered)


def diff(workspace: Workspace, tree: str) -> bytes:
    """A patch from the base to this tree, which git apply takes."""
    return _compared(workspace, tree, "--binary", "--src-prefix=a/", "--dst-prefix=b/")


def file_in(workspace: Workspace, tree: str, path: str) -> bytes | None:
    """What a file of this tree holds; None where there is none."""
    answer = workspace.objects.ask("cat-file", "blob", f"{tree}:{path}")
    return answer.out if answer.code == 0 else None


def diff_stat(workspace: Workspace, tree: str) -> str:
    return _compared(workspace, tree, "--stat=100").decode(errors="replace").rstrip("\n")


def commit(
    workspace: Workspace, message: str, tree: str, author: tuple[str, str] = AUTHOR
) -> str | None:
    """One commit of this tree on the base, whatever was committed in between; None: no change."""
    git, base = workspace.objects, workspace.base.commit
    ref = f"refs/heads/{workspace.branch}"
    if tree == git.line("rev-parse", f"{base}^{{tree}}"):
        git.run("update-ref", ref, base)
        return None
    text = message.replace("\0", "").strip("\n").encode(errors="replace") + b"\n"
    made = _made_before(workspace, tree, text)
    if made is None:
        git = git.having(GIT_AUTHOR_NAME=author[0], GIT_AUTHOR_EMAIL=author[1])
        made = git.run("commit-tree", tree, "-p", base, stdin=text).decode().strip()
        git.run("update-ref", ref, made)
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
    index = workspace.git_dir / "react-agent-checkout"
    git = Git(place).having(
        GIT_DIR=str(workspace.git_dir), GIT_WORK_TREE=str(place), GIT_INDEX_FILE=str(index)
    )
    git.run("read-tree", "--reset", tree)
    git.run("checkout-index", "--all", "--force", "--index", deadline_s=CHECKOUT_S)
    return git


def _made_before(workspace: Workspace, tree: str, text: bytes) -> str | None:
    """The same commit, by a process that was killed after it: another would have another id."""
    ref = f"refs/heads/{workspace.branch}"
    shown = workspace.objects.ask("log", "-1", "--format=%H%n%T %P%n%B", ref)
    made, _, rest = shown.out.partition(b"\n")
    same = rest.rstrip(b"\n") == f"{tree} {workspace.base.commit}\n".encode() + text.rstrip(b"\n")
    return made.decode() if same else None


def _compared(workspace: Workspace, tree: str, *how: str) -> bytes:
    return workspace.objects.run(*DIFF, *how, workspace.base.commit, tree, deadline_s=MOST_S)
