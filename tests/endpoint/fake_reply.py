"""What a test tells the endpoint to say, what the endpoint was asked, and what the two come to."""

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

PIECE = 7  # characters: "\nObservation:" is split twice
TOKEN = 4  # characters

FAULTS = (
    "",
    "refuse",  # the connection closes before a single byte
    "hang",  # nothing ever comes
    "html",  # a proxy's page, with the given status
    "json",  # plain JSON, though a stream was asked for
    "error200",  # status 200, and an error for a body or for the stream's first event
    # The others come after `after` chunks of text, or before the end if there are fewer. Where no
    # stream was asked for, in the middle of the body.
    "cut",  # the connection closes in the middle of an event
    "reset",  # the same with RST; unstreamed: before a single byte
    "eof",  # a clean end that nothing announced; unstreamed: an empty body
    "stall",  # nothing more comes
    "error",  # an error as an event; unstreamed: with a status of 500, or 529 from Anthropic
    "failed",  # response.failed from /v1/responses, else as "error"
    "garbage",  # an event that is no JSON
)


@dataclass(frozen=True)
class Reply:
    text: str = ""
    chunks: tuple[str, ...] | None = None  # None: pieces of seven characters
    reasoning: str = ""
    reasoning_field: str = "reasoning_content"  # of a chat message
    enforce_stop: bool = True
    keep_stop: bool = False  # the stop stays in the text
    tell_stop: bool = False  # chat and completions say `stop_reason`, as vLLM does
    reason: str | None = None  # why it ends; the other APIs' words for it are understood
    refusal: str = ""  # what the refusal says
    category: str | None = None  # of the refusal
    content_none: bool = False
    usage: tuple[int, int] | None = None  # whole prompt, reply; None: estimated
    cached: int = 0
    written: int = 0
    no_usage: bool = False  # zeros from Anthropic, which has no other way to say so
    status: int = 200
    error: str = ""
    code: str | None = None
    param: str | None = None
    type: str | None = None
    error_body: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    fault: str = ""
    after: int = 2
    latency: float = 0.0
    drip: float = 0.0

    def __post_init__(self) -> None:
        if self.fault not in FAULTS:
            raise ValueError(f"no fault is named {self.fault!r}")
        if self.text and self.chunks is not None and self.text != "".join(self.chunks):
            raise ValueError("the chunks are not those of the text")


@dataclass
class Request:
    method: str
    path: str
    headers: Mapping[str, str]  # names in lower case
    body: dict[str, Any]
    raw: bytes
    status: int = 0  # of the answer; 0: none was begun
    written: str = ""  # the visible text that was handed to the connection
    whole: str = ""  # the visible text that would have been
    closed_early: bool = False  # the client hung up before the end
    ended: threading.Event = field(default_factory=threading.Event, repr=False)

    @property
    def anthropic(self) -> bool:
        return self.path.startswith("/v1/messages")

    @property
    def streamed(self) -> bool:
        return self.body.get("stream") is True

    @property
    def prompt(self) -> str:
        parts = ("system", "instructions", "messages", "prompt", "input")
        return "".join(text for part in parts for text in _texts(self.body.get(part)))

    @property
    def stops(self) -> tuple[str, ...]:
        if self.path == "/v1/responses":
            return ()
        asked = self.body.get("stop_sequences" if self.anthropic else "stop") or ()
        return (asked,) if isinstance(asked, str) else tuple(asked)

    @property
    def limit(self) -> int | None:
        names = ("max_completion_tokens", "max_tokens", "max_output_tokens")
        return next((self.body[name] for name in names if self.body.get(name)), None)


class Event(NamedTuple):
    """One event of a stream."""

    data: Mapping[str, Any] | str
    name: str = ""
    text: str = ""  # of the completion
    delta: bool = False
    closing: bool = False  # all text was said


def typed(name: str, **data: Any) -> Event:
    """One whose data say, too, how it is called."""
    return Event({"type": name, **data}, name)


def closing(name: str, **data: Any) -> Event:
    return typed(name, **data)._replace(closing=True)


@dataclass(frozen=True)
class Said:
    """A reply as it comes out for one request."""

    reply: Reply
    number: int
    model: str
    pieces: tuple[str, ...]
    end: str  # "end", "stop", "length", or the reply's own reason
    stop: str | None
    prompt_tokens: int
    reply_tokens: int
    with_usage: bool  # the request asks for it in the stream

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    @property
    def thoughts(self) -> tuple[str, ...]:
        return _pieces(self.reply.reasoning)


def say(reply: Reply, request: Request, number: int, prompt_tokens: int) -> Said:
    text = "" if reply.content_none else reply.text or "".join(reply.chunks or ())
    length, end, stop = _end(text, reply, request)
    estimate = prompt_tokens, -(-(length + len(reply.reasoning)) // TOKEN)
    prompt, said = reply.usage or estimate
    return Said(
        reply=reply,
        number=number,
        model=str(request.body.get("model", "")),
        pieces=tuple(_first(length, reply.chunks or _pieces(text))),
        end=reply.reason or end,
        stop=stop,
        prompt_tokens=prompt,
        reply_tokens=said,
        with_usage=bool((request.body.get("stream_options") or {}).get("include_usage")),
    )


def _end(text: str, reply: Reply, request: Request) -> tuple[int, str, str | None]:
    """How many characters are said, and why no more. The earliest stop counts, not the first."""
    length, end, hit = len(text), "end", None
    stops = [stop for stop in request.stops if reply.enforce_stop and stop in text]
    if stops:
        hit = min(stops, key=lambda stop: (text.find(stop), -len(stop)))
        length, end = text.find(hit) + (len(hit) if reply.keep_stop else 0), "stop"
    return length, end, hit


def _pieces(text: str) -> tuple[str, ...]:
    return tuple(text[at : at + PIECE] for at in range(0, len(text), PIECE))


def _first(length: int, pieces: Iterable[str]) -> Iterable[str]:
    for piece in pieces:
        if length <= 0:
            return
        yield piece[:length]
        length -= len(piece)


def _texts(value: object) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts(value.get("text") or value.get("content"))
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
