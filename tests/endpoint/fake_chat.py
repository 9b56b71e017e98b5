"""OpenAI's chat and its older completions, whole and streamed."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from fake_reply import Event, Reply, Said

REASONS = {
    "end": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "content_filter",
}
TYPES = {403: "permission_error", 429: "requests"}
CODES = {429: "rate_limit_exceeded"}


def chat(said: Said) -> dict[str, Any]:
    message: dict[str, Any] = {
        "role": "assistant",
        "content": None if said.reply.content_none else said.text,
        "refusal": said.reply.refusal or None,
    }
    if said.reply.reasoning:
        message[said.reply.reasoning_field] = said.reply.reasoning
    return _whole(said, "chat.completion", {"message": message})


def completion(said: Said) -> dict[str, Any]:
    return _whole(said, "text_completion", {"text": said.text})


def chat_events(said: Said) -> Iterator[Event]:
    opening = None if said.reply.content_none else ""
    yield _delta(said, {"role": "assistant", "content": opening})
    for thought in said.thoughts:
        yield _delta(said, {said.reply.reasoning_field: thought})._replace(delta=True)
    for piece in said.pieces:
        yield _delta(said, {"content": piece})._replace(delta=True, text=piece)
    if said.reply.refusal:
        yield _delta(said, {"refusal": said.reply.refusal})._replace(delta=True, closing=True)
    yield from _closing(said, "chat.completion.chunk", {"delta": {}})


def completion_events(said: Said) -> Iterator[Event]:
    for piece in said.pieces:
        choice = {"index": 0, "text": piece, "logprobs": None, "finish_reason": None}
        data = {**_head(said, "text_completion"), "choices": [choice], **_no_usage_yet(said)}
        yield Event(data, text=piece, delta=True)
    yield from _closing(said, "text_completion", {"text": ""})


def error(reply: Reply) -> dict[str, Any]:
    status = 500 if reply.status < 400 else reply.status
    kind = "server_error" if status >= 500 else TYPES.get(status, "invalid_request_error")
    body = {
        "message": reply.error or ("Overloaded" if status == 529 else HTTPStatus(status).phrase),
        "type": reply.type or kind,
        "param": reply.param,
        "code": reply.code or CODES.get(status),
    }
    return {"error": body}


def stream_error(said: Said) -> Event:
    return Event(said.reply.error_body or error(said.reply))


def _whole(said: Said, kind: str, choice: dict[str, Any]) -> dict[str, Any]:
    usage = {} if said.reply.no_usage else {"usage": _usage(said)}
    return {**_head(said, kind), "choices": [_last_choice(said, choice)], **usage}


def _head(said: Said, kind: str) -> dict[str, Any]:
    return {"id": f"cmpl-{said.number}", "object": kind, "created": 0, "model": said.model}


def _delta(said: Said, delta: dict[str, Any]) -> Event:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": None}
    head = _head(said, "chat.completion.chunk")
    return Event({**head, "choices": [choice], **_no_usage_yet(said)})


def _closing(said: Said, kind: str, choice: dict[str, Any]) -> Iterator[Event]:
    last = {**_head(said, kind), "choices": [_last_choice(said, choice)], **_no_usage_yet(said)}
    yield Event(last, closing=True)
    if said.with_usage and not said.reply.no_usage:
        yield Event({**_head(said, kind), "choices": [], "usage": _usage(said)}, closing=True)
    yield Event("[DONE]", closing=True)


def _last_choice(said: Said, choice: dict[str, Any]) -> dict[str, Any]:
    told = {"stop_reason": said.stop} if said.reply.tell_stop else {}
    reason = REASONS.get(said.end, said.end)
    return {"index": 0, **choice, "logprobs": None, "finish_reason": reason, **told}


def _no_usage_yet(said: Said) -> dict[str, None]:
    return {"usage": None} if said.with_usage else {}


def _usage(said: Said) -> dict[str, Any]:
    return {
        "prompt_tokens": said.prompt_tokens,
        "completion_tokens": said.reply_tokens,
        "total_tokens": said.prompt_tokens + said.reply_tokens,
        "prompt_tokens_details": {
            "cached_tokens": said.reply.cached,
            "cache_write_tokens": said.reply.written,
        },
        "completion_tokens_details": {"reasoning_tokens": -(-len(said.reply.reasoning) // 4)},
    }
