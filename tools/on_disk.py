"""What is there: looks that open no file and change nothing, so they may be had at any path.

What a look says can be otherwise a moment later: who opens afterwards has to be sure by himself.
"""

import os
from pathlib import Path
from typing import BinaryIO

from react_agent.tools.errors import MachineError

Entry = os.DirEntry[str]


def exists(path: Path) -> bool:
    """A link that leads nowhere does not."""
    return path.exists()


def lexists(path: Path | str) -> bool:
    """A link that leads nowhere does."""
    return os.path.lexists(path)


def is_file(path: Path | Entry) -> bool:
    return path.is_file()


def is_dir(path: Path | Entry) -> bool:
    return path.is_dir()


def is_symlink(path: Path | Entry) -> bool:
    return path.is_symlink()


def is_fifo(path: Path) -> bool:
    return path.is_fifo()


def stat(path: Path) -> os.stat_result:
    return path.stat()


def lstat(path: Path | str) -> os.stat_result:
    return os.lstat(path)


def fstat(file: BinaryIO) -> os.stat_result:
    return os.fstat(file.fileno())


def resolve(path: Path, *, strict: bool = False) -> Path:
    return path.resolve(strict=strict)


def realpath(path: Path | str) -> str:
    return os.path.realpath(path)


def readlink(path: Path) -> Path:
    return path.readlink()


def expanduser(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError:
        raise MachineError(f"no home folder is known for {path}: set HOME") from None


def home() -> Path | None:
    try:
        return Path.home()
    except RuntimeError:
        return None


def iterdir(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def listdir(folder: Path) -> list[str]:
    return os.listdir(folder)  # noqa: PTH208 - paths take five times as long


def entries(folder: Path) -> list[Entry]:
    with os.scandir(folder) as found:
        return list(found)


def is_own_file(entry: Entry) -> bool:
    """And no link to one."""
    return entry.is_file(follow_symlinks=False)


def is_own_folder(entry: Entry) -> bool:
    return entry.is_dir(follow_symlinks=False)


def glob(folder: Path, pattern: str) -> list[Path]:
    return list(folder.glob(pattern))


def rglob(folder: Path, pattern: str) -> list[Path]:
    return list(folder.rglob(pattern))


def may_read(path: Path) -> bool:
    return os.access(path, os.R_OK)


def may_write(path: Path) -> bool:
    return os.access(path, os.W_OK)


def may_run(path: Path) -> bool:
    """For a folder: go through it."""
    return os.access(path, os.X_OK)
