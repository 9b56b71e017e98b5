"""Files and folders that are gone when what they were made for is done."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


@contextmanager
def folder(purpose: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix=f"react-agent-{purpose}-") as made:
        yield Path(made)


def kept_folder(prefix: str, within: Path | None = None) -> Path:
    """Nobody else's, and there until somebody removes it."""
    return Path(tempfile.mkdtemp(prefix=prefix, dir=within))


def file() -> BinaryIO:
    """Without a name; closing it removes it."""
    return tempfile.TemporaryFile()


@contextmanager
def shared_file(prefix: str, within: str | None) -> Iterator[tuple[BinaryIO, Path]]:
    """For a command to write and us to read: what we hold is this file, whatever has its name."""
    descriptor, name = tempfile.mkstemp(prefix=prefix, dir=within)
    try:
        with os.fdopen(descriptor, "rb", buffering=0) as held:
            yield held, Path(name)
    finally:
        with suppress(OSError):  # a command may have removed it
            Path(name).unlink()


@contextmanager
def named_file(data: bytes, within: str | None) -> Iterator[Path]:
    with tempfile.NamedTemporaryFile(dir=within) as made:
        made.write(data)
        made.flush()
        yield Path(made.name)


def place() -> str:
    """Where they are made."""
    return tempfile.gettempdir()
