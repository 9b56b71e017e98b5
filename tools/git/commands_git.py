"""The `.git` that commands have: made anew from ours; only the names in its index are read."""

import os

from react_agent.tools import disk
from react_agent.tools.disk import remove_tree
from react_agent.tools.errors import MachineError, reason
from react_agent.tools.git.staging import names
from react_agent.tools.git.tree_edit import held
from react_agent.tools.git.workspace import Workspace, copy_git_dir

LARGEST_INDEX = 256 * 1024 * 1024
_READ = (b"DIRC\0\0\0\2", b"DIRC\0\0\0\3")  # the versions that git writes unasked


def added(workspace: Workspace) -> frozenset[str]:
    """What commands have put there, with `git add`; nothing where it can't be read.

    Commands may write anything into it, so git lists the names of a copy, in our git directory.
    """
    index = _plausible(workspace)
    if not index:
        return frozenset()
    place = workspace.git_dir / "react-agent-commands-index"
    disk.write_bytes(place, index)
    answer = workspace.objects.having(GIT_INDEX_FILE=str(place)).ask("ls-files", "-z")
    disk.unlink(place)
    return frozenset(() if answer.code else names(answer.out))


def _plausible(workspace: Workspace) -> bytes:
    try:
        held = disk.start_of_regular_below((workspace.root, ".git"), "index", LARGEST_INDEX + 1)
    except OSError:
        return b""
    # of version 4, a name says what it shares with the last: 1 MB of them can become terabytes
    is_read = held[:8] in _READ and len(held) <= LARGEST_INDEX
    return held if is_read else b""


def renew(workspace: Workspace, tree: str) -> None:
    """Let commands stand on the base commit again; what they added and a tree holds stays added.

    Commits, branches and settings of theirs go: a run that is cut must not know its future.
    """
    git, base, theirs = workspace.objects, workspace.base.commit, workspace.root / ".git"
    names_there = sorted(added(workspace))
    before = held(git, base, names_there)
    new = {path: one for path, one in held(git, tree, names_there).items() if path not in before}
    index = workspace.git_dir / "react-agent-commands-index"
    try:
        # with its time, by which git tells what may have changed since without showing it
        disk.copy_with_times(workspace.git_dir / "index", index)
        rows = "".join(f"{mode} {blob}\t{path}\0" for path, (mode, blob) in new.items())
        beside = git.having(GIT_INDEX_FILE=str(index))
        beside.run("update-index", "-z", "--index-info", stdin=os.fsencode(rows))
        remove_tree(theirs)
        copy_git_dir(workspace, theirs, objects=[blob for _, blob in new.values()])
        disk.rename(index, theirs / "index")
        disk.write_text(theirs / "refs" / "heads" / workspace.branch, f"{base}\n")
    except OSError as error:
        raise MachineError(f"{theirs} can't be written: {reason(error)}") from None
