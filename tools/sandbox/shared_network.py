"""The network that the commands of a run share once one of them goes on in the background."""

import selectors
from pathlib import Path

from react_agent.tools.clock import monotonic
from react_agent.tools.errors import ReactAgentError
from react_agent.tools.sandbox import bubblewrap, holder
from react_agent.tools.shell import process, programs
from react_agent.tools.shell.allowance import Allowance

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
        program = programs.found(bubblewrap.PROGRAM)
        if self._kept or program is None or programs.found(holder.ENTER) is None:
            return
        try:
            self._kept = process.start(
                holder.to_start(program), cwd=Path("/"), env={}, limits=Allowance()
            )
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
            if not chunk or holder.holder_in(printed):
                break
    return holder.holder_in(printed) or _NOBODY
