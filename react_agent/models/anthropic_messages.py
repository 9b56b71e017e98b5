"""Anthropic's messages, and what speaks like them."""

from collections.abc import Callable, Mapping
from typing import Any

import anthropic

from react_agent.models.contract import Usage, Why
from react_agent.models.endpoint import Endpoint
from react_agent.models.layout import Message, cue, messages, system
from react_agent.models.sdk_faults import NO_KEY, PATIENCE, faults_of, http, timeout
from react_agent.models.wire import Ask, End, Failed, Fault, Piece, Pieces

_ENDS = {
    "end_turn": Why.END,
    "stop_sequence": Why.STOP,
    "max_tokens": Why.LENGTH,
    "model_context_window_exceeded": Why.CONTEXT,
    "refusal": Why.REFUSAL,
}
_MARK = {"type": "ephemeral"}


def client(
    endpoint: Endpoint, announced: Callable[[Mapping[str, str]], None]
) -> anthropic.Anthropic:
    key = endpoint.key or NO_KEY
    return anthropic.Anthropic(
        api_key=key,
        base_url=endpoint.base_url,
        max_retries=0,
        # What only speaks like Anthropic may know the older header alone.
        default_headers={} if endpoint.is_ours else {"x-api-key": key},
        http_client=http(endpoint, announced),
        open_telemetry=False,
    )


class AnthropicMessages:
    goes_on = False

    def __init__(self, model: str, client: anthropic.Anthropic) -> None:
        self.model = model
        self.client = client

    def pieces(self, ask: Ask) -> Pieces:
        with faults_of(anthropic):
            if not ask.manner.stream:
                yield from _whole(self.client.messages.create(**self._request(ask)))
                return
            with self.client.messages.create(**self._request(ask), stream=True) as stream:
                counted: dict[str, int] = {}
                for event in stream:
                    yield from _pieces(event, counted)

    def window(self) -> int | None:
        with faults_of(anthropic):
            found = self.client.models.retrieve(self.model, timeout=PATIENCE)
        size = getattr(found, "max_input_tokens", None)
        return size if isinstance(size, int) and size > 0 else None

    def _request(self, ask: Ask) -> dict[str, Any]:
        manner = ask.manner
        begun = ask.begun or (cue() if manner.prefill else "")
        request = {
            "model": self.model,
            "max_tokens": ask.room,
            "system": [_block(system(ask.view), mark=manner.cache)],
            "messages": _messages(messages(ask.view, begun), mark=manner.cache),
            "timeout": timeout(ask),
        }
        request |= {"stop_sequences": list(ask.stop)} if ask.stop else {}
        body: dict[str, Any] = {}
        if manner.sampling and manner.temperature is not None:
            body["temperature"] = manner.temperature
        if manner.thinking == "off":
            request["thinking"] = {"type": "disabled"}
        elif manner.thinking:
            body["output_config"] = {"effort": manner.thinking}
        return request | ({"extra_body": body} if body else {})


def _messages(said: tuple[Message, ...], *, mark: bool) -> list[dict[str, Any]]:
    """The last text that stays is marked: the next request finds it in the cache."""
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


def _pieces(event: Any, counted: dict[str, int]) -> Pieces:
    match event.type:
        case "message_start":
            _count(counted, event.message.usage)
            yield Piece(usage=_usage(counted))  # all there is if we hang up
        case "content_block_start" if event.content_block.type == "text":
            if event.content_block.text:
                yield Piece(event.content_block.text)
        case "content_block_start":
            yield Piece(reasoned=True)
        case "content_block_delta" if event.delta.type == "text_delta":
            yield Piece(event.delta.text)
        case "message_delta":
            _count(counted, event.usage)
            reason = event.delta.stop_reason
            end = _end(reason, event.delta.stop_sequence, event.delta) if reason else None
            yield Piece(usage=_usage(counted), end=end)


def _whole(message: Any) -> Pieces:
    if getattr(message, "content", None) is None:
        raise Fault(Failed.STRANGE, "the answer is no message")
    text = "".join(block.text for block in message.content if block.type == "text")
    counted: dict[str, int] = {}
    _count(counted, message.usage)
    reasoned = any(block.type != "text" for block in message.content)
    reason = message.stop_reason
    end = _end(reason, message.stop_sequence, message) if reason else None
    yield Piece(text, reasoned, _usage(counted), end)


def _end(reason: str, stop_hit: str | None, said: Any) -> End:
    details = getattr(said, "stop_details", None)
    category = getattr(details, "category", None)
    raw = f"{reason} ({category})" if category else reason
    return End(_ENDS.get(reason, Why.END), raw, stop_hit)


_COUNTS = (
    "input_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
    "output_tokens",
)


def _count(counted: dict[str, int], usage: Any) -> None:
    for name in _COUNTS:
        value = getattr(usage, name, None)
        if value is not None:
            counted[name] = value


def _usage(counted: dict[str, int]) -> Usage | None:
    fresh, cached, written, reply = (counted.get(name, 0) for name in _COUNTS)
    prompt = fresh + cached + written
    return Usage(prompt, reply, cached, written) if prompt else None
