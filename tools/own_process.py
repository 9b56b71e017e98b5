"""What we ask of the kernel for our own process."""

import ctypes
import os
import sys
import tempfile
from collections.abc import Sequence
from typing import NoReturn

_PR_SET_DUMPABLE = 4


def hide_memory() -> None:
    """Keep /proc/PID/environ of ours, and the keys in it, from commands of the same user.

    On Linux only, and not from root. What we start is as readable as ever: an exec undoes it.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def become(argv: Sequence[str], given: bytes | None = None) -> NoReturn:
    """Go on as another program, with all we have, or with this on its standard input."""
    if given is not None:
        with tempfile.TemporaryFile() as file:
            file.write(given)
            file.seek(0)
            os.dup2(file.fileno(), 0)
    os.execv(argv[0], list(argv))
