"""The change of a run as one git tree: build it from the work tree, show, commit and check it.

Only the attributes of the base commit apply, because no command can change them. No filter runs.
"""

import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from react_agent.parsers.repo.git_diff import FileDiff, read_git_diff
from react_agent.tools import clock, disk
from react_agent.tools.errors import ReactAgentError, writing
from react_agent.tools.git import checkpoint
from react_agent.tools.git.door import AUTHOR, Git, complaint, joined, names
from react_agent.tools.git.objects import FILE, PROGRAM, Entry, ObjectError, Objects
from react_agent.tools.git.repository import borrowing, in_repository, set_branch
from react_agent.tools.git.workspace import Workspace, added

# Options that make a diff independent of the settings of the user's repository.
_DIFF = (
    *("diff", "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=dirty"),
    *("--unified=3", "--submodule=short", "--src-prefix=a/", "--dst-prefix=b/"),
)
MOST_S = 300.0
LARGEST = 1_000_000  # bytes of a file that is looked into
_NO_FILTER = ("unspecified", "unset")

Edits = dict[str, Entry | None]


@dataclass(frozen=True, slots=True)
class Proposal:
    tree: str  # what the branch is to hold
    left_out: tuple[str, ...]  # new files that no edit tool wrote and no command added
    filtered: tuple[str, ...] = ()  # left out, too: their content is stored by a filter, as LFS is
    ignored: tuple[str, ...] = ()  # files that edit tools wrote and that are in no tree


def propose(workspace: Workspace, wrote: Collection[str]) -> Proposal:
    """Return a tree of the current tracked files, added files and files written by edit tools.

    Line endings follow the attributes of the base commit, whatever the work tree's attributes are.
    """
    taken = checkpoint.take(workspace)
    objects, wanted = workspace.store, (added(workspace) | frozenset(wrote)) - workspace.laid
    base, edits, left_out = workspace.base.commit, Edits(), list(taken.left_out)
    for one in objects.differences(base, taken.tree):
        if one.before or one.path in wanted:
            edits[one.path] = one.after
        else:
            left_out.append(one.path)
    filtered = _normalise(workspace, base, edits)
    tree = objects.with_files(base, edits)
    written = frozenset(wrote) - workspace.laid - {*filtered, *left_out}
    lacking = written - objects.at(tree, written).keys()
    ignored = sorted(path for path in lacking if os.path.lexists(workspace.root / path))
    return Proposal(tree, tuple(sorted(set(left_out))), filtered, tuple(ignored))


def _normalise(workspace: Workspace, base: str, edits: Edits) -> tuple[str, ...]:
    """Convert files as `git add` would. Remove and return the files that need a filter."""
    files = {path: one for path, one in edits.items() if one and one.mode in (FILE, PROGRAM)}
    if not files or not workspace.has_attributes:
        return ()
    git = workspace.objects
    git.run("read-tree", "--reset", base)  # what attributes are read from
    told = git.run("check-attr", "--cached", "-z", "--stdin", "filter", stdin=joined(files))
    values = names(told)[2::3]
    filtered = [path for path, value in zip(files, values, strict=True) if value not in _NO_FILTER]
    for path in filtered:
        del edits[path], files[path]
    # not attributes files: beside the other files, they would change how those are converted
    others = {path: one for path, one in files.items() if not path.endswith(".gitattributes")}
    # as git itself stores them, from copies in an otherwise empty folder
    with disk.temporary_folder("normalise") as folder:
        with writing("a temporary file"):
            for path, one in others.items():
                disk.mkdir((folder / path).parent, parents=True, exist_ok=True)
                disk.write_bytes(folder / path, b"".join(workspace.store.chunks(one.id)))
                disk.chmod(folder / path, int(one.mode[-3:], 8))
        beside = git.having(GIT_WORK_TREE=str(folder))
        how = ("update-index", "-z", "--add", "--replace", "--stdin")
        beside.run(*how, stdin=joined(others))
    edits.update(workspace.store.at(git.line("write-tree"), others))
    return tuple(filtered)


