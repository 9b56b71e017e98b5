"""What a run changed: one tree, proposed from the work tree, shown and committed as it is.

The attributes of the base commit count, which no command can write; no filter is run.
"""

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from react_agent.parsers.repo.git_diff import FileDiff, read_git_diff
from react_agent.tools import clock, disk
from react_agent.tools.errors import MachineError, reason
from react_agent.tools.git import checkpoint
from react_agent.tools.git.door import AUTHOR, Git, joined, names
from react_agent.tools.git.objects import FILE, PROGRAM, Entry, ObjectError, Objects, Person
from react_agent.tools.git.repository import set_branch
from react_agent.tools.git.workspace import Workspace, added

DIFF = (
    "diff",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--ignore-submodules=dirty",
)
SIDES = ("--src-prefix=a/", "--dst-prefix=b/")
MOST_S = 300.0
LARGEST = 1_000_000  # bytes of a file that is looked into
_ATTRIBUTES = ".gitattributes"
_FILTER = "filter"
_OFF = ("unspecified", "unset")

Edits = dict[str, Entry | None]


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
    objects, wanted = workspace.store, (added(workspace) | frozenset(wrote)) - workspace.laid
    base, edits, left_out = objects.tree_of(workspace.base.commit), Edits(), list(taken.left_out)
    for one in objects.differences(base, taken.tree):
        path = os.fsdecode(one.path)
        if one.before or path in wanted:
            edits[path] = one.after
        else:
            left_out.append(path)
    filtered = _normalise(workspace, base, edits)
    tree = objects.with_files(base, edits)
    return Proposal(tree, tuple(sorted(set(left_out))), filtered)


def _normalise(workspace: Workspace, base: str, edits: Edits) -> tuple[str, ...]:
    """Have files as `git add` would store them; those that a filter would store are taken out."""
    files = {path: one for path, one in edits.items() if one and one.mode in (FILE, PROGRAM)}
    if not files or not workspace.has_attributes:
        return ()
    git = workspace.objects
    git.run("read-tree", "--reset", base)  # what attributes are read from
    told = git.run("check-attr", "--cached", "-z", "--stdin", _FILTER, stdin=joined(files))
    values = names(told)[2::3]
    filtered = [path for path, value in zip(files, values, strict=True) if value not in _OFF]
    for path in filtered:
        del edits[path], files[path]
    # what a file of attributes says would count, where the others are converted
    converted = {path: one for path, one in files.items() if not path.endswith(_ATTRIBUTES)}
    edits.update(_converted(workspace, git, converted))
    return tuple(filtered)


def _converted(workspace: Workspace, git: Git, files: Mapping[str, Entry]) -> dict[str, Entry]:
    """By git itself, on copies in a folder that holds nothing else."""
    with disk.temporary_folder("normalise") as folder:
        try:
            for path, one in files.items():
                disk.mkdir((folder / path).parent, parents=True, exist_ok=True)
                disk.write_bytes(folder / path, b"".join(workspace.store.chunks(one.id)))
                disk.chmod(folder / path, int(one.mode[-3:], 8))
        except OSError as error:
            raise MachineError(f"a temporary file can't be written: {reason(error)}") from None
        beside = git.having(GIT_WORK_TREE=str(folder))
        how = ("update-index", "-z", "--add", "--replace", "--stdin")
        beside.run(*how, stdin=joined(files))
    return workspace.store.at(git.line("write-tree"), files)


@dataclass(frozen=True, slots=True)
class Shown:
    patch: bytes = b""  # from the base to it, which git apply takes
    stat: str = ""


def show(workspace: Workspace, tree: str) -> Shown:
    how = ("--patch-with-stat", "--stat=100", "--binary", *SIDES)
    told = workspace.objects.run(*DIFF, *how, workspace.base.commit, tree, deadline_s=MOST_S)
    stat, _, patch = told.partition(b"\n\n")  # it quotes the ends of lines in names
    return Shown(patch, stat.decode(errors="replace"))


def commit(
    workspace: Workspace, message: str, tree: str, author: tuple[str, str] = AUTHOR
) -> str | None:
    """One commit of this tree on the base, whatever was committed in between; None: no change."""
    objects, base = workspace.store, workspace.base.commit
    made = None if tree == objects.tree_of(base) else _commit(workspace, message, tree, author)
    set_branch(workspace.git_dir, workspace.branch, made or base)
    return made


def _commit(workspace: Workspace, message: str, tree: str, author: tuple[str, str]) -> str:
    """It may have been made by a process that was killed: another would have another id."""
    objects, base, now = workspace.store, workspace.base.commit, int(clock.unix())
    text = message.replace("\0", "").strip("\n")
    branch = workspace.git_dir / "refs" / "heads" / workspace.branch
    last = disk.read_text(branch).strip()
    try:
        head, _, said = objects.read(last, "commit").partition(b"\n\n")
        same = head.startswith(f"tree {tree}\nparent {base}\n".encode())
        if same and said.rstrip(b"\n") == text.encode(errors="replace"):
            return last
    except ObjectError:
        pass
    return objects.commit(tree, [base], text, Person(*author, now), Person(*AUTHOR, now))


@dataclass(frozen=True, slots=True)
class Proposed:
    """A tree, and the commit that it is compared with."""

    git: Git
    objects: Objects
    base: str
    tree: str

    def changes(self) -> tuple[FileDiff, ...]:
        """By files, without the lines around; a file that was moved is one."""
        how = ("--unified=0", "--find-renames", *SIDES)
        told = self.git.run(*DIFF, *how, self.base, self.tree, deadline_s=MOST_S)
        return read_git_diff(told.decode(errors="surrogateescape"))

    def files(self) -> list[str]:
        return list(self.objects.names(self.tree))

    def mentions(self, word: str) -> list[str]:
        """The files that hold this word."""
        how = ("-l", "-z", "-I", "--full-name", "-w", "-F", "-e", word)
        answer = self.git.ask("grep", *how, self.tree)
        return [name.removeprefix(f"{self.tree}:") for name in names(answer.out)]

    def now(self, path: str) -> bytes | None:
        return self.objects.file(self.tree, path, LARGEST)

    def before(self, path: str) -> bytes | None:
        return self.objects.file(self.base, path, LARGEST)


def proposed(workspace: Workspace, tree: str) -> Proposed:
    return Proposed(workspace.objects, workspace.store, workspace.base.commit, tree)
