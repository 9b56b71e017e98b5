"""One answer on its way to the client, whole or streamed, with whatever goes wrong in it."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import fake_chat
import fake_embeddings
import fake_messages
import fake_responses
from fake_reply import Event, Reply, Request, Said, say
from fake_wire import Wire, answer, as_json

PAGE = b"<html><head><title>Bad gateway</title></head><body><h1>nginx</h1></body></html>\n"
GARBAGE = Event('{"choices": [{"index"', "content_block_delta")
BATCH = 100  # events in one send, where none has to wait for the other


@dataclass(frozen=True)
class Shape:
    whole: Callable[[Said], Mapping[str, Any]]
    events: Callable[[Said], Iterator[Event]]
    error: Callable[[Reply], Mapping[str, Any]]
    stream_error: Callable[[Said], Event]
    failed: Callable[[Said], Event]


def _openai(whole: Any, events: Any) -> Shape:
    error = fake_chat.stream_error
    return Shape(whole, events, fake_chat.error, error, error)


CHAT = _openai(fake_chat.chat, fake_chat.chat_events)
SHAPES = {
    "/v1/messages": Shape(
        fake_messages.whole,
        fake_messages.events,
        fake_messages.error,
        fake_messages.stream_error,
        fake_messages.stream_error,
    ),
    "/v1/chat/completions": CHAT,
    "/v1/completions": _openai(fake_chat.completion, fake_chat.completion_events),
    "/v1/embeddings": _openai(fake_embeddings.whole, fake_chat.chat_events),
    "/v1/responses": Shape(
        fake_responses.whole,
        fake_responses.events,
        fake_chat.error,
        fake_responses.stream_error,
        fake_responses.failed,
    ),
}


@dataclass(frozen=True)
class Answer:
    wire: Wire
    request: Request
    reply: Reply
    number: int
    prompt_tokens: int
    _waiting: list[Event] = field(default_factory=list)

    def give(self) -> bool:
        """Whether the connection can take another request."""
        if self.reply.fault == "refuse":
            return False
        if self.reply.fault == "hang":
            return not self._left(None)
        if self._left(self.reply.latency):
            return False
        if self.reply.fault == "html":
            return self._send(PAGE, self.reply.status, kind="text/html")
        if self.reply.status >= 400:
            return self._send_error(self.reply.status)
        self.request.whole = self._said.text
        if self.request.streamed and self.reply.fault != "json":
            return self._stream()
        return self._give_whole()

    @cached_property
    def _said(self) -> Said:
        return say(self.reply, self.request, self.number, self.prompt_tokens)

    @cached_property
    def _shape(self) -> Shape:
        default = SHAPES["/v1/messages"] if self.request.anthropic else CHAT
        return SHAPES.get(self.request.path, default)

    @cached_property
    def _headers(self) -> dict[str, str]:
        name = "request-id" if self.request.anthropic else "x-request-id"
        return {name: f"req_{self.number}", **self.reply.headers}

    def _left(self, within: float | None) -> bool:
        if self.wire.left(within):
            self.request.closed_early = True
        return self.request.closed_early

    def _send(self, body: bytes, status: int, kind: str = "application/json") -> bool:
        self.request.status = status
        self.wire.send(answer(status, body, self._headers, kind))
        return True

    def _send_error(self, status: int) -> bool:
        error = self._shape.error(replace(self.reply, status=status))
        return self._send(as_json(self.reply.error_body or error), status)

    def _give_whole(self) -> bool:
        fault = self.reply.fault
        if fault == "error200":
            return self._send(as_json(self.reply.error_body or self._shape.error(self.reply)), 200)
        if fault in ("error", "failed"):
            return self._send_error(529 if self.request.anthropic else 500)
        if fault == "reset":
            self.wire.reset()
            return False
        body = as_json(self._shape.whole(self._said))
        if fault in ("cut", "stall"):
            self.request.status = 200
            whole = answer(200, body, self._headers)
            self.wire.send(whole[: -len(body) // 2])
            return fault == "stall" and not self._left(None)
        kept = {"eof": 0, "garbage": len(body) // 2}.get(fault, len(body))
        self._send(body[:kept], 200)
        self.request.written = self.request.whole if kept == len(body) else ""
        return True

    def _stream(self) -> bool:
        self.request.status = 200
        self.wire.begin_stream(self._headers)
        if self.reply.fault == "error200":
            return self._break(Event(""))
        texts = deltas = 0
        for event in self._shape.events(self._said):
            if self._is_broken(event, texts):
                return self._flush(0) and self._break(event)
            self._waiting.append(event)
            pause = self.reply.drip if event.delta and deltas else 0
            if (self.reply.drip or len(self._waiting) == BATCH) and not self._flush(pause):
                return False
            texts += bool(event.text)
            deltas += event.delta
        if not self._flush(0):
            return False
        # A client may leave as soon as it has the last event.
        with contextlib.suppress(OSError):
            self.wire.end_stream()
        return True

    def _flush(self, pause: float) -> bool:
        if self._left(pause):
            return False
        self.wire.send_events(self._waiting)
        self.request.written += "".join(event.text for event in self._waiting)
        self._waiting.clear()
        return True

    def _is_broken(self, event: Event, texts: int) -> bool:
        at_hand = event.closing or (event.text != "" and texts >= self.reply.after)
        return at_hand and self.reply.fault not in ("", "json")

    def _break(self, event: Event) -> bool:
        """Ends the stream as the fault says, in place of this event."""
        fault = self.reply.fault
        if fault == "stall":
            return not self._left(None)
        if fault in ("cut", "reset"):
            self.wire.send_half(event)
            if fault == "reset":
                self.wire.reset()
            return False
        if fault == "garbage":
            self.wire.send_events([GARBAGE])
        elif fault == "failed":
            self.wire.send_events([self._shape.failed(self._said)])
        elif fault != "eof":
            self.wire.send_events([self._shape.stream_error(self._said)])
        self.wire.end_stream()
        return True
