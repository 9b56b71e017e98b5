"""The deadline of a network connection."""

import socket
import threading
from contextlib import suppress
from typing import Self


class Deadline:
    """A timer that shuts a connection down after some seconds, even if data still arrives."""

    def __init__(self, seconds: float, connection: socket.socket | None = None) -> None:
        self.is_over = False
        self.connection = connection
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        self._timer.join()

    def _end(self) -> None:
        self.is_over = True
        if self.connection is not None:
            with suppress(OSError):  # not the encrypted one's method: that waits
                socket.socket.shutdown(self.connection, socket.SHUT_RDWR)
