"""A network of the run's own, which its commands share: a server of one is there for the next.

A process of bubblewrap's holds it, started once, and ends when we do.
"""

import re
from collections.abc import Sequence
from pathlib import Path

ENTER = "nsenter"
READY = "ready"
_CHILD = re.compile(rb'"child-pid"\s*:\s*(\d+)\D')


def to_start(bubblewrap: str) -> list[str]:
    """What to start, with an empty environment and its errors where its output goes."""
    return [
        *(bubblewrap, "--unshare-user", "--unshare-net", "--new-session", "--die-with-parent"),
        *("--cap-drop", "ALL", "--ro-bind", "/", "/", "--info-fd", "2"),
        *("--", "/bin/sh", "-c", f"echo {READY}; exec sleep infinity"),
    ]


def holder_in(printed: bytes) -> int | None:
    """Its process id, once what it printed says that all is set up: the id comes before that."""
    found = _CHILD.search(printed) if f"{READY}\n".encode() in printed else None
    return int(found[1]) if found else None


def entered(nsenter: str, holder: int, argv: Sequence[str]) -> list[str]:
    return [nsenter, "--preserve-credentials", "--target", str(holder), "-U", "-n", "--", *argv]


def lives(holder: int) -> bool:
    """If it has gone, a command gets a network of its own; entering another's fails."""
    return holder > 0 and Path(f"/proc/{holder}/ns/net").exists()
