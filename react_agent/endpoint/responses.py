"""OpenAI's responses, which know no stop."""

from collections.abc import Iterator
from typing import Any

from react_agent.endpoint.exchange import (
    Api,
    Event,
    NotUnderstood,
    Object,
    Said,
    Wanted,
    conversation,
    model_of,
)


def _wanted(request: Object) -> Wanted:
    if "input" not in request:
        raise NotUnderstood("there is no input")
    given = request["input"]
    messages = [{"role": "user", "content": given}] if isinstance(given, str) else given
    prompt = conversation(messages, request.get("instructions") or "")
    return Wanted(model_of(request), prompt, (), bool(request.get("stream")))


def _whole(said: Said) -> Object:
    done = {"status": "completed", "output": [_message(said)], "usage": _usage(said)}
    return {**_head(said), **done}


def _events(said: Said) -> Iterator[Event]:
    for number, (name, data) in enumerate(_named(said)):
        yield Event({"type": name, "sequence_number": number, **data}, name)


def _named(said: Said) -> Iterator[tuple[str, dict[str, Any]]]:
    message = _message(said)
    place = {"item_id": message["id"], "output_index": 0, "content_index": 0}
    begun = {**message, "status": "in_progress", "content": []}
    yield "response.created", {"response": _head(said)}
    yield "response.output_item.added", {"output_index": 0, "item": begun}
    yield "response.content_part.added", {**place, "part": _part("")}
    for piece in said.pieces:
        yield "response.output_text.delta", {**place, "delta": piece, "logprobs": []}
    yield "response.output_text.done", {**place, "text": said.text, "logprobs": []}
    yield "response.content_part.done", {**place, "part": _part(said.text)}
    yield "response.output_item.done", {"output_index": 0, "item": message}
    yield "response.completed", {"response": _whole(said)}


def _head(said: Said) -> dict[str, Any]:
    return {
        "id": f"byhand-{said.number}",
        "object": "response",
        "created_at": 0,
        "model": said.wanted.model,
        "status": "in_progress",
        "error": None,
        "incomplete_details": None,
        "output": [],
        "parallel_tool_calls": False,
        "tool_choice": "none",
        "tools": [],
        "usage": None,
    }


def _message(said: Said) -> dict[str, Any]:
    return {
        "id": f"byhand-{said.number}-message",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [_part(said.text)],
    }


def _part(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _usage(said: Said) -> dict[str, Any]:
    prompt, reply = said.counts
    return {
        "input_tokens": prompt,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": reply,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": prompt + reply,
    }


RESPONSES = Api(_wanted, _whole, _events)
