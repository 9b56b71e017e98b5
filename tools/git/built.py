"""Save the files that commands built in a checkout, and copy them to other checkouts.

Only regular files are saved. They are copied (sharing disk blocks where possible), never linked: a
command can write to a file that it owns whatever its mode is, and root to any file.
"""

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from react_agent.tools import clock, disk
from react_agent.tools.errors import ReactAgentError, writing

MOST_FILES = 10_000
MOST_BYTES = 1 << 30
_DEEPEST = 100  # folders
_AGE_S = 3600
_PASSED_OVER = frozenset((".git", "__pycache__"))


@dataclass(frozen=True, slots=True)
class Built:
    folder: Path
    commit: str  # that it was built on


class TooMuch(ReactAgentError):
    """There are too many built files, or they are too large, to be saved."""


def files_in(folder: Path) -> Iterator[str]:
    """Yield the paths of the regular files in a folder. Links are not followed."""
    left = [""]
    while left:
        below = left.pop()
        try:
            entries = disk.entries(folder / below)
        except OSError:  # not readable
            continue
        for entry in entries:
            path = f"{below}{entry.name}"
            if entry.name.lower() in _PASSED_OVER:
                continue
            if entry.is_file(follow_symlinks=False):
                yield path
            elif entry.is_dir(follow_symlinks=False) and path.count("/") < _DEEPEST:
                left.append(f"{path}/")


def keep(root: Path, before: Collection[str], place: Path) -> None:
    """Copy the files that are not in `before` to a new folder. Raises TooMuch or MachineError."""
    with writing(place):
        others = (path for path in files_in(root) if path not in before and "\n" not in path)
        new = [path for path in others if os.access(root / path, os.R_OK)]
        size = sum((root / path).stat().st_size for path in new)
        if len(new) > MOST_FILES or size > MOST_BYTES:
            most = f"{MOST_FILES:,} files or {MOST_BYTES >> 20:,} MiB"
            raise TooMuch(f"they leave more than {most} in the checkout: have them remove the rest")
        disk.mkdir(place)
        for path in new:
            disk.mkdir((place / path).parent, parents=True, exist_ok=True)
            disk.copy_contents(root / path, place / path)


def lay(built: Built, root: Path, commit: str) -> None:
    """Copy built files to a fresh checkout of a commit. Links are not followed.

    Existing files are kept. Build tools compare timestamps, often with a resolution of one second.
    If the files were built from this commit, all files get the same timestamp, so that later
    changes are newer. Otherwise the built files get an older timestamp than their sources.
    """
    folders, when = {"": True}, clock.unix() - _AGE_S
    with writing(root):
        for path in files_in(built.folder):
            is_folder = _is_folder(root, path.rpartition("/")[0], folders)
            if is_folder and not os.path.lexists(root / path):
                disk.copy_contents(built.folder / path, root / path)
                disk.set_times(root / path, when)
        for path in files_in(root) if commit == built.commit else ():
            disk.set_times(root / path, when)


def _is_folder(root: Path, path: str, known: dict[str, bool]) -> bool:
    """Create a folder and its parents. Return False if something else is in the way."""
    if path not in known:
        place = root / path
        known[path] = _is_folder(root, path.rpartition("/")[0], known)
        if known[path] and not os.path.lexists(place):
            disk.mkdir(place)
        known[path] = known[path] and place.is_dir() and not place.is_symlink()
    return known[path]
