"""A network of the run's own, which its commands share: a server of one is there for the next.

A process of bubblewrap's holds it, started once, and ends when we do.
"""

import re
from collections.abc import Sequence
from pathlib import Path

ENTER = "nsenter"
_CHILD = re.compile(rb'"child-pid"\s*:\s*(\d+)\D')


def to_start(bubblewrap: str) -> list[str]:
    """What to start, with an empty environment: it prints who holds the network, and sleeps."""
    return [
        *(bubblewrap, "--unshare-user", "--unshare-net", "--new-session", "--die-with-parent"),
        *("--cap-drop", "ALL", "--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin"),
        *("--ro-bind-try", "/lib", "/lib", "--ro-bind-try", "/lib64", "/lib64"),
        *("--info-fd", "1", "--", "/usr/bin/sleep", "infinity"),
    ]


def holder_in(printed: bytes) -> int | None:
    """Its process id, once what it printed has it."""
    found = _CHILD.search(printed)
    return int(found[1]) if found else None


def entered(nsenter: str, holder: int, argv: Sequence[str]) -> list[str]:
    return [nsenter, "--preserve-credentials", "--target", str(holder), "-U", "-n", "--", *argv]


def lives(holder: int) -> bool:
    """If it has gone, a command gets a network of its own; entering another's fails."""
    return holder > 0 and Path(f"/proc/{holder}/ns/net").exists()
