"""The names in the index of the `.git` that commands have: all that is read of it."""

from react_agent.tools import disk
from react_agent.tools.git.staging import names
from react_agent.tools.git.workspace import Workspace

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
