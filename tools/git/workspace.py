"""A workspace: a private clone of the base commit, and our own git directory for it.

The clone's own `.git` belongs to the commands that the model runs. They can write anything there,
so we read only the file names in its index. Our git directory is next to the work tree, where no
sandbox lets commands write. It contains our own configuration, attributes, index and hooks.

Checkpoints of another workspace are copied object by object, after each hash has been verified.
Older versions stored them below the work tree's `.git`, where commands could write. Only regular
files are read from such a folder, and links are not followed.
"""

import contextlib
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.disk import remove_tree
from react_agent.tools.errors import Damaged, WorkspaceError, writing
from react_agent.tools.files import paths
from react_agent.tools.git import door, repository
from react_agent.tools.git.built import Built, files_in, lay
from react_agent.tools.git.door import (
    AUTHOR,
    OF_CHECKPOINTS,
    Git,
    GitError,
    host_git,
    joined,
    names,
)
from react_agent.tools.git.objects import (
    MOST,
    SUBMODULE,
    ObjectError,
    ObjectStore,
    noted_in,
    objects_in,
    unpacked,
)
from react_agent.tools.git.repository import Base, cut, lend, new_repository, set_branch

CHECKOUT_S = 600.0
LARGEST_INDEX = 256 * 1024 * 1024
_READ = (b"DIRC\0\0\0\2", b"DIRC\0\0\0\3")  # the versions that git writes unasked
MOST_NAMES = 10  # of the branches that runs cut and taken up again leave
_ATTRIBUTES = b".gitattributes"
_COMMANDS_INDEX = "react-agent-commands-index"
_COMMANDS_GIT = "react-agent-commands-git"  # what becomes their `.git`
BASE_INDEX = "base-index"  # holds the base, and what its files looked like when compared last
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
_OLDER_COMMANDS_GIT = "commands.git"  # beside the work tree: what confined commands had as .git


@dataclass(frozen=True, slots=True)
class Workspace:
    root: Path
    branch: str
    base: Base
    built: Built | None = None  # laid into its work tree, and no part of any change

    @property
    def git_dir(self) -> Path:
        """Return our git directory, which is not visible to commands."""
        return host_git(self.root)

    @property
    def git(self) -> Git:
        """Return a Git object for the work tree. Its index contains the base commit."""
        return Git(self.root).having(GIT_DIR=str(self.git_dir), GIT_WORK_TREE=str(self.root))

    @property
    def objects(self) -> Git:
        """Return a Git object for trees and commits only, with a separate index.

        Its work tree is an empty folder, so attributes are read from the index.
        """
        stage = self.git_dir / STAGE
        own = self.git_dir / "react-agent-index"
        return Git(stage).having(
            GIT_DIR=str(self.git_dir), GIT_WORK_TREE=str(stage), GIT_INDEX_FILE=str(own)
        )

    @property
    def store(self) -> ObjectStore:
        """Return the object store, which reads and writes objects without starting a process."""
        return objects_in(self.git_dir)

    @property
    def cut(self) -> Path:
        """Return the bare copy (cut) that the workspace borrows objects from."""
        named = disk.read_bytes(self.git_dir / "objects" / "info" / "alternates")
        return Path(os.fsdecode(named).removesuffix("\n")).parent

    @property
    def has_attributes(self) -> bool:
        """Return whether the index with the base commit may contain a `.gitattributes` file."""
        return _ATTRIBUTES in disk.read_bytes(self.git_dir / "index")

    @property
    def laid(self) -> frozenset[str]:
        """Return the paths of the copied built files, including those that are also in the base."""
        return frozenset(files_in(self.built.folder) if self.built else ())

    @property
    def checkpoints(self) -> Git:
        """Return a Git object for the work tree that stores every byte of a file unchanged."""
        return self.git.having(
            GIT_DIR=str(self.git_dir / OF_CHECKPOINTS),
            GIT_OBJECT_DIRECTORY=str(self.git_dir / "objects"),
        )


