"""Checkpoints: the work tree as one git tree, byte for byte, taken and given back.

A checkpoint holds what is tracked in the base commit and every other file that no rule ignores.
Ignored files, and repositories that a command made inside the work tree, are not in it and stay.
"""

import contextlib
import errno
import os
import re
import stat
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.disk import open_up, remove_pipes, remove_rules
from react_agent.tools.errors import OF_THE_MACHINE, MachineError, WorkspaceError, reason
from react_agent.tools.git import door
from react_agent.tools.git.door import OF_CHECKPOINTS, Git, GitError, joined, names, refusal
from react_agent.tools.git.objects import (
    FILE,
    LINK,
    PROGRAM,
    Entry,
    ObjectError,
    ObjectStore,
    is_known,
)
from react_agent.tools.git.workspace import BASE_INDEX, CHECKOUT_S, Workspace, untracked

MOST = 64 * 1024 * 1024  # bytes of a file that is read whole
_STATUS = (
    *("status", "--porcelain=v2", "-z", "--untracked-files=all"),
    # "dirty": to look for changes inside a submodule starts the filters that its settings name
    *("--ignore-submodules=dirty", "--no-renames"),
)
_RULES = (".gitignore", ".gitattributes")
_IN_A_CIRCLE = "Too many levels of symbolic links"
# What git refuses to hold, because other systems take it for `.git`, and links for `.gitmodules`.
_NO_NAME = re.compile(r"(?i)(?:^|[/\\])(?:\.git|git~1)[ .]*(?=$|[/\\:])")
_NO_LINK = re.compile(r"(?i)(?:^|[/\\])(?:\.gitmodules|gitmod~|gi7eba~)")
_PASSED_OVER = re.compile("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")  # by macOS, in names


@dataclass(frozen=True, slots=True)
class Taken:
    tree: str
    left_out: tuple[str, ...]  # what git can't hold; a repository inside ends in a slash


@dataclass(slots=True)
class _Found:
    """Files that differ from those of the base."""

    changed: list[str] = field(default_factory=list)  # new ones, too
    gone: list[str] = field(default_factory=list)
    inner: list[str] = field(default_factory=list)  # repositories inside; submodules


def take(workspace: Workspace) -> str:
    """Write the work tree down; the id of its tree."""
    return written_down(workspace).tree


def written_down(workspace: Workspace) -> Taken:
    mends = (door.FIRST_S, lambda it: remove_pipes(it.root)), (door.SECOND_S, _as_base_rules)
    for deadline_s, mend in mends:
        try:
            return _stored(workspace, _look(workspace, deadline_s))
        except GitError as error:  # or a machine may have lost its power
            (mend if error.is_late else _forget)(workspace)
    return _stored(workspace, _look(workspace, CHECKOUT_S))


def _as_base_rules(workspace: Workspace) -> None:
    """What is ignored, and attributes, as the base commit has them."""
    remove_rules(workspace.root)
    tracked = workspace.store.names(workspace.base.commit)
    rules = [path for path in tracked if path.rpartition("/")[2] in _RULES]
    git = workspace.checkpoints.having(GIT_INDEX_FILE=str(_kept(workspace)))
    git.ask("checkout-index", "--force", "-z", "--stdin", stdin=joined(rules))


def _look(workspace: Workspace, deadline_s: float) -> _Found:
    git, kept = workspace.checkpoints, _kept(workspace)
    if not kept.exists():
        git.run("read-tree", "--reset", f"--index-output={kept}", workspace.base.commit)
    # the index gets what files look like now, so that they are not read again the next time
    git = git.having(GIT_INDEX_FILE=str(kept), GIT_OPTIONAL_LOCKS="1")
    answer = git.ask(*_STATUS, deadline_s=deadline_s)
    if answer.code:
        raise refusal("status", answer)
    found = _Found()
    for row in names(answer.out):
        kind, _, rest = row.partition(" ")
        if kind == "?":
            (found.inner if rest.endswith("/") else found.changed).append(rest)
            continue
        state, module, *_, path = rest.split(" ", 7)
        if module.startswith("S"):
            found.inner.append(path)
        else:
            (found.gone if state.endswith("D") else found.changed).append(path)
    if _IN_A_CIRCLE in answer.err:  # below a link to itself, git can't tell
        found.gone += _in_a_circle(workspace)
    return found


def _in_a_circle(workspace: Workspace) -> Iterator[str]:
    for path in workspace.store.names(workspace.base.commit):
        try:
            os.lstat(workspace.root / path)
        except OSError as error:
            if error.errno == errno.ELOOP:
                yield path


def _stored(workspace: Workspace, found: _Found) -> Taken:
    objects = workspace.store
    edits = dict[str, Entry | None](dict.fromkeys(found.gone))
    large = {path for path in found.changed if _size(workspace.root / path) > MOST}
    with objects.together():
        for path in found.changed:
            entry = None if path in large else _entry(objects, workspace.root, path)
            if entry:
                edits[path] = entry
        edits.update(_stored_by_git(workspace, large))
        tree = objects.with_files(objects.tree_of(workspace.base.commit), edits)
    left_out = (path for path in found.changed if path not in edits)
    return Taken(tree, tuple(sorted((*found.inner, *left_out))))


