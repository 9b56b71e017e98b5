"""A client for Anthropic's Messages API and for other servers that implement it."""

from dataclasses import dataclass, field
from typing import Any

import anthropic

from react_agent.models.contract import Usage, Why
from react_agent.models.endpoint import Endpoint
from react_agent.models.sdk import (
    NO_KEY,
    PATIENCE,
    Object,
    answer_to,
    faults_of,
    http,
    pieces_of,
    timeout,
)
from react_agent.models.wire import Ask, End, Message, Piece, Pieces, messages, system

_ENDS = {
    "end_turn": Why.END,
    "stop_sequence": Why.STOP,
    "max_tokens": Why.LENGTH,
    "model_context_window_exceeded": Why.CONTEXT,
    "refusal": Why.REFUSAL,
}
_MARK = {"type": "ephemeral"}
_COUNTS = (
    "input_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
    "output_tokens",
)


def client(endpoint: Endpoint) -> anthropic.Anthropic:
    key = endpoint.key or NO_KEY
    return anthropic.Anthropic(
        api_key=key,
        base_url=endpoint.base_url,
        max_retries=0,
        # Servers that only imitate Anthropic may know only the older header.
        default_headers={} if endpoint.is_ours else {"x-api-key": key},
        http_client=http(endpoint),
        open_telemetry=False,
    )


@dataclass(frozen=True, slots=True)
class AnthropicMessages:
    model: str
    client: anthropic.Anthropic = field(repr=False)
    goes_on = False

    def pieces(self, ask: Ask) -> Pieces:
        counted: dict[str, int] = {}
        body, limit = self._request(ask), timeout(ask)
        with (
            faults_of(anthropic),
            answer_to(self.client, "/v1/messages", body, limit) as answer,
        ):
            yield from pieces_of(
                answer, streamed=lambda event: _pieces(event, counted), whole=_whole
            )

    def window(self) -> int | None:
        with faults_of(anthropic):
            found = self.client.models.retrieve(self.model, timeout=PATIENCE)
        size = getattr(found, "max_input_tokens", None)
        return size if isinstance(size, int) and size > 0 else None

    def _request(self, ask: Ask) -> dict[str, Any]:
        manner = ask.manner
        request = {
            "model": self.model,
            "max_tokens": ask.room,
            "messages": _messages(messages(ask.view, ask.start.rstrip()), mark=manner.cache),
            "stream": manner.stream,
        }
        if rules := system(ask.view):  # an empty text is refused
            request["system"] = [_block(rules, mark=manner.cache)]
        request |= {"stop_sequences": list(ask.stop)} if ask.stop else {}
        if manner.heat is not None:
            request["temperature"] = manner.heat
        if manner.thinking == "off":
            request["thinking"] = {"type": "disabled"}
        elif manner.thinking:
            request["output_config"] = {"effort": manner.thinking}
        return request


def _messages(said: tuple[Message, ...], *, mark: bool) -> list[dict[str, Any]]:
    """Return the messages, with a cache mark on the last text that the next request repeats."""
    last = max(at for at, message in enumerate(said) if message.role == "user")
    return [
        {
            "role": message.role,
            "content": [
                _block(message.text, mark=mark and at == last),
                *([_block(message.volatile)] if message.volatile else []),
            ],
        }
        for at, message in enumerate(said)
    ]


def _block(text: str, *, mark: bool = False) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "text", "text": text}
    return block | {"cache_control": _MARK} if mark else block


def _pieces(event: Object, counted: dict[str, int]) -> Pieces:
    match event:
        case {"type": "message_start", "message": {"usage": usage}}:
            yield Piece(usage=_usage(usage, counted))  # the only usage if we hang up
        case {"type": "content_block_start", "content_block": {"type": "text", "text": text}}:
            yield Piece(text)
        case {"type": "content_block_delta", "delta": {"type": "text_delta", "text": text}}:
            yield Piece(text)
        case {"type": "message_delta", "delta": delta}:
            yield Piece(usage=_usage(event.get("usage") or {}, counted), end=_end(delta))


def _whole(message: Object) -> Pieces:
    text = "".join(block["text"] for block in message["content"] if block["type"] == "text")
    yield Piece(text, _usage(message.get("usage") or {}, {}), _end(message))


def _end(said: Object) -> End | None:
    reason = said.get("stop_reason")
    if not reason:
        return None
    category = (said.get("stop_details") or {}).get("category")
    raw = f"{reason} ({category})" if category else reason
    return End(_ENDS.get(reason, Why.END), raw, said.get("stop_sequence"))


def _usage(usage: Object, counted: dict[str, int]) -> Usage | None:
    """Add the counts to those of earlier events, which have others, and return the usage."""
    counted |= {name: usage[name] for name in _COUNTS if usage.get(name) is not None}
    fresh, cached, written, reply = (counted.get(name, 0) for name in _COUNTS)
    prompt = fresh + cached + written
    return Usage(prompt, reply, cached, written) if prompt else None
