"""The files of a tree in a folder of their own: for tests, for checks, to try a patch on."""

import os
import stat
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.disk import remove_pipes, remove_tree
from react_agent.tools.errors import MachineError, ReactAgentError
from react_agent.tools.git.change import DIFF, MOST_S, SIDES
from react_agent.tools.git.door import Git, joined, names, work_tree
from react_agent.tools.git.objects import FILE, PROGRAM, Entry
from react_agent.tools.git.repository import in_repository, lend, new_repository, set_branch
from react_agent.tools.git.workspace import CHECKOUT_S, Workspace, copy_git_dir

REGULAR = (FILE, PROGRAM)
LARGEST = 20 * 1024 * 1024
_APPLY = ("apply", "--index", "--whitespace=nowarn", "-p1", "-")


def check_out(workspace: Workspace, tree: str, place: Path) -> Git:
    """Write this tree's files to a folder of their own; what an earlier try left there goes.

    The git that is returned knows them as they are now.
    """
    index = workspace.git_dir / "react-agent-checkout"
    remove_tree(place, index)
    try:
        disk.mkdir(place)
    except OSError as error:
        raise MachineError(f"{place} can't be made: {error.strerror}") from None
    git = Git(place).having(
        GIT_DIR=str(workspace.git_dir), GIT_WORK_TREE=str(place), GIT_INDEX_FILE=str(index)
    )
    git.run("read-tree", "--reset", "-u", tree, deadline_s=CHECKOUT_S)
    return git


@dataclass(frozen=True, slots=True)
class Change:
    path: str
    is_edit: bool  # a regular file still, as executable as before, and not very large


@dataclass(frozen=True, slots=True)
class CheckedFiles:
    """The files of a checkout that programs may change, and what they changed of them.

    git looks at them with the workspace's settings and an index of ours, never with those of a
    `.git` that the programs could write to; it follows no link that they put in a folder's place.
    """

    workspace: Workspace
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
        self.git.run("update-index", "-z", "--stdin", stdin=joined(paths))

    def put_back(self, paths: Iterable[str]) -> None:
        self.git.run("checkout-index", "--force", "--index", "-z", "--stdin", stdin=joined(paths))

    def read(self, path: str) -> bytes:
        return self.git.run("cat-file", "blob", f":{path}")

    def write(self, path: str, data: bytes) -> None:
        id = self.workspace.store.store("blob", data)
        mode = self.entries([path])[path].mode.decode()
        self.git.run("update-index", "--cacheinfo", f"{mode},{id},{path}")
        self.put_back([path])

    def entries(self, paths: Iterable[str] = ()) -> dict[str, Entry]:
        """Of these paths, or of all."""
        told = self.git.run("ls-files", "--stage", "-z", "--", *paths)
        rows = (row.partition("\t") for row in names(told))
        facts = ((path, held.split(" ")) for held, _, path in rows)
        return {path: Entry(mode.encode(), id) for path, (mode, id, _) in facts}

    def make_git(self, git_dir: Path) -> None:
        """A repository for the programs: its HEAD is the base, its index holds these files."""
        here = self.workspace
        copy_git_dir(here, git_dir, objects=[one.id for one in self.entries().values()])
        index = Path(dict(self.git.variables)["GIT_INDEX_FILE"])
        disk.write_bytes(git_dir / "index", disk.read_bytes(index))
        set_branch(git_dir, here.branch, here.base.commit)


def regular_files(workspace: Workspace, tree: str, paths: Iterable[str]) -> dict[str, str]:
    """Of these paths, those that are regular files in a tree, with their modes."""
    there = workspace.store.at(tree, paths)
    return {path: one.mode.decode() for path, one in there.items() if one.mode in REGULAR}


def _is_edit(facts: str, place: Path) -> bool:
    before, after, *_, status = facts.removeprefix(":").split(" ")
    if status != "M" or before != after or before.encode() not in REGULAR:
        return False
    found = os.lstat(place)  # git takes a pipe for a regular file
    return stat.S_ISREG(found.st_mode) and found.st_size <= LARGEST


@dataclass(frozen=True, slots=True)
class Published:
    """What a branch has beyond its base."""

    patch: bytes
    tree: str
    lender: Path  # the git directory that has both


def published(repository: Path, base: str, branch: str) -> Published | None:
    """None where the branch is not there, or does not hold the base."""
    with in_repository(repository) as git:
        ref = f"refs/heads/{branch}"
        if git.ask("merge-base", "--is-ancestor", base, ref).code:
            return None
        patch = git.run(*DIFF, "--binary", *SIDES, base, ref, deadline_s=MOST_S)
        asked = git.run("rev-parse", f"{ref}^{{tree}}", "--git-common-dir")
        tree, _, common = os.fsdecode(asked).removesuffix("\n").partition("\n")
    return Published(patch, tree, repository.absolute() / common)


def objection(of: Published, base: str, old: Collection[str]) -> str:
    """Why it must not be sent, in one line; `old` are the names that the patch changes.

    The repository lends its objects and nothing else: no setting of it counts, and none is added.
    """
    with disk.temporary_folder("check") as made:
        root = made.resolve()
        lend(of.lender, new_repository(root / ".git"))
        try:
            return _tried(work_tree(root), of, base, old)
        except ReactAgentError as error:
            return f"the change could not be checked on a clean checkout of its base: {error}"


def _tried(git: Git, of: Published, base: str, old: Collection[str]) -> str:
    git.run("read-tree", "--reset", base)
    git.run("checkout-index", "-u", "-z", "--stdin", stdin=joined(old), deadline_s=CHECKOUT_S)
    answer = git.ask(*_APPLY, stdin=of.patch, deadline_s=MOST_S)
    if answer.code:
        said = answer.err.strip().split("\n")[0].removeprefix("error: ").removeprefix("fatal: ")
        return f"the change does not apply to a clean checkout of its base: {said}"
    if git.line("write-tree") != of.tree:
        return "the change, applied to a clean checkout of its base, is not what the branch holds"
    return ""