def make(
    base: Base, *, root: Path, branch: str, cuts: Path, built: Built | None = None
) -> Workspace:
    """Create a workspace at `root`. If that fails, remove everything that was created.

    The clone for commands is created first. Our git directory next to it is a copy of the clone's,
    made before any command has run.
    """
    if not repository.is_name(f"refs/heads/{branch}") or branch.startswith("-") or branch == "HEAD":
        raise WorkspaceError(f"not a valid branch name: {branch!r}")
    workspace = Workspace(root.absolute(), branch, base, built)
    try:
        disk.mkdir(root, parents=True)
    except OSError as error:
        raise WorkspaceError(f"no workspace at {root}: {error.strerror}") from None
    try:
        theirs = new_repository(workspace.root / ".git", branch)
        lend(cut(base.repository, base.commit, cuts), theirs)
        disk.append_text(theirs / "config", CONFIG)
        set_branch(theirs, branch, base.commit)
        git = workspace.git.having(GIT_DIR=str(theirs))
        git.run("read-tree", "--reset", "-u", base.commit, deadline_s=CHECKOUT_S)
        if built:
            _lay(built, workspace, git)
        make_git_dir(workspace, theirs)
    except BaseException:
        remove(workspace)
        raise
    return workspace


def reopen(base: Base, *, root: Path, branch: str, cuts: Path) -> Workspace:
    """Reopen the workspace of an earlier process, which may have been killed while using it."""
    workspace = Workspace(root.absolute(), branch, base)
    cut(base.repository, base.commit, cuts)
    if not is_whole(workspace):
        raise Damaged(f"the workspace {root} is gone or damaged; start a new run")
    # locks of killed git commands, which would make the next ones fail
    ours, theirs = workspace.git_dir, workspace.root / ".git"
    locks = [ours.glob(one) for one in ("*.lock", f"{OF_CHECKPOINTS}/*.lock", "refs/**/*.lock")]
    locks += [theirs.glob("index.lock")] if theirs.is_dir() and not theirs.is_symlink() else []
    for lock in chain.from_iterable(locks):
        if lock.is_symlink() or not lock.is_dir():
            disk.unlink(lock)
    workspace.store.recover()
    return workspace


@contextlib.contextmanager
def checked_out(git_dir: Path, paths: Iterable[str]) -> Iterator[Path]:
    """Yield a temporary folder with these files of the base, checked out by git.

    Only the attributes of the base apply. They may convert line endings.
    """
    with disk.temporary_folder("base") as folder:
        git = Git(folder).having(GIT_DIR=str(git_dir), GIT_WORK_TREE=str(folder))
        how = ("checkout-index", "-z", "--stdin")
        git.run(*how, stdin=joined(paths), deadline_s=CHECKOUT_S)
        yield folder


def added(workspace: Workspace) -> frozenset[str]:
    """Return the names in the index of the commands' `.git`, or none if it can't be read."""
    return _names_in_file(paths.Place(workspace.root, ".git/index"))


def _names_in_file(place: paths.Place) -> frozenset[str]:
    try:
        index = paths.start_of(place, LARGEST_INDEX + 1, follow=False)
        # not version 4: its names are compressed, and 1 MB can become terabytes
        is_read = index[:8] in _READ and len(index) <= LARGEST_INDEX
        return frozenset(_names_in(index) if is_read else ())
    except (OSError, ValueError):
        return frozenset()


def _names_in(index: bytes) -> Iterator[str]:
    """Yield the names in an index (see gitformat-index). Raises ValueError if it is malformed."""
    at = 12
    for _ in range(int.from_bytes(index[8:at], "big")):
        flags = int.from_bytes(index[at + 60 : at + 62], "big")
        start = at + (64 if flags & 0x4000 else 62)
        end = index.index(b"\0", start)
        yield os.fsdecode(index[start:end])
        at += (end - at) // 8 * 8 + 8


