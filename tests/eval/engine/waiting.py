"""Until something has come about; tests fail where it doesn't."""

import os
import time
from collections.abc import Callable
from pathlib import Path

WITHIN_S = 60.0


def see(is_so: Callable[[], object], within_s: float = WITHIN_S) -> None:
    until = time.monotonic() + within_s
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.01)


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def written(path: Path) -> int:
    """The process that has begun, once it has."""
    see(lambda: path.exists() and bool(path.read_text()))
    return int(path.read_text())
