"""Connections are hung up when their time is over, whatever comes or does not come on them.

A timeout of an SDK's is one of silence: it does not end an answer that drips, and one that falls
silent late is given all the time again.
"""

import contextlib
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx2

from react_agent.tools import clock

_BETWEEN_LOOKS = 1.0  # seconds, at most


@dataclass(slots=True, eq=False)
class Watch:
    """One thread for all connections of a client, and only while there are any."""

    ends: dict[int, tuple[float, socket.socket]] = field(default_factory=dict)
    next_look: float = 0.0
    is_running: bool = False
    changed: threading.Condition = field(default_factory=threading.Condition)

    def begin(self, request: httpx2.Request) -> None:
        request.extensions["begun"] = clock.monotonic()

    def answered(self, response: httpx2.Response) -> None:
        """A request may wait for a connection as long as there is time: that is what is left."""
        about, stream = response.request.extensions, response.extensions.get("network_stream")
        connection = stream.get_extra_info("socket") if stream else None
        if connection:
            until = about["begun"] + about["timeout"]["pool"]
            response.stream = Watched(response.stream, connection, self)
            self.add(response.stream, until, connection)

    def add(self, who: object, until: float, connection: socket.socket) -> None:
        with self.changed:
            self.ends[id(who)] = until, connection
            if not self.is_running:
                self.is_running = True
                threading.Thread(target=self._run, daemon=True).start()
            elif until < self.next_look:
                self.changed.notify()

    def remove(self, who: object) -> None:
        with self.changed:
            self.ends.pop(id(who), None)

    def _run(self) -> None:
        with self.changed:
            while self.ends:
                now = clock.monotonic()
                for who, (until, connection) in tuple(self.ends.items()):
                    if until <= now:
                        _hang_up(connection)
                        del self.ends[who]
                ends = (until for until, _ in self.ends.values())
                self.next_look = min((now + _BETWEEN_LOOKS, *ends))
                self.changed.wait(self.next_look - now)
            self.is_running = False


class Watched(httpx2.SyncByteStream):
    def __init__(self, stream: Any, connection: socket.socket, watch: Watch) -> None:
        self._stream = stream
        self._connection = connection
        self._watch = watch

    def hurry(self, seconds: float) -> None:
        """It has to come to its end sooner."""
        self._watch.add(self, clock.monotonic() + seconds, self._connection)

    def __iter__(self) -> Iterator[bytes]:
        yield from self._stream

    def close(self) -> None:
        self._watch.remove(self)
        self._stream.close()


def _hang_up(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
