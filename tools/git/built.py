"""What commands have built in a checkout: kept, and laid into other checkouts of that history.

Regular files only. They are copied, where the disk can by sharing what they hold, and never linked:
a command may write to a file that it owns whatever its mode is, and root to every file.
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
    """More than is kept."""


def files_in(folder: Path) -> Iterator[str]:
    """By their paths; no link is followed."""
    left = [""]
    while left:
        below = left.pop()
        try:
            entries = disk.entries(folder / below)
        except OSError:  # closed
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
    """Copy what was not there before to a new folder. Raises TooMuch, MachineError."""
    with writing(place):
        new = _new(root, before)
        disk.mkdir(place)
        for path in new:
            disk.mkdir((place / path).parent, parents=True, exist_ok=True)
            disk.copy_contents(root / path, place / path)


def _new(root: Path, before: Collection[str]) -> list[str]:
    size, found = 0, list[str]()
    for path in files_in(root):
        file = root / path
        if path in before or "\n" in path or not os.access(file, os.R_OK):
            continue
        found.append(path)
        size += file.stat().st_size
        if len(found) > MOST_FILES or size > MOST_BYTES:
            most = f"{MOST_FILES:,} files or {MOST_BYTES >> 20:,} MiB"
            raise TooMuch(f"they leave more than {most} in the checkout: let them remove the rest")
    return found


def lay(built: Built, root: Path, commit: str) -> None:
    """Into a fresh checkout of a commit: over nothing that is there, and through no link.

    Tools that build look at times, often at no more than the second. Where it was built on this
    commit, all files are made as old as each other, so that what changes is newer; else what was
    built is older than what it is built from.
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
    """Makes it, and those above it, where nothing is in the way."""
    if path not in known:
        place = root / path
        known[path] = _is_folder(root, path.rpartition("/")[0], known)
        if known[path] and not os.path.lexists(place):
            disk.mkdir(place)
        known[path] = known[path] and place.is_dir() and not place.is_symlink()
    return known[path]
