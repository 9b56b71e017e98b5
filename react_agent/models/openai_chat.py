"""OpenAI's chat, and the many servers that speak like it."""

from typing import Any

import openai

from react_agent.models.answers import Object, pieces_of
from react_agent.models.contract import Why
from react_agent.models.layout import Message, messages, system
from react_agent.models.openai_request import (
    choices_of,
    common,
    ending,
    faults,
    usage_of,
    window_of,
)
from react_agent.models.wire import Ask, End, Piece, Pieces

_REASONED = ("reasoning_content", "reasoning")  # where servers put what is not said
_REFUSED = End(Why.REFUSAL, "refusal")


class OpenaiChat:
    goes_on = False

    def __init__(self, model: str, client: openai.OpenAI, *, session: str = "") -> None:
        self.model = model
        self.client = client
        self.session = session  # a key for the cache, where the endpoint takes one

    def pieces(self, ask: Ask) -> Pieces:
        create = self.client.chat.completions.with_streaming_response.create
        with faults(), create(**self._request(ask)) as answer:
            yield from pieces_of(answer, streamed=_pieces, whole=_whole)

    def window(self) -> int | None:
        return window_of(self.client, self.model)

    def _request(self, ask: Ask) -> dict[str, Any]:
        manner = ask.manner
        written = _messages(ask, messages(ask.view, ask.start))
        request = common(ask) | {
            "model": self.model,
            "messages": [],
            manner.tokens: ask.room,
            "extra_body": {"messages": written},  # the SDK would look through all of them
        }
        if manner.effort:
            request["reasoning_effort"] = manner.effort
        if manner.cache and self.session:
            request["prompt_cache_key"] = self.session
        return request


def _messages(ask: Ask, said: tuple[Message, ...]) -> list[dict[str, Any]]:
    rules = system(ask.view)
    if not ask.manner.system:
        first, *others = said
        said = (Message(first.role, f"{rules}\n\n{first.text}", first.volatile), *others)
    written = [{"role": one.role, "content": _content(one, ask.manner.parts)} for one in said]
    return [{"role": "system", "content": rules}, *written] if ask.manner.system else written


def _content(message: Message, parts: bool) -> str | list[dict[str, str]]:
    if not message.volatile:
        return message.text
    texts = (message.text, message.volatile)
    return [{"type": "text", "text": text} for text in texts] if parts else "\n".join(texts)


def _pieces(chunk: Object) -> Pieces:
    if counted := chunk.get("usage"):
        yield Piece(usage=usage_of(counted))
    for choice in chunk.get("choices") or ():
        delta = choice.get("delta") or {}
        end = _REFUSED if delta.get("refusal") else ending(choice)
        yield Piece(delta.get("content") or "", _reasons(delta), end=end)


def _whole(answer: Object) -> Pieces:
    choice, *_ = choices_of(answer)
    said = choice["message"]
    end = _REFUSED if said.get("refusal") else ending(choice, "stop")
    counted = answer.get("usage")
    usage = usage_of(counted) if counted else None
    yield Piece(said.get("content") or "", _reasons(said), usage, end)


def _reasons(said: Object) -> bool:
    return any(said.get(name) for name in _REASONED)
