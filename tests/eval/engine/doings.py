"""What workers are asked to do in tests: functions that a process of theirs finds by name."""

import os
import signal
import sys
import time
from pathlib import Path


def add(first: int, second: int) -> int:
    return first + second


def fail(text: str) -> None:
    raise ValueError(text)


def own_pid() -> int:
    return os.getpid()


def die(words: str = "") -> None:
    sys.stderr.write(words)
    sys.stderr.flush()
    os.kill(os.getpid(), signal.SIGKILL)


def leave(code: int) -> None:
    os._exit(code)


def hang(begun: Path) -> None:
    begun.write_text(str(os.getpid()))
    while True:
        time.sleep(60)


def hang_on(begun: Path) -> None:
    """And take no notice of being asked to end."""
    while True:
        try:
            hang(begun)
        except KeyboardInterrupt:
            continue


def note(path: Path, text: str) -> None:
    with path.open("a") as file:
        file.write(text)


def unpicklable() -> object:
    return lambda: None


class _Odd(Exception):
    def __init__(self, first: int, second: int) -> None:
        super().__init__(f"{first} and {second}")


def fail_oddly() -> None:
    raise _Odd(1, 2)


def large(size: int) -> bytes:
    return bytes(size)


def wait_for_end_of(lock: Path, begun: Path) -> int:
    begun.write_text(str(os.getpid()))
    while lock.exists():
        time.sleep(0.01)
    return os.getpid()
