"""Ask the kernel to change our own process: its memory, signals, session and program."""

import ctypes
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

from react_agent.tools import disk

_PR_SET_DUMPABLE = 4


def hide_memory() -> None:
    """Hide /proc/PID/environ of ours, and the keys in it, from commands of the same user.

    This works on Linux only, and not against root; an exec undoes it for programs that we start.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def end_like_ctrl_c(*names: str) -> None:
    """Treat these signals like Ctrl-C, except those that somebody ignores, as nohup does."""
    for number in map(signal.Signals.__getitem__, names):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupted)


def _interrupted(signal_number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


@contextmanager
def at_most(seconds: float, over: type[BaseException]) -> Iterator[None]:
    """Raise `over` in the middle of the block after so many seconds."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise over

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def leave_terminal() -> None:
    """Leave the terminal, and the folder that we were called in, which may be removed."""
    with suppress(OSError):
        os.setsid()
    os.chdir("/")


def become(argv: Sequence[str], given: bytes | None) -> NoReturn:
    """Become another program, with our standard input or with these bytes on it."""
    if given is not None:
        with disk.temporary_file() as file:
            file.write(given)
            file.seek(0)
            os.dup2(file.fileno(), 0)
    os.execv(argv[0], list(argv))
