"""Checkpoints: save the work tree as a git tree, byte for byte, and restore it.

A checkpoint contains the files tracked in the base commit and all other files that are not ignored.
Ignored files, and repositories that a command created, are neither saved nor restored.
"""

import contextlib
import errno
import os
import re
import stat
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.disk import open_up, remove_pipes, remove_rules, remove_tree
from react_agent.tools.errors import OF_THE_MACHINE, MachineError, WorkspaceError, reason
from react_agent.tools.files import paths
from react_agent.tools.git import door
from react_agent.tools.git.door import OF_CHECKPOINTS, GitError, joined, names, refusal
from react_agent.tools.git.objects import FILE, LINK, PROGRAM, SUBMODULE, Entry, is_known, object_id
from react_agent.tools.git.workspace import BASE_INDEX, CHECKOUT_S, Workspace, checked_out

MOST = 256 * 1024 * 1024  # bytes of a file; a larger one is left out
_STATUS = (
    *("status", "--porcelain=v2", "-z", "--untracked-files=all"),
    # "dirty": a look inside a submodule would start the filters that its settings name
    *("--ignore-submodules=dirty", "--no-renames"),
)
_IGNORED, _ATTRIBUTES = ".gitignore", ".gitattributes"
_CONVERTING = ("eol", "ident", "working-tree-encoding")  # when a file is checked out
_AS_STORED = ("unspecified", "unset", "lf")
_UNLIKE_ANY = Entry(b"", "")  # whatever it is, it is written anew
_ASIDE = "react-agent-aside"
_NOT_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EISDIR)
_IN_A_CIRCLE = "Too many levels of symbolic links"
# Names that git refuses, because other systems read them as `.git`, or links as `.gitmodules`.
_NO_NAME = re.compile(r"(?i)(?:^|[/\\])(?:\.git|git~1)[ .]*(?=$|[/\\:])")
_NO_LINK = re.compile(r"(?i)(?:^|[/\\])(?:\.gitmodules|gitmod~|gi7eba~)")
_PASSED_OVER = re.compile("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")  # by macOS, in names


@dataclass(frozen=True, slots=True)
class Taken:
    tree: str
    left_out: tuple[str, ...]  # what can't be held; a repository inside ends in a slash


@dataclass(slots=True)
class _Found:
    """The files that differ from those of the base commit."""

    changed: list[str] = field(default_factory=list)  # new ones, too
    gone: list[str] = field(default_factory=list)
    inner: list[str] = field(default_factory=list)  # repositories inside; submodules


def take(workspace: Workspace) -> Taken:
    """Save the work tree as a checkpoint."""
    objects, found = workspace.store, _changes(workspace)
    edits = dict[str, Entry | None](dict.fromkeys(found.gone))
    with objects.together():
        entries = ((path, _entry(workspace.root, path, objects.store)) for path in found.changed)
        edits |= {path: entry for path, entry in entries if entry}
        tree = objects.with_files(workspace.base.commit, edits)
    left_out = (path for path in found.changed if path not in edits)
    return Taken(tree, tuple(sorted((*found.inner, *left_out))))


def _changes(workspace: Workspace) -> _Found:
    mends = (door.FIRST_S, lambda it: remove_pipes(it.root)), (door.SECOND_S, _as_base_rules)
    for deadline_s, mend in mends:
        try:
            return _look(workspace, deadline_s)
        except GitError as error:  # or a machine may have lost its power
            (mend if error.is_late else _forget)(workspace)
    return _look(workspace, CHECKOUT_S)


def _as_base_rules(workspace: Workspace) -> None:
    """Restore the ignore rules and attributes to their state in the base commit."""
    remove_rules(workspace.root)
    tracked = workspace.store.names(workspace.base.commit)
    rules = [path for path in tracked if path.rpartition("/")[2] in (_IGNORED, _ATTRIBUTES)]
    git = workspace.checkpoints.having(GIT_INDEX_FILE=str(_kept(workspace)))
    git.ask("checkout-index", "--force", "-z", "--stdin", stdin=joined(rules))


def _look(workspace: Workspace, deadline_s: float) -> _Found:
    git, kept = workspace.checkpoints, _kept(workspace)
    if not kept.exists():
        git.run("read-tree", "--reset", f"--index-output={kept}", workspace.base.commit)
    # the index saves the files' stat data, so that unchanged files are not read the next time
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
        tracked = workspace.store.names(workspace.base.commit)
        found.gone += [path for path in tracked if not os.path.lexists(workspace.root / path)]
    return found


def take_again(workspace: Workspace, last: str, wrote: Collection[str]) -> str | None:
    """Return a new checkpoint after only these files have changed, without starting a process.

    Returns None if git is needed: a new file may be ignored, or the checkout of the base commit may
    have converted line endings.
    """
    if not is_known(last) or (last == workspace.base.commit and workspace.has_attributes):
        return None
    objects, edits = workspace.store, dict[str, Entry | None]()
    with objects.together():
        for path in wrote:
            is_new = objects.find(last, path) is None
            if is_new or path.rpartition("/")[2] == _IGNORED:
                return None
            edits[path] = _entry(workspace.root, path, objects.store)
            if edits[path] is None and os.path.lexists(workspace.root / path):
                return None
        return objects.with_files(last, edits)


