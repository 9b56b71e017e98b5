"""Between whatever asks a model and its server: hands on what both say, and keeps it.

Every way of the lab is counted here, by the same rule: calls, tokens, replies that hit a limit.
"""

import http.client
import json
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

HUNG_UP, LIMIT = "hung up on", "length"
_END = 1_200  # characters of a prompt that are kept
_LOOKS_S = 0.2


@dataclass
class Call:
    prompt_end: str
    temperature: float | None = None
    reply: str = ""
    finish: str = HUNG_UP  # until the server says another word
    prompt_tokens: int = 0  # as far as the server has counted them
    reply_tokens: int = 0

    def take(self, data: bytes) -> None:
        """An event of a stream, or an answer that is whole."""
        found = json.loads(data)
        for choice in found.get("choices") or ():
            said = choice.get("delta") or choice.get("message") or choice
            text = said.get("content") or said.get("text") or ""
            self.reply += text
            self.reply_tokens += bool(text)  # one a piece
            self.finish = choice.get("finish_reason") or self.finish
        if timed := found.get("timings"):
            self.prompt_tokens = timed.get("prompt_n", 0) + timed.get("cache_n", 0)
        if used := found.get("usage"):
            self.prompt_tokens = used.get("prompt_tokens", self.prompt_tokens)
            self.reply_tokens = used.get("completion_tokens", self.reply_tokens)

    def row(self) -> dict[str, Any]:
        return asdict(self)


class Recorder(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, upstream: str) -> None:
        super().__init__(("127.0.0.1", 0), _Conversation)
        self.upstream = urlsplit(upstream)
        self.calls: list[Call] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def taken(self) -> list[Call]:
        """The calls since the last time."""
        calls, self.calls = self.calls, []
        return calls


@contextmanager
def recording(upstream: str) -> Iterator[Recorder]:
    server = Recorder(upstream)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


class _Conversation(BaseHTTPRequestHandler):
    server: Recorder

    def log_message(self, *_: object) -> None: ...

    def do_GET(self) -> None:
        self._hand_on(None, None)

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
        call = Call(_end_of(asked), asked.get("temperature"))
        self.server.calls.append(call)
        # So that the tokens of a prompt are known of a stream, too, that somebody leaves.
        body = json.dumps({**asked, "timings_per_token": True}).encode()
        self._hand_on(body, call)

    def _hand_on(self, body: bytes | None, call: Call | None) -> None:
        upstream = self.server.upstream
        connection = http.client.HTTPConnection(upstream.hostname or "", upstream.port)
        headers = {"authorization": self.headers.get("authorization", "")}
        headers |= {"content-type": "application/json"} if body else {}
        answered = threading.Event()
        try:
            connection.request(self.command, self.path, body, headers)
            watched = (self.connection, connection.sock, answered)
            threading.Thread(target=_leave_together, args=watched, daemon=True).start()
            answer = connection.getresponse()
            self.send_response(answer.status)
            kind = answer.headers.get("content-type", "")
            self.send_header("content-type", kind)
            self.end_headers()
            for line in answer if "event-stream" in kind else [answer.read()]:
                self.wfile.write(line)
                data = line.removeprefix(b"data: ").strip()
                if call and answer.status == http.client.OK and data.startswith(b"{"):
                    call.take(data)
        except (OSError, http.client.HTTPException):  # somebody has left
            pass
        finally:
            answered.set()
            connection.close()


def _leave_together(
    client: socket.socket, upstream: socket.socket, answered: threading.Event
) -> None:
    """Else the server would write on for nobody, and the next attempt wait for it."""
    with suppress(OSError, ValueError):  # by now it is closed
        while not answered.is_set():
            if select.select([client], [], [], _LOOKS_S)[0]:
                upstream.shutdown(socket.SHUT_RDWR)
                return


def _end_of(asked: dict[str, Any]) -> str:
    if "prompt" in asked:
        return str(asked["prompt"])[-_END:]
    texts = []
    for message in asked.get("messages", ()):
        content = message["content"]
        parts = [content] if isinstance(content, str) else [part["text"] for part in content]
        texts.append(f"[{message['role']}]\n" + "\n".join(parts))
    return "\n".join(texts)[-_END:]