def show(workspace: Workspace, tree: str) -> tuple[bytes, str]:
    """Return the patch from base to tree, for `git apply`, and the number of changed lines."""
    how = ("--patch-with-stat", "--stat=100", "--binary")
    told = workspace.objects.run(*_DIFF, *how, workspace.base.commit, tree, deadline_s=MOST_S)
    stat, _, patch = told.partition(b"\n\n")  # it quotes the ends of lines in names
    return patch, stat.decode(errors="replace")


def commit(
    workspace: Workspace, message: str, tree: str, author: tuple[str, str] = AUTHOR
) -> str | None:
    """Commit this tree with the base commit as its parent. Return None if nothing changed."""
    objects, base, now = workspace.store, workspace.base.commit, int(clock.unix())
    made, text = None, message.replace("\0", "").strip("\n")
    if tree != objects.tree_of(base) and (made := _made_before(workspace, text, tree)) is None:
        made = objects.commit(tree, base, text, author, now)
    set_branch(workspace.git_dir, workspace.branch, made or base)
    return made


def _made_before(workspace: Workspace, text: str, tree: str) -> str | None:
    """Return the same commit if an earlier process, which was killed, has already made it."""
    branch = workspace.git_dir / "refs" / "heads" / workspace.branch
    last = disk.read_text(branch).strip()
    try:
        head, _, said = workspace.store.read(last, "commit").partition(b"\n\n")
    except ObjectError:
        return None
    is_same = head.startswith(f"tree {tree}\nparent {workspace.base.commit}\n".encode())
    return last if is_same and said.rstrip(b"\n") == text.encode(errors="replace") else None


@dataclass(frozen=True, slots=True)
class Proposed:
    """A tree, and the commit that it is compared with."""

    git: Git
    objects: Objects
    base: str
    tree: str

    def changes(self) -> tuple[FileDiff, ...]:
        """Return the changes of each file, without context lines. A move is one change."""
        how = ("--unified=0", "--find-renames")
        told = self.git.run(*_DIFF, *how, self.base, self.tree, deadline_s=MOST_S)
        return read_git_diff(told.decode(errors="surrogateescape"))

    def files(self) -> list[str]:
        return list(self.objects.names(self.tree))

    def mentions(self, word: str) -> list[str]:
        how = ("-l", "-z", "-I", "--full-name", "-w", "-F", "-e", word)
        answer = self.git.ask("grep", *how, self.tree)
        return [name.removeprefix(f"{self.tree}:") for name in names(answer.out)]

    def now(self, path: str) -> bytes | None:
        return self.objects.file(self.tree, path, LARGEST)


def proposed(workspace: Workspace, tree: str) -> Proposed:
    return Proposed(workspace.objects, workspace.store, workspace.base.commit, tree)


@dataclass(frozen=True, slots=True)
class Published:
    """The patch of a branch against its base, and a one-line reason if it must not be sent."""

    patch: bytes
    objection: str


def published(repository: Path, base: str, branch: str) -> Published | None:
    """Return the patch of the branch, or None if the branch is missing or lacks the base."""
    with in_repository(repository) as git:
        ref = f"refs/heads/{branch}"
        if git.ask("merge-base", "--is-ancestor", base, ref).code:
            return None
        patch = git.run(*_DIFF, "--binary", base, ref, deadline_s=MOST_S)
        tree = git.line("rev-parse", f"{ref}^{{tree}}")
        return Published(patch, objection(git, base, patch, tree))


def objection(lender: Git, base: str, patch: bytes, tree: str) -> str:
    """Return the reason why git, without user settings, can't build this tree from the patch."""
    try:
        with borrowing(lender) as git:
            git.run("read-tree", base)
            made = applied(git, patch)
    except DoesNotApply as error:
        return f"the change does not apply to a clean checkout of its base: {error}"
    except ReactAgentError as error:
        return f"the change could not be checked on a clean checkout of its base: {error}"
    if made != tree:
        return "the change, applied to a clean checkout of its base, differs from the branch"
    return ""


class DoesNotApply(ReactAgentError):
    """The patch does not apply. The error message is one line."""


def applied(git: Git, patch: bytes, *how: str) -> str:
    """Apply a patch to the index and return the resulting tree. Raises DoesNotApply."""
    words = ("apply", "--cached", "--whitespace=nowarn", *how)
    answer = git.ask(*words, stdin=patch, deadline_s=MOST_S)
    if answer.code:
        raise DoesNotApply(complaint(answer.err))
    return git.line("write-tree")
