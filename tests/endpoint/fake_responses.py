"""OpenAI's responses, whole and streamed. They know no stop."""

from collections.abc import Iterator
from typing import Any

import fake_chat
from fake_reply import Event, Said, closing, typed

INCOMPLETE = {
    "length": "max_output_tokens",
    "max_tokens": "max_output_tokens",
    "max_output_tokens": "max_output_tokens",
    "model_context_window_exceeded": "max_output_tokens",
    "content_filter": "content_filter",
}


def whole(said: Said) -> dict[str, Any]:
    items = [*_thought_items(said), *_message_items(said)]
    incomplete = INCOMPLETE.get(said.end)
    ending = {
        "status": "incomplete" if incomplete else "completed",
        "incomplete_details": {"reason": incomplete} if incomplete else None,
        "output": items,
    }
    return {**_head(said), **ending, "usage": None if said.reply.no_usage else _usage(said)}


def events(said: Said) -> Iterator[Event]:
    for sequence, event in enumerate(_events(said)):
        yield _numbered(event, sequence)


def failed(said: Said) -> Event:
    error = fake_chat.error(said.reply)["error"]
    told = {"code": error["code"] or "server_error", "message": error["message"]}
    response = {**_head(said), "status": "failed", "error": told}
    return _numbered(typed("response.failed", response=response), 99)


def stream_error(said: Said) -> Event:
    told = fake_chat.error(said.reply)["error"]
    event = typed("error", **{name: told[name] for name in ("code", "message", "param")})
    return Event(said.reply.error_body, "error") if said.reply.error_body else _numbered(event, 99)


def _numbered(event: Event, sequence: int) -> Event:
    return event._replace(data={**event.data, "sequence_number": sequence})


def _events(said: Said) -> Iterator[Event]:
    yield typed("response.created", response=_head(said))
    yield typed("response.in_progress", response=_head(said))
    if said.thoughts:
        yield from _thinking(said)
    if said.pieces or said.reply.refusal:
        yield from _speaking(said, {"item_id": f"msg_{said.number}", "output_index": _index(said)})
    response = whole(said)
    yield closing(f"response.{response['status']}", response=response)


def _thinking(said: Said) -> Iterator[Event]:
    [item] = _thought_items(said)
    place = {"item_id": item["id"], "output_index": 0, "summary_index": 0}
    part = item["summary"][0]
    yield typed("response.output_item.added", output_index=0, item={**item, "summary": []})
    yield typed("response.reasoning_summary_part.added", **place, part={**part, "text": ""})
    for thought in said.thoughts:
        event = typed("response.reasoning_summary_text.delta", **place, delta=thought)
        yield event._replace(delta=True)
    yield typed("response.reasoning_summary_text.done", **place, text=part["text"])
    yield typed("response.reasoning_summary_part.done", **place, part=part)
    yield typed("response.output_item.done", output_index=0, item=item)


def _speaking(said: Said, item_place: dict[str, Any]) -> Iterator[Event]:
    [item] = _message_items(said)
    begun = {**item, "status": "in_progress", "content": []}
    index = item_place["output_index"]
    yield typed("response.output_item.added", output_index=index, item=begun)
    for number, part in enumerate(item["content"]):
        yield from _part(said, part, {**item_place, "content_index": number})
    yield closing("response.output_item.done", output_index=index, item=item)


def _part(said: Said, part: dict[str, Any], place: dict[str, Any]) -> Iterator[Event]:
    if part["type"].removeprefix("output_") == "refusal":
        yield closing("response.content_part.added", **place, part={**part, "refusal": ""})
        yield closing("response.refusal.delta", **place, delta=part["refusal"])
        yield closing("response.refusal.done", **place, refusal=part["refusal"])
    else:
        yield typed("response.content_part.added", **place, part={**part, "text": ""})
        for piece in said.pieces:
            event = typed("response.output_text.delta", **place, delta=piece, logprobs=[])
            yield event._replace(delta=True, text=piece)
        yield closing("response.output_text.done", **place, text=said.text, logprobs=[])
    yield closing("response.content_part.done", **place, part=part)


def _head(said: Said) -> dict[str, Any]:
    return {
        "id": f"resp_{said.number}",
        "object": "response",
        "created_at": 0,
        "model": said.model,
        "status": "in_progress",
        "error": None,
        "incomplete_details": None,
        "output": [],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": None,
    }


def _index(said: Said) -> int:
    return 1 if said.thoughts else 0


def _thought_items(said: Said) -> list[dict[str, Any]]:
    summary = [{"type": "summary_text", "text": said.reply.reasoning}]
    item = {"id": f"rs_{said.number}", "type": "reasoning", "summary": summary}
    return [item] if said.thoughts else []


def _message_items(said: Said) -> list[dict[str, Any]]:
    text = {"type": "output_text", "text": said.text, "annotations": [], "logprobs": []}
    refusal = {"type": "refusal", "refusal": said.reply.refusal}
    content = [*([text] if said.pieces else []), *([refusal] if said.reply.refusal else [])]
    item = {
        "id": f"msg_{said.number}",
        "type": "message",
        "role": "assistant",
        "status": "incomplete" if said.end in INCOMPLETE else "completed",
        "content": content,
    }
    return [item] if content else []


def _usage(said: Said) -> dict[str, Any]:
    details = {"cached_tokens": said.reply.cached, "cache_write_tokens": said.reply.written}
    return {
        "input_tokens": said.prompt_tokens,
        "input_tokens_details": details,
        "output_tokens": said.reply_tokens,
        "output_tokens_details": {"reasoning_tokens": -(-len(said.reply.reasoning) // 4)},
        "total_tokens": said.prompt_tokens + said.reply_tokens,
    }
