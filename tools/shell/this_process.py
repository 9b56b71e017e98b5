"""Ask the kernel to change our own process: its memory, signals, session and program."""

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

from react_agent.tools import disk
from react_agent.tools.shell.supervisor import DUMPABLE, ask_kernel


def hide_memory() -> None:
    """Hide our /proc/PID/environ, and the keys in it, from commands of the same user.

    This works only on Linux, not against root, and not for programs that we start with exec.
    """
    ask_kernel(DUMPABLE, 0)


def end_like_ctrl_c(*names: str) -> None:
    """Treat these signals like Ctrl-C, except those that are ignored, as under nohup."""
    for number in map(signal.Signals.__getitem__, names):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupted)


def _interrupted(signal_number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


@contextmanager
def at_most(seconds: float, over: type[BaseException]) -> Iterator[None]:
    """Raise `over` in the block when this number of seconds has passed."""

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
    """Detach from the terminal, and leave the current folder, which may be removed later."""
    with suppress(OSError):
        os.setsid()
    os.chdir("/")


def become(argv: Sequence[str], given: bytes | None) -> NoReturn:
    """Replace this process with another program, which gets our stdin or these bytes on stdin."""
    if given is not None:
        with disk.temporary_file() as file:
            file.write(given)
            file.seek(0)
            os.dup2(file.fileno(), 0)
    os.execv(argv[0], list(argv))
