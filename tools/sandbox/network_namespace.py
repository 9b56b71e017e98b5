"""A network namespace shared by all commands of a run: a server that one of them starts in the
background is reached by the next.

A process of bubblewrap's holds it: started once, when it is first needed, and ended with us.
"""

import re
import selectors
from collections.abc import Sequence
from pathlib import Path

from react_agent.tools.clock import monotonic
from react_agent.tools.errors import ReactAgentError
from react_agent.tools.shell import process, programs
from react_agent.tools.shell.allowance import Allowance

PROGRAM = "bwrap"
ENTER = "nsenter"
READY = "ready"
_CHILD = re.compile(rb'"child-pid"\s*:\s*(\d+)\D')
_START_S = 10.0
_NOBODY = 0


class SharedNetwork:
    """Held by a process that is started when it is first needed; whoever makes it closes it."""

    def __init__(self) -> None:
        self._kept: process.Kept | None = None
        self._holder = _NOBODY

    def holder(self) -> int:
        return self._holder

    def begin(self) -> None:
        """Where it can't be held, each command has a network of its own, as before."""
        program = programs.found(PROGRAM)
        if self._kept or program is None or programs.found(ENTER) is None:
            return
        try:
            self._kept = process.start(to_start(program), cwd=Path("/"), env={}, limits=Allowance())
        except ReactAgentError:
            return
        self._holder = _said(self._kept, monotonic() + _START_S)

    def close(self) -> None:
        if self._kept:
            self._kept.discard()
        self._kept, self._holder = None, _NOBODY


def _said(kept: process.Kept, deadline: float) -> int:
    printed = b""
    with selectors.DefaultSelector() as pipes:
        pipes.register(kept.output, selectors.EVENT_READ)
        while (left := deadline - monotonic()) > 0 and pipes.select(left):
            chunk = kept.output.read(process.CHUNK)
            printed += chunk
            if not chunk or holder_in(printed):
                break
    return holder_in(printed) or _NOBODY


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
