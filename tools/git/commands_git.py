"""The .git that sandboxed commands see: a copy, of which the host's git reads but the index."""

from pathlib import Path

from react_agent.tools import disk, temporary
from react_agent.tools.errors import MachineError
from react_agent.tools.git.staging import names
from react_agent.tools.git.workspace import CHECKPOINTS, Workspace
from react_agent.tools.removal import remove_tree
from react_agent.tools.sandbox.sandbox import COMMANDS_GIT

LARGEST_INDEX = 256 * 1024 * 1024
_READ = (b"DIRC\0\0\0\2", b"DIRC\0\0\0\3")  # the versions that git writes unasked


def make_commands_git(workspace: Workspace) -> Path:
    """The copy, beside the work tree, where no command can reach but through its mount."""
    place = workspace.root.parent / COMMANDS_GIT
    if place.is_dir() and not place.is_symlink():
        return place
    try:
        building = temporary.kept_folder(".building-", place.parent)
        try:
            copied_git(workspace, building)
            disk.rename(building, place)
        finally:
            remove_tree(building)
    except OSError as error:
        raise MachineError(f"{place} can't be written: {error}") from None
    return place


def copied_git(workspace: Workspace, place: Path) -> None:
    """All of the workspace's .git that is not ours alone, in a folder that is empty or is made."""
    try:
        passed_over = (CHECKPOINTS, "react-agent-*", "*.lock")
        disk.copy_tree(workspace.root / ".git", place, without=passed_over)
    except OSError as error:
        raise MachineError(f"{place} can't be written: {error}") from None


def added(workspace: Workspace) -> frozenset[str]:
    """What the indexes hold that commands have written, whoever they had as their .git.

    An index is theirs to make: git lists its names, and one that it can't read adds none.
    """
    found = set(names(workspace.git.run("ls-files", "-z")))
    index = _plausible(workspace.root.parent / COMMANDS_GIT / "index")
    if index:
        place = workspace.root / ".git" / "react-agent-commands-index"
        disk.write_bytes(place, index)
        answer = workspace.git.having(GIT_INDEX_FILE=str(place)).ask("ls-files", "-z")
        disk.unlink(place)
        found.update(() if answer.code else names(answer.out))
    return frozenset(found)


def _plausible(index: Path) -> bytes:
    """A copy, since what runs in the background may exchange it while git reads; or nothing."""
    try:
        held = disk.start_of_regular(index, LARGEST_INDEX + 1)
    except OSError:
        return b""
    # of version 4, a name says what it shares with the last: 1 MB of them can become terabytes
    is_read = held[:8] in _READ and len(held) <= LARGEST_INDEX
    return held if is_read else b""
