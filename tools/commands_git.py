"""The .git that sandboxed commands see: a copy, of which the host's git reads but the index."""

import shutil
import stat
import tempfile
from pathlib import Path

from react_agent.tools.errors import MachineError
from react_agent.tools.removal import remove_tree
from react_agent.tools.sandbox import COMMANDS_GIT
from react_agent.tools.staging import names
from react_agent.tools.workspace import CHECKPOINTS, Workspace

LARGEST_INDEX = 256 * 1024 * 1024


def make_commands_git(workspace: Workspace) -> Path:
    """The copy, beside the work tree, where no command can reach but through its mount."""
    place = workspace.root.parent / COMMANDS_GIT
    if place.is_dir() and not place.is_symlink():
        return place
    try:
        building = Path(tempfile.mkdtemp(prefix=".building-", dir=place.parent))
        try:
            copied_git(workspace, building)
            building.rename(place)
        finally:
            remove_tree(building)
    except OSError as error:
        raise MachineError(f"{place} can't be written: {error}") from None
    return place


def copied_git(workspace: Workspace, place: Path) -> None:
    """All of the workspace's .git that is not ours alone, in a folder that is empty or is made."""
    try:
        shutil.copytree(
            workspace.root / ".git",
            place,
            symlinks=True,
            dirs_exist_ok=True,
            ignore=shutil.ignore_patterns(CHECKPOINTS, "react-agent-*", "*.lock"),
        )
    except (OSError, shutil.Error) as error:
        raise MachineError(f"{place} can't be written: {error}") from None


def added(workspace: Workspace) -> frozenset[str]:
    """What the indexes hold that commands have written, whoever they had as their .git.

    An index is theirs to make: git lists its names, and one that it can't read adds none.
    """
    found = set(names(workspace.git.run("ls-files", "-z")))
    index = workspace.root.parent / COMMANDS_GIT / "index"
    if _is_plausible(index):
        answer = workspace.git.having(GIT_INDEX_FILE=str(index)).ask("ls-files", "-z")
        found.update(() if answer.code else names(answer.out))
    return frozenset(found)


def _is_plausible(index: Path) -> bool:
    try:
        found = index.lstat()
    except OSError:
        return False
    return stat.S_ISREG(found.st_mode) and found.st_size <= LARGEST_INDEX