def _stored_by_git(workspace: Workspace, paths: Collection[str]) -> dict[str, Entry]:
    if not paths:
        return {}
    index = workspace.git_dir / OF_CHECKPOINTS / "large-index"
    disk.unlink(index, missing_ok=True)
    git = workspace.checkpoints.having(GIT_INDEX_FILE=str(index))
    answer = git.ask("update-index", "-z", "--add", "--stdin", stdin=joined(paths))
    error = refusal("update-index", answer) if answer.code else None
    if isinstance(error, MachineError):
        raise error
    return {} if error else workspace.store.at(git.line("write-tree"), paths)


def take_again(workspace: Workspace, last: str, paths: Collection[str]) -> str | None:
    """The checkpoint after only these files have changed since the last one, without any process.

    None where git has to be asked: a new file may be one that a rule ignores.
    """
    if not is_known(last):
        return None
    objects, edits = workspace.store, dict[str, Entry | None]()
    with objects.together():
        for path in paths:
            is_rule = path.rpartition("/")[2] == ".gitignore"
            if is_rule or not objects.find(last, os.fsencode(path)):
                return None
            there = os.path.lexists(workspace.root / path)
            edits[path] = _entry(objects, workspace.root, path) if there else None
            if there and edits[path] is None:
                return None
        return objects.with_files(last, edits)


def _entry(objects: ObjectStore, root: Path, path: str) -> Entry | None:
    """The file as it is, stored; None where git can't hold it."""
    *folders, name = path.split("/")
    try:
        found = os.lstat(root / path)
        is_link = stat.S_ISLNK(found.st_mode)
        if _is_refused(path, is_link):
            return None
        if is_link:
            return Entry(LINK, objects.store("blob", os.fsencode((root / path).readlink())))
        data = disk.start_of_regular_below((root, *folders), name, MOST + 1)
    except OSError as error:
        if error.errno in OF_THE_MACHINE:
            raise MachineError(f"{path} can't be read: {reason(error)}") from None
        return None
    mode = PROGRAM if found.st_mode & 0o100 else FILE
    return Entry(mode, objects.store("blob", data)) if len(data) <= MOST else None


def _is_refused(path: str, is_link: bool) -> bool:
    name = _PASSED_OVER.sub("", path)
    return bool(_NO_NAME.search(name) or (is_link and _NO_LINK.search(name)))


def _size(path: Path) -> int:
    try:
        return os.lstat(path).st_size
    except OSError:
        return 0


def _put_in_place(kept: Path, index: Path) -> None:
    """With its time, by which git tells what may have changed since without showing it."""
    new = kept.with_suffix(".new")
    disk.copy_with_times(kept, new)
    disk.rename(new, index)


def _forget(workspace: Workspace) -> None:
    index = _index(workspace)
    for path in (_kept(workspace), index, index.with_suffix(".lock")):  # git may have been killed
        disk.unlink(path, missing_ok=True)


def _index(workspace: Workspace) -> Path:
    return workspace.git_dir / OF_CHECKPOINTS / "index"


def _kept(workspace: Workspace) -> Path:
    """To begin with a copy of it takes no time, and each checkpoint begins there."""
    return workspace.git_dir / OF_CHECKPOINTS / BASE_INDEX


def holds(workspace: Workspace, tree: str) -> bool:
    """Whether this checkpoint was taken here."""
    try:
        return workspace.store.has(workspace.store.tree_of(tree))
    except ObjectError:
        return False


def restore(workspace: Workspace, tree: str) -> None:
    """Make the work tree what it was; HEAD and the index that commands see stay as they are.

    The base commit stands for the work tree that the workspace began with.
    """
    if not holds(workspace, tree):
        raise WorkspaceError(f"there is no checkpoint {tree} in {workspace.root}")
    remove_pipes(workspace.root)
    # of the base, a checkout may have converted the ends of lines
    index = str(workspace.git_dir / "react-agent-index")
    as_base = workspace.git.having(GIT_INDEX_FILE=index)
    git = as_base if tree == workspace.base.commit else workspace.checkpoints
    with contextlib.suppress(OSError):  # so that what did not change keeps its time
        _put_in_place(_kept(workspace), _index(workspace))
    if git.ask("read-tree", "--reset", tree).code:
        _forget(workspace)
        git.run("read-tree", "--reset", tree)
    try:
        _write(git, workspace, tree)
    except (GitError, PermissionError) as error:  # a command may have closed a folder
        open_up(workspace.root)
        remove_pipes(workspace.root)
        if isinstance(error, GitError) and error.is_late:
            remove_rules(workspace.root)
        _write(git, workspace, tree)


def _write(git: Git, workspace: Workspace, tree: str) -> None:
    git.ask("update-index", "-q", "--refresh", deadline_s=door.SECOND_S)
    git.run("checkout-index", "--all", "--force", "--index", deadline_s=CHECKOUT_S)
    # what the base tracks and the checkpoint does not goes too, though a rule may ignore it
    gone = git.run(
        *("diff-tree", "-r", "-z", "--name-only", "--no-renames", "--diff-filter=D"),
        *(workspace.base.commit, tree),
    )
    for path in {*untracked(git), *names(gone)} - workspace.laid:
        _remove(workspace.root, Path(path))


def _remove(root: Path, path: Path) -> None:
    folders = [root / folder for folder in path.parents[:-1]]
    if any(folder.is_symlink() or not folder.is_dir() for folder in folders):
        return  # through a link it would be somebody else's file
    file = root / path
    if file.is_symlink() or not file.is_dir():
        disk.unlink(file, missing_ok=True)
    with contextlib.suppress(OSError):  # until a folder is not empty
        for folder in folders:
            disk.rmdir(folder)
