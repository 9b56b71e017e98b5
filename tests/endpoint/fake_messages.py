"""Anthropic's messages, whole and streamed."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from fake_reply import Event, Reply, Said, closing, typed

REASONS = {
    "end": "end_turn",
    "stop": "stop_sequence",
    "length": "max_tokens",
    "content_filter": "refusal",
}
TYPES = {
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}


def whole(said: Said) -> dict[str, Any]:
    return {**_message(said), **_ending(said), "content": _content(said), "usage": _usage(said)}


def events(said: Said) -> Iterator[Event]:
    opening = {**_usage(said), "output_tokens": 0 if said.reply.no_usage else 1}
    yield typed("message_start", message={**_message(said), "usage": opening})
    yield typed("ping")
    index = 0
    if said.thoughts:
        yield from _thinking(said)
        index = 1
    if said.pieces:
        yield typed("content_block_start", index=index, content_block=_text_block(""))
        for piece in said.pieces:
            delta = {"type": "text_delta", "text": piece}
            yield _delta(index, delta)._replace(text=piece)
        yield closing("content_block_stop", index=index)
    yield closing("message_delta", delta=_ending(said), usage=_usage(said))
    yield closing("message_stop")


def error(reply: Reply) -> dict[str, Any]:
    status = 529 if reply.status < 400 else reply.status
    kind = reply.type or TYPES.get(status, "invalid_request_error" if status < 500 else "api_error")
    details = {"details": {"error_code": reply.code}} if reply.code else {}
    body = {"type": kind, "message": reply.error or _phrase(status), **details}
    return {"type": "error", "error": body, "request_id": "req_fake"}


def stream_error(said: Said) -> Event:
    return Event(said.reply.error_body or error(said.reply), "error")


def _phrase(status: int) -> str:
    return "Overloaded" if status == 529 else HTTPStatus(status).phrase


def _message(said: Said) -> dict[str, Any]:
    return {
        "id": f"msg_{said.number}",
        "type": "message",
        "role": "assistant",
        "model": said.model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
    }


def _content(said: Said) -> list[dict[str, Any]]:
    thought = {"type": "thinking", "thinking": said.reply.reasoning, "signature": "signed"}
    return [
        *([thought] if said.thoughts else []),
        *([_text_block(said.text)] if said.pieces else []),
    ]


def _text_block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _ending(said: Said) -> dict[str, Any]:
    reason = REASONS.get(said.end, said.end)
    ending = {
        "stop_reason": reason,
        "stop_sequence": said.stop if reason == "stop_sequence" else None,
    }
    if said.reply.refusal or said.reply.category:
        explanation = said.reply.refusal or None
        details = {"type": "refusal", "category": said.reply.category, "explanation": explanation}
        return {**ending, "stop_details": details}
    return ending


def _usage(said: Said) -> dict[str, int]:
    cached, written = said.reply.cached, said.reply.written
    usage = {
        "input_tokens": said.prompt_tokens - cached - written,
        "cache_creation_input_tokens": written,
        "cache_read_input_tokens": cached,
        "output_tokens": said.reply_tokens,
    }
    return dict.fromkeys(usage, 0) if said.reply.no_usage else usage


def _thinking(said: Said) -> Iterator[Event]:
    block = {"type": "thinking", "thinking": "", "signature": ""}
    yield typed("content_block_start", index=0, content_block=block)
    for thought in said.thoughts:
        yield _delta(0, {"type": "thinking_delta", "thinking": thought})
    yield typed(
        "content_block_delta", index=0, delta={"type": "signature_delta", "signature": "signed"}
    )
    yield typed("content_block_stop", index=0)


def _delta(index: int, delta: dict[str, str]) -> Event:
    return typed("content_block_delta", index=index, delta=delta)._replace(delta=True)
