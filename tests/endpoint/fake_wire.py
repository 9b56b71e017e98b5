"""One TCP connection, seen from the server: requests in, answers out, and a client that leaves."""

import contextlib
import json
import select
import socket
import struct
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

from fake_reply import Event

JSON = "application/json"
PHRASES = {status.value: status.phrase for status in HTTPStatus}
ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
RESET = struct.pack("ii", 1, 0)  # linger for no time: closing sends RST


class Wire:
    def __init__(self, sock: socket.socket) -> None:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._sock = sock
        self._file = sock.makefile("rb")
        self.woken = False

    def read(self) -> tuple[str, str, dict[str, str], bytes] | None:
        """Method, path, headers and body; None when the client has left or speaks TLS."""
        first = self._file.readline().decode("latin-1").split()
        if len(first) != 3 or not first[2].startswith("HTTP/"):
            return None
        headers = {}
        while line := self._file.readline().decode("latin-1").strip():
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        body = self._file.read(int(headers.get("content-length", 0)))
        return first[0], first[1].partition("?")[0], headers, body

    def left(self, within: float | None) -> bool:
        """Waits so long, unless the client leaves: nobody sends a request during an answer."""
        poll = select.poll()  # select itself knows no more than 1024 files
        poll.register(self._sock, select.POLLIN)
        if not poll.poll(None if within is None else within * 1000):
            return False
        with contextlib.suppress(OSError):
            return self._sock.recv(1, socket.MSG_PEEK) == b""
        return True

    def send(self, data: bytes) -> None:
        self._sock.sendall(data)

    def begin_stream(self, headers: Mapping[str, str]) -> None:
        kind = {"content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache"}
        self.send(_head(200, {**kind, "transfer-encoding": "chunked", **headers}))

    def send_events(self, events: Iterable[Event]) -> None:
        self.send(b"".join(map(_chunk, events)))

    def send_half(self, event: Event) -> None:
        data = _chunk(event)
        self.send(data[: len(data) // 2])

    def end_stream(self) -> None:
        self.send(b"0\r\n\r\n")

    def reset(self) -> None:
        self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)

    def wake(self) -> None:
        """Ends what is read, written or waited for here. A client that left has done so itself."""
        if self.left(0):
            return
        self.woken = True
        with contextlib.suppress(OSError):
            self._sock.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._file.close()
        self._sock.close()


def answer(status: int, body: bytes, headers: Mapping[str, str], kind: str = JSON) -> bytes:
    return _head(status, {"content-type": kind, "content-length": str(len(body)), **headers}) + body


def as_json(data: Mapping[str, Any]) -> bytes:
    return ENCODE(data).encode()


def _head(status: int, headers: Mapping[str, str]) -> bytes:
    lines = (f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {status} {PHRASES.get(status, 'Unknown')}\r\n{''.join(lines)}\r\n".encode(
        "latin-1"
    )


def _chunk(event: Event) -> bytes:
    name = f"event: {event.name}\n".encode() if event.name else b""
    data = event.data.encode() if isinstance(event.data, str) else as_json(event.data)
    event_bytes = name + b"data: " + data + b"\n\n"
    return b"%x\r\n%b\r\n" % (len(event_bytes), event_bytes)