def _entry(root: Path, path: str, id_of: Callable[[str, bytes], str]) -> Entry | None:
    """Return the entry for the current state of a file, or None if git can't store it."""
    try:
        found = os.lstat(root / path)
        is_link = stat.S_ISLNK(found.st_mode)
        if _is_refused(path, is_link):
            return None
        if is_link:
            return Entry(LINK, id_of("blob", os.fsencode((root / path).readlink())))
        opened = paths.open_settled(paths.Place(root, path), path)
        if isinstance(opened, paths.Refused):
            return None
        with opened as file:
            data = file.read(MOST + 1)
    except OSError as error:
        if error.errno in OF_THE_MACHINE:
            raise MachineError(f"{path} can't be read: {reason(error)}") from None
        return None
    mode = PROGRAM if found.st_mode & 0o100 else FILE
    return Entry(mode, id_of("blob", data)) if len(data) <= MOST else None


def _is_refused(path: str, is_link: bool) -> bool:
    name = _PASSED_OVER.sub("", path)
    return bool(_NO_NAME.search(name) or (is_link and _NO_LINK.search(name)))


def _forget(workspace: Workspace) -> None:
    kept = _kept(workspace)
    for path in (kept, kept.with_name(f"{kept.name}.lock")):  # git may have been killed
        disk.unlink(path, missing_ok=True)


def _kept(workspace: Workspace) -> Path:
    """Return the path of the saved index. Each checkpoint starts from it, which saves time."""
    return workspace.git_dir / OF_CHECKPOINTS / BASE_INDEX


def restore(workspace: Workspace, tree: str) -> None:
    """Restore the work tree of a checkpoint. HEAD and the commands' own index do not change.

    The base commit stands for the initial work tree of the workspace.
    """
    if not workspace.store.has(tree):
        raise WorkspaceError(f"there is no checkpoint {tree} in {workspace.root}")
    try:
        _restore(workspace, tree)
    except PermissionError:  # a command may have closed a folder
        open_up(workspace.root)
        try:
            _restore(workspace, tree)
        except PermissionError as error:
            raise WorkspaceError(f"the files can't be restored: {reason(error)}") from None


def _restore(workspace: Workspace, tree: str) -> None:
    differing = _differing(workspace, tree)
    rules = {path: one for path, one in differing.items() if one and path.endswith(_IGNORED)}
    if rules:  # those of the checkpoint say which of the other files are ignored, and stay
        _put_back(workspace, rules)
        differing = _differing(workspace, tree)
    _put_back(workspace, differing)


def _differing(workspace: Workspace, tree: str) -> dict[str, Entry | None]:
    """Return the files that differ from the checkpoint, with their entries in it, if any."""
    objects, base, changes = workspace.store, workspace.base.commit, _changes(workspace)
    now = dict[str, Entry | None](dict.fromkeys(changes.gone))
    for path in changes.changed:
        now[path] = _entry(workspace.root, path, object_id) or _UNLIKE_ANY
    now.update((path, _UNLIKE_ANY) for path in changes.inner if not path.endswith("/"))
    found = objects.at(base, now).items()
    were = {path: None if one.is_folder else one for path, one in found}
    wanted = _checked_out(workspace) if tree == base else tree
    for one in objects.differences(base, wanted):
        were[one.path] = one.after
        now.setdefault(one.path, one.before)
    differing = {path: were.get(path) for path, entry in now.items() if were.get(path) != entry}
    return {path: one for path, one in differing.items() if one or path not in workspace.laid}


def _checked_out(workspace: Workspace) -> str:
    """Return the tree of the base as checked out. Attributes may convert line endings."""
    objects = workspace.store
    base = objects.tree_of(workspace.base.commit)
    if not workspace.has_attributes:
        return base
    ask = ("check-attr", "--cached", "-z", "--stdin", *_CONVERTING)
    told = names(workspace.git.run(*ask, stdin=joined(objects.names(base)), deadline_s=CHECKOUT_S))
    facts = zip(told[::3], told[2::3], strict=True)
    converted = dict.fromkeys(path for path, value in facts if value not in _AS_STORED)
    with checked_out(workspace.git_dir, converted) as folder, objects.together():
        entries = ((path, _entry(folder, path, objects.store)) for path in converted)
        return objects.with_files(base, {path: entry for path, entry in entries if entry})


def _put_back(workspace: Workspace, files: Mapping[str, Entry | None]) -> None:
    # first remove files: a new file may have the name of an old folder, or differ only in case
    for path in sorted(files, key=lambda path: files[path] is not None):
        entry = files[path]
        try:
            if entry is None:
                paths.remove(workspace.root, path)
            else:
                _write(workspace, path, entry)
        except PermissionError:
            raise
        except OSError as error:
            # through a link it would be somebody else's file
            if entry is None and error.errno in _NOT_THERE:
                continue
            kind = MachineError if error.errno in OF_THE_MACHINE else WorkspaceError
            raise kind(f"{path!a} can't be restored: {reason(error)}") from None


def _write(workspace: Workspace, path: str, entry: Entry) -> None:
    """Write an entry to the work tree. Anything that is in its place is removed."""
    *folders, name = path.split("/")
    if _is_refused(path, entry.mode == LINK) or ".." in path.split("/"):
        raise WorkspaceError(f"{path!a} can't be restored: no file of a checkpoint has that name")
    with contextlib.ExitStack() as opened:
        folder = paths.enter(opened, workspace.root, folders, make=True, clear=True)[-1]
        if entry.mode == SUBMODULE:
            paths.enter(opened, workspace.root, path.split("/"), make=True, clear=True)
            return
        if paths.is_folder(name, folder):
            aside = workspace.git_dir / _ASIDE  # where no command can exchange what is in it
            remove_tree(aside)
            paths.move_out(folder, name, aside)
            remove_tree(aside)
        if entry.mode == LINK:
            leads_to = workspace.store.read(entry.id, "blob")
            paths.write_link(folder, name, leads_to.partition(b"\0")[0])  # as git does
        else:
            mode = 0o777 if entry.mode == PROGRAM else 0o666
            paths.write(folder, name, workspace.store.chunks(entry.id), made=mode)
