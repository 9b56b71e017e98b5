"""One process at a time, among those that ask for the same lock."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def alone(lock: Path) -> Iterator[None]:
    """Waits as long as it takes; the file stays. Raises OSError."""
    with _opened(lock) as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def unless_taken(lock: Path) -> Iterator[bool]:
    """Whether this is the one; it doesn't wait. Raises OSError."""
    with _opened(lock) as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


@contextlib.contextmanager
def _opened(lock: Path) -> Iterator[int]:
    held = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield held
    finally:
        os.close(held)
