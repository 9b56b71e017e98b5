"""What we ask of the kernel for our own process."""

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
    """Keep /proc/PID/environ of ours, and the keys in it, from commands of the same user.

    On Linux only, and not from root. What we start is as readable as ever: an exec undoes it.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def end_like_ctrl_c(*names: str) -> None:
    """Signals by their names, but those that somebody ignores, as nohup wants it."""
    for number in map(signal.Signals.__getitem__, names):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupted)


def _interrupted(signal_number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


@contextmanager
def at_most(seconds: float, over: type[BaseException]) -> Iterator[None]:
    """Raises `over` in the middle of whatever is done."""

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
    """And the folder that we were called in, which may be removed."""
    with suppress(OSError):
        os.setsid()
    os.chdir("/")


def become(argv: Sequence[str], given: bytes | None = None) -> NoReturn:
    """Go on as another program, with all we have, or with this on its standard input."""
    if given is not None:
        with disk.temporary_file() as file:
            file.write(given)
            file.seek(0)
            os.dup2(file.fileno(), 0)
    os.execv(argv[0], list(argv))
