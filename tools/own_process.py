"""What we ask of the kernel for our own process."""

import ctypes
import sys

_PR_SET_DUMPABLE = 4


def hide_memory() -> None:
    """Keep /proc/PID/environ of ours, and the keys in it, from commands of the same user.

    On Linux only, and not from root. What we start is as readable as ever: an exec undoes it.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
