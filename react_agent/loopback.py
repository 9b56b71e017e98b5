"""A server that only this machine can reach.

A web page can make a browser connect to 127.0.0.1 under another host name, which the `Host` header
reveals.
"""

import errno
import os
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from react_agent.tools.errors import ReactAgentError

ADDRESS = "127.0.0.1"
_NAMES = (ADDRESS, "localhost", "::1")
_LARGEST = 64_000_000  # bytes of a request
_LONGEST_SILENCE = 60.0  # seconds, in the middle of a request
_LOOKS = 0.05  # seconds between looks whether it is to end
_WAITING = 128  # connections


class CannotServe(ReactAgentError):
    """The port is in use, or this user is not allowed to open it."""


@dataclass(frozen=True, slots=True)
class Asked:
    method: str
    path: str
    headers: Mapping[str, str]  # by their names in small letters
    body: bytes


@dataclass(frozen=True, slots=True)
class Given:
    """A response. If `body` is a generator, it is closed when the client disconnects."""

    body: bytes | Generator[bytes, None, None]
    kind: str = "application/json"
    status: int = 200


Answer: TypeAlias = Callable[[Asked], Given]


@contextmanager
def served(answer: Answer, port: int = 0) -> Iterator[int]:
    """Serve on a port (0: any free one) and yield it. Each connection runs `answer` in a thread."""
    server = _opened(answer, port)
    thread = threading.Thread(target=server.serve_forever, args=(_LOOKS,), daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


def _opened(answer: Answer, port: int) -> "_Server":
    try:
        return _Server(answer, port)
    except OSError as error:
        why = "is in use" if error.errno == errno.EADDRINUSE else os.strerror(error.errno or 0)
        raise CannotServe(f"port {port} {why}: choose another one with --port") from None


class _Server(ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = _WAITING

    def __init__(self, answer: Answer, port: int) -> None:
        self.answer = answer
        super().__init__((ADDRESS, port), _Conversation)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore errors that occur because a client has disconnected."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Conversation(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = _LONGEST_SILENCE
    server: _Server

    def log_message(self, *_: object) -> None: ...

    def version_string(self) -> str:
        return "react-agent"

    def _answer(self) -> None:
        refused = self._refusal()
        if refused:
            self.close_connection = True
            self._give(Given(f"{refused[1]}\n".encode(), "text/plain", refused[0]))
            return
        path = self.path.partition("?")[0]
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = self.rfile.read(int(headers.get("content-length", 0)))
        self._give(self.server.answer(Asked(self.command, path, headers, body)))

    def _refusal(self) -> tuple[int, str] | None:
        length = self.headers.get("Content-Length", "0")
        if not _is_ours(self.headers.get("Host", "")):
            return 403, "this server only answers requests from its own machine"
        if "Transfer-Encoding" in self.headers or not (length.isascii() and length.isdecimal()):
            return 411, "the request needs a Content-Length header"
        if len(length) > len(str(_LARGEST)) or int(length) > _LARGEST:
            return 413, "the request is too long"
        return None

    def _give(self, given: Given) -> None:
        self.send_response(given.status)
        self.send_header("Content-Type", given.kind)
        if isinstance(given.body, bytes):
            self.send_header("Content-Length", str(len(given.body)))
            self.end_headers()
            self.wfile.write(given.body)
            return
        self.send_header("Connection", "close")  # its end is that of the connection
        self.end_headers()
        with closing(given.body):
            for piece in given.body:
                self.wfile.write(piece)

    do_GET = do_POST = _answer


def _is_ours(host: str) -> bool:
    try:
        return urlsplit(f"//{host}").hostname in _NAMES
    except ValueError:  # a bracket
        return False