def renew_commands_git(workspace: Workspace, tree: str) -> None:
    """Reset the commands' `.git` to the base commit. Added files stay added if the tree has them.

    Their commits, branches and settings are removed: a run must not see its own future.
    """
    objects, base, theirs = workspace.store, workspace.base.commit, workspace.root / ".git"
    # A killed process may have removed `theirs` already, but it has left the new index.
    left = _names_in_file(paths.Place(workspace.git_dir, _COMMANDS_INDEX))
    there = added(workspace) | left  # as many names as a command likes, and none may be a file
    found = {one.path: one.after for one in objects.differences(base, tree) if not one.before}
    new = {path: one for path, one in found.items() if one and path in there}
    index, fresh = (workspace.git_dir / f"{_COMMANDS_INDEX}{end}" for end in ("", ".new"))
    made = workspace.git_dir / _COMMANDS_GIT
    with writing(theirs):
        # copied with its time, from which git tells which files it has to compare again
        disk.copy(workspace.git_dir / "index", fresh)
        rows = (f"{one.mode.decode()} {one.id}\t{path}" for path, one in new.items())
        beside = workspace.objects.having(GIT_INDEX_FILE=str(fresh))
        beside.run("update-index", "-z", "--index-info", stdin=joined(rows))
        disk.rename(fresh, index)
        # where no command can put a link, as one in the background could in the work tree
        remove_tree(made)
        copy_git_dir(workspace, made, objects=[one.id for one in new.values()])
        set_branch(made, workspace.branch, base)
        with contextlib.ExitStack() as opened:
            folder = paths.enter(opened, made, ())[-1]
            remove_tree(theirs)
            disk.rename(made, theirs)
            paths.move_in(index, folder, "index")


def copy_git_dir(workspace: Workspace, place: Path, objects: Iterable[str]) -> None:
    """Copy our git directory for use by commands. Of our own objects, copy only the given ones."""
    ours = workspace.git_dir
    with writing(place):
        disk.copy_tree(ours, place, without=_OURS_ALONE)
        disk.mkdir(place / "objects" / "info", parents=True)
        for name in ("info/alternates", *(f"{id[:2]}/{id[2:]}" for id in objects)):
            if (ours / "objects" / name).is_file():  # else it is the base's
                disk.mkdir((place / "objects" / name).parent, exist_ok=True)
                disk.copy(ours / "objects" / name, place / "objects" / name)


def is_whole(workspace: Workspace) -> bool:
    """Return whether the work tree and both of our git directories exist and are usable."""
    places = (workspace.root, workspace.git_dir, workspace.git_dir / OF_CHECKPOINTS)
    return all(place.is_dir() and not place.is_symlink() for place in places) and all(
        git.ask("cat-file", "-e", workspace.base.commit).code == 0
        for git in (workspace.git, workspace.checkpoints)
    )


def publish(workspace: Workspace, commit: str) -> str:
    """Create the branch in the user's repository and return its name, which may be numbered."""
    base, branch = workspace.base, workspace.branch
    stems = (branch, branch.replace("/", "-"))  # where a branch bears its first part
    ends = ("", *(f"-{number}" for number in range(2, MOST_NAMES)))
    for name in (f"{stem}{end}" for stem in stems for end in ends):
        taken = repository.branches(base)
        if taken.get(name) == commit:
            return name  # by a process that was killed before it could say so
        if repository.is_free(name, taken):
            try:
                repository.give(base, name, commit, source=workspace.git_dir)
            except GitError:
                if repository.is_free(name, repository.branches(base)):
                    raise
            else:  # else another run was first
                return name
    raise WorkspaceError(f"{base.repository} has too many branches {branch}-...; delete some")


def remove(workspace: Workspace, *also: Path) -> None:
    remove_tree(workspace.root, workspace.git_dir, *also)


