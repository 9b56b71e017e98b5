"""A forge on this machine: JSON over HTTP, with planted faults and every request kept.

def repository(asked: Asked, owner: str, name: str) -> Given: ...

with Loopback({"GET /repos/{owner}/{name}": repository}, prefix="/api/v3") as server:
    server.plant("GET /repos/*", Fault(status=502, times=2))
"""

import contextlib
import fnmatch
import json
import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from typing import Any, Self
from urllib.parse import parse_qsl, unquote, urlencode


@dataclass(frozen=True, slots=True)
class Asked:
    """A request. The path is as it was sent, less the prefix; a form is read like JSON."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]  # by their names in small letters
    raw: bytes
    address: str  # of the server, prefix included

    @property
    def line(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def body(self) -> dict[str, Any]:
        if self.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
            return dict(parse_qsl(self.raw.decode()))
        with contextlib.suppress(ValueError):
            read = json.loads(self.raw)
            return read if isinstance(read, dict) else {"": read}
        return {}


@dataclass(frozen=True, slots=True)
class Given:
    """An answer; a body that is bytes goes as it is."""

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong; with `is_done`, after the request has been carried out."""

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    times: int = 1
    is_slow: bool = False  # no answer before the client leaves, or the server closes
    drips: str = ""  # a byte now and then, of its "head" or "body"
    is_cut: bool = False  # half of the answer
    is_reset: bool = False  # none of it
    is_done: bool = False


Handler = Callable[..., Given]


