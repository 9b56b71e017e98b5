"""What a run changed: the work tree against the base commit, whatever was committed in between."""

from collections.abc import Collection
from dataclasses import dataclass

from react_agent.tools.git import AUTHOR
from react_agent.tools.staging import names, stage
from react_agent.tools.workspace import Workspace

DIFF = (
    "diff",
    "--cached",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--ignore-submodules=dirty",
)
MOST_S = 300.0


@dataclass(frozen=True, slots=True)
class Committed:
    commit: str | None  # None: nothing had changed
    left_out: tuple[str, ...]  # new files that no edit tool wrote


def diff(workspace: Workspace) -> bytes:
    """A patch of everything that is not ignored, which git apply takes."""
    return _compared(workspace, "--binary", "--src-prefix=a/", "--dst-prefix=b/")


def diff_stat(workspace: Workspace) -> str:
    return _compared(workspace, "--stat=100").decode(errors="replace").rstrip("\n")


def changed(workspace: Workspace) -> tuple[str, ...]:
    """The files that are different, new or gone."""
    return tuple(names(_compared(workspace, "--name-only", "--no-renames", "-z")))


def commit(
    workspace: Workspace,
    message: str,
    wrote: Collection[str],
    author: tuple[str, str] = AUTHOR,
) -> Committed:
    """One commit on the base: what was tracked or has been added, and what the edit tools wrote."""
    git = workspace.ours.having(GIT_AUTHOR_NAME=author[0], GIT_AUTHOR_EMAIL=author[1])
    added = frozenset(names(workspace.git.run("ls-files", "-z")))
    left_out = stage(git, workspace.base.commit, wanted=lambda path: path in wrote or path in added)
    tree = git.line("write-tree")
    if tree == git.line("rev-parse", f"{workspace.base.commit}^{{tree}}"):
        _stand_on(workspace, workspace.base.commit)
        return Committed(None, left_out)
    text = message.replace("\0", "").strip("\n").encode(errors="replace") + b"\n"
    made = _made_before(workspace, tree, text)
    if made is None:
        answer = git.run("commit-tree", tree, "-p", workspace.base.commit, stdin=text)
        made = answer.decode().strip()
    _stand_on(workspace, made)
    return Committed(made, left_out)


def _made_before(workspace: Workspace, tree: str, text: bytes) -> str | None:
    """The same commit, by a process that was killed after it: another would have another id."""
    ref = f"refs/heads/{workspace.branch}"
    shown = workspace.git.ask("log", "-1", "--format=%H%n%T %P%n%B", ref)
    made, _, rest = shown.out.partition(b"\n")
    same = rest.rstrip(b"\n") == f"{tree} {workspace.base.commit}\n".encode() + text.rstrip(b"\n")
    return made.decode() if same else None


def _stand_on(workspace: Workspace, commit: str) -> None:
    ref = f"refs/heads/{workspace.branch}"
    workspace.git.run("update-ref", ref, commit)
    workspace.git.run("symbolic-ref", "HEAD", ref)
    workspace.git.run("read-tree", "--reset", commit)


def _compared(workspace: Workspace, *how: str) -> bytes:
    git = workspace.ours
    stage(git, workspace.base.commit)
    return git.run(*DIFF, *how, workspace.base.commit, deadline_s=MOST_S)
