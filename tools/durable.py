"""What has to be there after a loss of power: a file's bytes, and its name in its folder."""

import contextlib
import os
from pathlib import Path


def sync(path: Path) -> None:
    """What a file, or the list of names that a folder is, holds now."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_names(path: Path, levels: int) -> None:
    """That this file is there, and so many of the folders that it is in."""
    sync(path.parent)
    for folder in path.parents[1:levels]:
        with contextlib.suppress(OSError):  # it may be one that we may pass through only
            sync(folder)


def sync_below(folder: Path) -> None:
    """A folder that is to be renamed: all that it holds, itself at last."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            sync_below(path)
        elif path.is_file():
            sync(path)
    sync(folder)


def write(path: Path, data: bytes, mode: int | None = None) -> None:
    """A new file, or another content; its name is not yet safe."""
    with path.open("wb") as file:
        if mode is not None:
            os.fchmod(file.fileno(), mode)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def write_over(path: Path, data: bytes, mode: int | None = None) -> None:
    """A file is there as it was or as it is to be, whatever happens. Raises OSError."""
    half = path.with_name(f".{path.name}.{os.getpid()}.new")  # no job of a queue, nobody else's
    try:
        write(half, data, mode)
        half.replace(path)
        sync(path.parent)
    except OSError:
        half.unlink(missing_ok=True)
        raise