class Loopback:
    """Routes are `METHOD /path/{part}/{rest*}`; faults are planted on `METHOD /path*`."""

    def __init__(
        self,
        routes: Mapping[str, Handler],
        prefix: str = "",
        guard: Callable[[Asked], Given | None] = lambda asked: None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.asked: list[Asked] = []
        self._routes = [(_pattern(route), handler) for route, handler in routes.items()]
        self._mounted: list[tuple[re.Pattern[str], Handler]] = []
        self._prefix = prefix
        self._guard = guard
        self._planted: list[tuple[str, Fault]] = []
        self._first: list[tuple[str, Callable[[], object]]] = []
        self._lock = threading.RLock()  # one request at a time changes the forge
        self.closing = threading.Event()
        self.failure: Exception | None = None
        self._server = _Server(self)
        self.address = self._server.server_address[:2]
        self.host = f"127.0.0.1:{self.address[1]}"
        if tls:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self.url = f"http://{self.host}"

    def __enter__(self) -> Self:
        self._server.begin()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.end()
        if self.failure is not None:
            raise self.failure

    @property
    def lines(self) -> list[str]:
        """What was asked for, as `METHOD /path`."""
        return [asked.line for asked in self.asked]

    def mount(self, routes: Mapping[str, Handler]) -> None:
        """More of them, on which the guard has no say: git's, below no prefix."""
        self._mounted = [(_pattern(route), handler) for route, handler in routes.items()]

    def plant(self, on: str, fault: Fault) -> None:
        """The next requests that fit go wrong; those planted first go first."""
        self._planted.extend([(on, fault)] * fault.times)

    def mend(self) -> None:
        """Nothing goes wrong any more."""
        self._planted.clear()

    def before(self, on: str, do: Callable[[], object]) -> None:
        """What happens first, each time."""
        self._first.append((on, do))

    def answer(
        self, method: str, target: str, headers: Mapping[str, str], raw: bytes
    ) -> Given | Fault:
        path, _, query = target.partition("?")
        address = f"{self.url}{self._prefix}"
        shorter = path.removeprefix(self._prefix)
        asked = Asked(method, shorter, dict(parse_qsl(query)), headers, raw, address)
        with self._lock:
            self.asked.append(asked)
            for on, do in self._first:
                if fnmatch.fnmatchcase(asked.line, on):
                    do()
            fault = self._fault(asked)
            if fault is not None and not fault.is_done:
                return fault
            given = self._carried_out(asked)
            return fault or given

    def _fault(self, asked: Asked) -> Fault | None:
        for at, (on, fault) in enumerate(self._planted):
            if fnmatch.fnmatchcase(asked.line, on):
                del self._planted[at]
                return fault
        return None

    def _carried_out(self, asked: Asked) -> Given:
        given = self._routed(asked, self._mounted) or self._guard(asked)
        given = given or self._routed(asked, self._routes)
        return given or Given({"message": "404 Not Found"}, 404)

    def _routed(
        self, asked: Asked, routes: Iterable[tuple[re.Pattern[str], Handler]]
    ) -> Given | None:
        for pattern, handler in routes:
            if found := pattern.fullmatch(asked.line):
                parts = {name: unquote(part) for name, part in found.groupdict().items()}
                return self._handled(handler, asked, parts)
        return None

    def _handled(self, handler: Handler, asked: Asked, parts: Mapping[str, str]) -> Given:
        try:
            return handler(asked, **parts)
        except Exception as error:  # noqa: BLE001  raised again where the server is left
            self.failure = error
            return Given({"message": f"the fake failed: {error!r}"}, 500)


def _pattern(route: str) -> re.Pattern[str]:
    """`{part}` is all up to a slash, `{rest*}` all there is."""
    pieces = re.split(r"\{(\w+\*?)\}", route)
    for at in range(1, len(pieces), 2):
        name, star, _ = pieces[at].partition("*")
        pieces[at] = f"(?P<{name}>{'.+' if star else '[^/]+'})"
    pieces[::2] = map(re.escape, pieces[::2])
    return re.compile("".join(pieces))


def paged(asked: Asked, rows: Iterable[Any], most: int = 100) -> Given:
    """One page of them, with the headers by which GitHub, GitLab and Gitea tell of the others."""
    everything = list(rows)
    page = int(asked.query.get("page", 1))
    size = min(most, int(asked.query.get("per_page") or asked.query.get("limit") or 30))
    pages = max(1, -(-len(everything) // size))
    near = {"prev": page - 1, "next": page + 1, "first": 1, "last": pages}
    there = {name: at for name, at in near.items() if 1 <= at <= pages}
    headers = {
        "Link": ", ".join(f'<{_at_page(asked, at)}>; rel="{name}"' for name, at in there.items()),
        "X-Page": str(page),
        "X-Per-Page": str(size),
        "X-Next-Page": str(there.get("next", "")),
        "X-Prev-Page": str(there.get("prev", "")),
        "X-Total-Pages": str(pages),
        "X-Total": str(len(everything)),
        "X-Total-Count": str(len(everything)),
    }
    return Given(everything[(page - 1) * size : page * size], headers=headers)


def _at_page(asked: Asked, page: int) -> str:
    query = {**asked.query, "page": str(page)}
    return f"{asked.address}{asked.path}?{urlencode(query)}"


class _Server(ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, forge: Loopback) -> None:
        self.forge = forge
        self.open: set[socket.socket] = set()
        super().__init__(("127.0.0.1", 0), _Conversation)
        self._serving = threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True)
        self._talking: list[threading.Thread] = []

    def begin(self) -> None:
        self._serving.start()

    def end(self) -> None:
        self.shutdown()
        self._serving.join()
        self.server_close()
        for connection in list(self.open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for thread in self._talking:
            thread.join(timeout=2)

    def process_request(self, request: Any, client_address: Any) -> None:
        self.open.add(request)
        args = (request, client_address)
        thread = threading.Thread(target=self.process_request_thread, args=args, daemon=True)
        self._talking.append(thread)
        thread.start()

    def shutdown_request(self, request: Any) -> None:
        self.open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has left is no failure of the server."""


class _Conversation(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def log_message(self, *_: object) -> None: ...

    def _answer(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        forge = self.server.forge
        answer = forge.answer(self.command, self.path, headers, raw)
        if isinstance(answer, Fault):
            if answer.is_slow:
                forge.closing.wait()
            if answer.is_slow or answer.is_reset:
                self.close_connection = True
                return
        self._send(answer)

    def _send(self, answer: Given | Fault) -> None:
        plain = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
        body = b"" if answer.status in (204, 304) else plain
        if isinstance(answer, Fault) and answer.drips == "head":
            self._drip(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 100)
        self.send_response(answer.status)
        headers = {"Content-Type": "application/json; charset=utf-8", **answer.headers}
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        is_cut = isinstance(answer, Fault) and answer.is_cut
        if is_cut:
            self.close_connection = True
        if isinstance(answer, Fault) and answer.drips == "body":
            self._drip(body)
        elif self.command != "HEAD":
            self.wfile.write(body[: len(body) // 2] if is_cut else body)

    def _drip(self, data: bytes) -> None:
        for at in range(len(data)):
            self.wfile.write(data[at : at + 1])
            self.server.forge.closing.wait(0.05)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = _answer
