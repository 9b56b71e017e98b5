"""Anthropic's messages."""

from collections.abc import Iterator
from typing import Any

from react_agent.endpoint.exchange import (
    Api,
    Event,
    Object,
    Said,
    Wanted,
    conversation,
    model_of,
    stops_of,
)


def _wanted(request: Object) -> Wanted:
    prompt = conversation(request.get("messages"), request.get("system", ""))
    stops, streamed = stops_of(request.get("stop_sequences")), bool(request.get("stream"))
    return Wanted(model_of(request), prompt, stops, streamed)


def _whole(said: Said) -> Object:
    return {**_head(said), **_ending(said), "content": [_block(said.text)], "usage": _usage(said)}


def _events(said: Said) -> Iterator[Event]:
    begun = {**_head(said), "content": [], "stop_reason": None, "stop_sequence": None}
    yield _event("message_start", message={**begun, "usage": _usage(said)})
    yield _event("content_block_start", index=0, content_block=_block(""))
    for piece in said.pieces:
        yield _event("content_block_delta", index=0, delta={"type": "text_delta", "text": piece})
    yield _event("content_block_stop", index=0)
    yield _event("message_delta", delta=_ending(said), usage=_usage(said))
    yield _event("message_stop")


def _head(said: Said) -> dict[str, Any]:
    name = f"byhand-{said.number}"
    return {"id": name, "type": "message", "role": "assistant", "model": said.wanted.model}


def _ending(said: Said) -> dict[str, str | None]:
    reason = "end_turn" if said.stop_hit is None else "stop_sequence"
    return {"stop_reason": reason, "stop_sequence": said.stop_hit}


def _block(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


def _usage(said: Said) -> dict[str, int]:
    prompt, reply = said.counts
    return {
        "input_tokens": prompt,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "output_tokens": reply,
    }


def _event(name: str, **data: Any) -> Event:
    return Event({"type": name, **data}, name)


MESSAGES = Api(_wanted, _whole, _events)