def make_git_dir(workspace: Workspace, source: Path) -> None:
    """Create our git directory from that of the base commit, which no command has written to."""
    building = workspace.git_dir.with_name(".building-git")
    with writing(workspace.git_dir):
        remove_tree(building)
        disk.copy_tree(source, building)
        disk.mkdir(building / STAGE)
        own = building / OF_CHECKPOINTS
        for folder in (building / "info", own, own / "refs", own / "info"):
            disk.mkdir(folder, exist_ok=True)
        for name in ("config", "shallow", "info/exclude"):
            if (building / name).exists():
                disk.copy(building / name, own / name)
        disk.write_text(own / "HEAD", f"{workspace.base.commit}\n")
        if _ATTRIBUTES not in disk.read_bytes(building / "index"):
            # no line ends were converted, so the stat data in this index is valid for checkpoints
            disk.copy(building / "index", own / BASE_INDEX)
        disk.write_text(own / "info" / "attributes", AS_THEY_ARE)
        remove_tree(workspace.git_dir)
        disk.rename(building, workspace.git_dir)  # the last: with it, the workspace is whole


def _lay(built: Built, workspace: Workspace, git: Git) -> None:
    """Copy built files to the work tree, and let git ignore those that are not in the base."""
    lay(built, workspace.root, workspace.base.commit)
    git.run("update-index", "-q", "--refresh")  # their times may be others
    new = git.run("ls-files", "-z", "--others", "--exclude-standard", deadline_s=door.SECOND_S)
    rules = (f"/{_SPECIAL.sub(_ESCAPED, path)}\n" for path in names(new))
    info = workspace.root / ".git" / "info"
    disk.mkdir(info, exist_ok=True)
    disk.write_bytes(info / "exclude", os.fsencode("".join(rules)))


def is_older(workspace: Workspace) -> bool:
    """Return whether an older version made the workspace, with our git directory inside it."""
    older = workspace.root / ".git" / OF_CHECKPOINTS
    return not workspace.git_dir.exists() and older.is_dir()


def move_out(workspace: Workspace, cuts: Path, trees: Collection[str]) -> set[str]:
    """Move our git directory of an older workspace next to the work tree. Return the lost trees."""
    base, theirs = workspace.base, workspace.root / ".git"
    with disk.temporary_folder("git") as made:
        git_dir = new_repository(made / ".git", workspace.branch)
        lend(cut(base.repository, base.commit, cuts), git_dir)
        disk.append_text(git_dir / "config", CONFIG)
        set_branch(git_dir, workspace.branch, base.commit)
        Git(made).run("read-tree", "--reset", base.commit)
        make_git_dir(workspace, git_dir)
    missing = adopt(workspace, workspace.root, trees, is_old=True)
    commands = workspace.root.with_name(_OLDER_COMMANDS_GIT)
    if commands.is_dir() and not commands.is_symlink():
        remove_tree(theirs)
        disk.rename(commands, theirs)
    return missing


def adopt(
    workspace: Workspace, other: Path, trees: Collection[str], *, is_old: bool = False
) -> set[str]:
    """Copy these trees from the workspace at `other`. Return the trees that could not be copied."""
    ours = host_git(other)
    is_old = is_old or not (ours / OF_CHECKPOINTS).is_dir()
    root, below = (other, f".git/{OF_CHECKPOINTS}/objects") if is_old else (ours, "objects")
    noted = {} if is_old else dict(noted_in(ours / "objects"))

    def held(id: str) -> bytes:
        place = paths.Place(root, f"{below}/{id[:2]}/{id[2:]}")
        return noted.get(id) or paths.start_of(place, MOST + 1, follow=False)

    with workspace.store.together():
        absent = {tree: list(_copied(workspace.store, held, tree)) for tree in trees}
    lost = {id for ids in absent.values() for id in ids if not workspace.store.has(id)}
    return {tree for tree, ids in absent.items() if lost.intersection(ids)}


def _copied(objects: ObjectStore, held: Callable[[str], bytes], tree: str) -> Iterator[str]:
    """Copy the objects of a tree. Yield the ids of missing objects, which may be in the base."""
    left, seen = [tree], set[str]()
    while left:
        id = left.pop()
        if id in seen:
            continue
        seen.add(id)
        try:
            kind, data = unpacked(held(id), id)
            objects.store(kind, data)
            below = objects.entries(id).values() if kind == "tree" else ()
        except (OSError, ObjectError):
            yield id
        else:
            left += (one.id for one in below if one.mode != SUBMODULE)
