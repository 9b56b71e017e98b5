"""A model endpoint that a person answers on a terminal.

GET  /v1/models
POST /v1/chat/completions /v1/completions     OpenAI's APIs; each request waits for a reply
"""

import errno
import itertools
import json
import os
import queue
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from react_agent.gone import ENDPOINT_PATHS
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.turn.stop import StopScanner
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
class Given:
    """A response. If `body` is a generator, it is closed when the client disconnects."""

    body: bytes | Generator[bytes, None, None]
    kind: str = "application/json"
    status: int = 200


@contextmanager
def served(desk: "Desk", port: int = 0) -> Iterator[int]:
    """Serve on a port (0: any free one) and yield it. Each connection has a thread."""
    try:
        server = _Server(desk, port)
    except OSError as error:
        why = "is in use" if error.errno == errno.EADDRINUSE else os.strerror(error.errno or 0)
        raise CannotServe(f"port {port} {why}: choose another one with --port") from None
    thread = threading.Thread(target=server.serve_forever, args=(_LOOKS,), daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


class _Server(ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = _WAITING

    def __init__(self, desk: "Desk", port: int) -> None:
        self.desk = desk
        super().__init__((ADDRESS, port), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore errors that occur because a client has disconnected."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
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
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self._give(self.server.desk.answer(self.command, path, body))

    def _refusal(self) -> tuple[int, str] | None:
        length = self.headers.get("Content-Length", "0")
        if not _is_ours(self.headers.get("Host", "")):
            return 403, "this server only answers requests from its own machine"
        if "Origin" in self.headers:
            return 403, "requests from web pages are refused"
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
    """Return whether the `Host` header names this machine: a page may have given it a name."""
    try:
        return urlsplit(f"//{host}").hostname in _NAMES
    except ValueError:  # a bracket
        return False


MODEL = "byhand"
_CHAT, _COMPLETIONS = "/v1/chat/completions", "/v1/completions"
_MODELS = "/v1/models"
_STILL_HERE = 1.0  # seconds
_MODEL: Mapping[str, Any] = {"id": MODEL, "object": "model", "created": 0, "owned_by": "you"}
_COMMON = 400  # characters that two prompts begin with, before they are left out
_BEGINS, _ENDS = "<<<<<<<", ">>>>>>>"  # of a block of old and new lines

ReadLine: TypeAlias = Callable[[], str]  # with its end; nothing when there are no more


class _BadRequest(ValueError):
    """An invalid request; the message says what is missing."""


@dataclass(slots=True, eq=False)
class Question:
    number: int
    model: str
    prompt: str
    stops: tuple[str, ...]
    is_chat: bool
    is_streamed: bool
    is_left: bool = False  # nobody waits for the reply any more
    replies: "queue.SimpleQueue[str]" = field(default_factory=queue.SimpleQueue)

    def give(self, reply: str) -> bool:
        """Send a reply to the client. Return whether it still waits for one."""
        if not self.is_left:
            self.replies.put(reply)
        return not self.is_left

    def answer(self, reply: str) -> Iterator[bytes]:
        """Yield the reply up to the first stop string, in the format of the request's API."""
        text = min((reply.partition(stop)[0] for stop in self.stops), key=len, default=reply)
        counts = estimate_tokens(self.prompt), estimate_tokens(text)
        names = ("prompt_tokens", "completion_tokens", "total_tokens")
        usage = dict(zip(names, (*counts, sum(counts)), strict=True))
        if not self.is_streamed:
            yield json.dumps(self._body([self._choice(text, "stop")], usage=usage)).encode()
            return
        for piece in text.splitlines(keepends=True):
            yield _event(json.dumps(self._body([self._choice(piece)])))
        yield _event(json.dumps(self._body([self._choice("", "stop")])))
        yield _event(json.dumps(self._body([], usage=usage)))
        yield _event("[DONE]")

    def _body(self, choices: Sequence[object], **more: object) -> Mapping[str, object]:
        kind = "text_completion"
        if self.is_chat:
            kind = "chat.completion.chunk" if self.is_streamed else "chat.completion"
        head = {"id": f"byhand-{self.number}", "object": kind, "created": 0, "model": self.model}
        return {**head, "choices": choices, **more}

    def _choice(self, text: str, end: str | None = None) -> Mapping[str, object]:
        said: Mapping[str, object] = {"text": text}
        if self.is_chat:
            name = "delta" if self.is_streamed else "message"
            said = {name: {"role": "assistant", "content": text}}
        return {"index": 0, **said, "logprobs": None, "finish_reason": end}


@dataclass(slots=True)
class Desk:
    """The requests that wait for a person's reply."""

    questions: "queue.SimpleQueue[Question]" = field(default_factory=queue.SimpleQueue)
    numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))
    still_here: float = _STILL_HERE  # seconds between signs of life, which clients ignore

    def answer(self, method: str, path: str, body: bytes) -> Given:
        if method == "GET" and path == _MODELS:
            return _json({"object": "list", "data": [_MODEL], "has_more": False})
        if method == "GET" and path.startswith(f"{_MODELS}/"):
            return _json({**_MODEL, "id": path.removeprefix(f"{_MODELS}/")})
        if method != "POST" or path not in (_CHAT, _COMPLETIONS):
            return _refused(404, ENDPOINT_PATHS.get(path, f"{path} was not found"))
        try:
            question = self._question(body, is_chat=path == _CHAT)
        except _BadRequest as error:
            return _refused(400, str(error))
        kind = "text/event-stream; charset=utf-8" if question.is_streamed else "application/json"
        return Given(self._answered(question), kind)

    def _question(self, body: bytes, *, is_chat: bool) -> Question:
        try:
            request: Any = json.loads(body)
        except (ValueError, RecursionError):
            raise _BadRequest("the request is not JSON") from None
        if not isinstance(request, Mapping):
            raise _BadRequest("the request is not an object")
        model = request.get("model")
        if not isinstance(model, str) or not model:
            raise _BadRequest("the request names no model")
        if not is_chat and "prompt" not in request:
            raise _BadRequest("the request has no prompt")
        prompt = _conversation(request) if is_chat else _text_of(request["prompt"])
        stops = request.get("stop")
        listed = [stops] if isinstance(stops, str) else stops if isinstance(stops, list) else []
        named = tuple(stop for stop in listed if isinstance(stop, str) and stop)
        is_streamed = bool(request.get("stream"))
        return Question(next(self.numbers), model, prompt, named, is_chat, is_streamed)

    def _answered(self, question: Question) -> Generator[bytes, None, None]:
        self.questions.put(question)
        try:
            reply = None
            while reply is None:
                try:
                    reply = question.replies.get(timeout=self.still_here)
                except queue.Empty:
                    yield b": somebody is writing\n\n" if question.is_streamed else b" "
            yield from question.answer(reply)
        finally:
            question.is_left = True


def _conversation(request: Mapping[str, Any]) -> str:
    """Return the messages of a conversation as text, each below the name of its role."""
    messages = request.get("messages")
    if not isinstance(messages, list) or not all(isinstance(one, Mapping) for one in messages):
        raise _BadRequest("the request has no list of messages")
    return "\n\n".join(
        f"[{one.get('role', '')}]\n{_text_of(one.get('content'))}" for one in messages
    )


def _text_of(content: object) -> str:
    """Return the text of a message, or the text of all its parts."""
    parts = content if isinstance(content, list) else [content]
    texts = (part.get("text") if isinstance(part, Mapping) else part for part in parts)
    return "\n".join(text for text in texts if isinstance(text, str))


def _event(data: str) -> bytes:
    return f"data: {data}\n\n".encode()


def _refused(status: int, why: str) -> Given:
    error = {"type": "invalid_request_error", "message": why, "param": None, "code": None}
    return _json({"error": error}, status)


def _json(data: Mapping[str, object], status: int = 200) -> Given:
    return Given(json.dumps(data).encode(), status=status)


def new_part(before: str, prompt: str) -> str:
    """Return a prompt from the first line that differs from the prompt before it.

    A prompt with little or nothing in common, or with nothing new, is returned whole.
    """
    lines = prompt.split("\n")
    pairs = zip(before.split("\n"), lines[:-1], strict=False)
    same = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
    if len("\n".join(lines[:same])) < _COMMON or same == len(lines) - 1:
        return prompt
    return "\n".join(lines[same:]).lstrip("\n")


def read_reply(read_line: ReadLine) -> str | None:
    """Read lines up to an empty one or the end of input. Return None if there is no line.

    An empty line in a fence, a here-document or a SEARCH block is part of the reply.
    """
    scanner, lines, is_block = StopScanner(), list[str](), False
    while line := read_line():
        # within a reply, a line of one space is a context line of a diff
        is_empty = not line.strip("\r\n") if lines else not line.strip()
        if is_empty and not (lines and (scanner.is_open or is_block)):
            if lines:
                break
            continue
        lines.append(line)
        scanner.feed(line)
        if line.startswith((_BEGINS, _ENDS)):
            is_block = line.startswith(_BEGINS)
    return "".join(lines).rstrip("\n") if lines else None
