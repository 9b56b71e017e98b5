"""OpenAI's chat and the older completions."""

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
    stops_of,
    text_of,
)

_DONE = Event("[DONE]")


def _wanted_of_chat(request: Object) -> Wanted:
    return _wanted(request, conversation(request.get("messages")))


def _wanted_of_completion(request: Object) -> Wanted:
    if "prompt" not in request:
        raise NotUnderstood("there is no prompt")
    return _wanted(request, text_of(request["prompt"]))


def _wanted(request: Object, prompt: str) -> Wanted:
    stops, streamed = stops_of(request.get("stop")), bool(request.get("stream"))
    return Wanted(model_of(request), prompt, stops, streamed)


def _chat(said: Said) -> Object:
    message = {"role": "assistant", "content": said.text, "refusal": None}
    return _whole(said, "chat.completion", {"message": message})


def _completion(said: Said) -> Object:
    return _whole(said, "text_completion", {"text": said.text})


def _chat_events(said: Said) -> Iterator[Event]:
    kind = "chat.completion.chunk"
    yield _piece(said, kind, {"delta": {"role": "assistant", "content": ""}})
    for piece in said.pieces:
        yield _piece(said, kind, {"delta": {"content": piece}})
    yield from _last(said, kind, {"delta": {}})


def _completion_events(said: Said) -> Iterator[Event]:
    kind = "text_completion"
    for piece in said.pieces:
        yield _piece(said, kind, {"text": piece})
    yield from _last(said, kind, {"text": ""})


def _piece(said: Said, kind: str, choice: Object, end: str | None = None) -> Event:
    return Event({**_head(said, kind), "choices": [_choice(choice, end)]})


def _last(said: Said, kind: str, choice: Object) -> Iterator[Event]:
    yield _piece(said, kind, choice, "stop")
    yield Event({**_head(said, kind), "choices": [], "usage": _usage(said)})
    yield _DONE


def _whole(said: Said, kind: str, choice: Object) -> Object:
    return {**_head(said, kind), "choices": [_choice(choice, "stop")], "usage": _usage(said)}


def _choice(choice: Object, end: str | None) -> dict[str, Any]:
    return {"index": 0, **choice, "logprobs": None, "finish_reason": end}


def _head(said: Said, kind: str) -> dict[str, Any]:
    name = f"byhand-{said.number}"
    return {"id": name, "object": kind, "created": 0, "model": said.wanted.model}


def _usage(said: Said) -> dict[str, int]:
    prompt, reply = said.counts
    return {
        "prompt_tokens": prompt,
        "completion_tokens": reply,
        "total_tokens": prompt + reply,
    }


CHAT = Api(_wanted_of_chat, _chat, _chat_events)
COMPLETIONS = Api(_wanted_of_completion, _completion, _completion_events)
