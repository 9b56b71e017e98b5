"""A model endpoint on this machine that says what a test tells it to, and keeps what it saw.

with FakeEndpoint([Reply("Thought: ..."), Reply(status=429)]) as endpoint:
    OpenAI(api_key="any", base_url=f"{endpoint.url}/v1")
"""

import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any, Self

from fake_answer import Answer
from fake_reply import Reply, Request
from fake_rules import Rules
from fake_wire import Wire, answer, as_json

__all__ = ["KINDS", "FakeEndpoint", "Reply", "Request", "Rules"]

KINDS = ("anthropic", "openai", "completions", "responses")
Script = Iterable[Reply | str] | Callable[[Request], Reply | str]

PATHS = (
    *("/v1/messages", "/v1/chat/completions", "/v1/completions", "/v1/responses"),
    "/v1/embeddings",
)
WAITING = 1024  # connections that are not yet accepted


class FakeEndpoint:
    """Replies are used one a request, in order of arrival, or asked for by request from any thread.
    What `rules` refuse takes none."""

    def __init__(self, replies: Script = (), **rules: Any) -> None:
        self.requests: list[Request] = []
        self._rules = Rules(**rules)
        self._replies = replies if callable(replies) else _in_turn(replies)
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=WAITING)
        self.url = "http://{}:{}".format(*self._listener.getsockname())
        self._lock = threading.Lock()
        self._open: dict[Wire, threading.Thread] = {}
        self._closing = False
        self._failure: Exception | None = None
        self._accepting = threading.Thread(target=self._accept, daemon=True)

    def __enter__(self) -> Self:
        self._accepting.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()
        if self._failure is not None:
            raise self._failure

    def close(self) -> None:
        self._closing = True
        with contextlib.suppress(OSError):
            socket.create_connection(self._listener.getsockname()).close()
        self._accepting.join()
        self._listener.close()
        with self._lock:
            still_open = dict(self._open)
            for wire in still_open:
                wire.wake()
        for thread in still_open.values():
            thread.join(timeout=2)

    def settled(self, within: float = 2.0) -> list[Request]:
        """The requests, once the endpoint is through with each: a client hears of its end first."""
        until = time.monotonic() + within
        for request in list(self.requests):
            if not request.ended.wait(max(0.0, until - time.monotonic())):
                raise TimeoutError(f"still answering {request.path}")
        return self.requests

    @property
    def posts(self) -> list[Request]:
        """What was asked for, apart from what there is to ask."""
        return [one for one in self.settled() if one.method == "POST"]

    def base_url(self, kind: str) -> str:
        """As a client of that kind takes it."""
        return self.url if kind == "anthropic" else f"{self.url}/v1"

    def _accept(self) -> None:
        while True:
            sock, _ = self._listener.accept()
            if self._closing:
                sock.close()
                return
            wire = Wire(sock)
            thread = threading.Thread(target=self._serve, args=(wire,), daemon=True)
            with self._lock:
                self._open[wire] = thread
            thread.start()

    def _serve(self, wire: Wire) -> None:
        try:
            with contextlib.suppress(OSError):
                while (got := wire.read()) is not None:
                    method, path, headers, raw = got
                    request = Request(method, path, headers, _parsed(raw), raw)
                    if not self._answer(wire, request):
                        return
        finally:
            with self._lock:
                del self._open[wire]
            wire.close()

    def _answer(self, wire: Wire, request: Request) -> bool:
        """Whether the connection can take another request."""
        with self._lock:
            self.requests.append(request)
            number = len(self.requests)
        try:
            if request.method == "GET" or request.path not in PATHS:
                return self._look_up(wire, request)
            reply = self._rules.objection(request) or self._reply(request)
            return Answer(wire, request, reply, number, self._rules.prompt_tokens(request)).give()
        except OSError:
            request.closed_early = True
            return False
        except Exception as error:  # noqa: BLE001  raised again where the endpoint is left
            self._failure = error
            return False
        finally:
            request.closed_early = request.closed_early and not wire.woken
            request.ended.set()

    def _look_up(self, wire: Wire, request: Request) -> bool:
        refused = self._rules.unauthorized(request)
        found = None if request.method != "GET" else self._rules.catalogue(request.path)
        if refused is None and found is not None:
            request.status = 200
            wire.send(answer(200, as_json(found), {}))
            return True
        reply = refused or Reply(status=404, error=f"nothing is at {request.path}")
        return Answer(wire, request, reply, len(self.requests), 0).give()

    def _reply(self, request: Request) -> Reply:
        try:
            said = self._replies(request)
        except Exception as error:  # noqa: BLE001  raised again where the endpoint is left
            self._failure = error
            return Reply(status=500, error=f"the script failed: {error!r}")
        return Reply(said) if isinstance(said, str) else said


def _in_turn(replies: Iterable[Reply | str]) -> Callable[[Request], Reply | str]:
    numbered = iter(replies)
    lock = threading.Lock()
    used = 0

    def next_reply(_: Request) -> Reply | str:
        nonlocal used
        with lock:
            used += 1
            return next(numbered, Reply(status=500, error=f"no reply number {used}"))

    return next_reply


def _parsed(raw: bytes) -> dict[str, Any]:
    with contextlib.suppress(ValueError):
        body = json.loads(raw)
        return body if isinstance(body, dict) else {}
    return {}
