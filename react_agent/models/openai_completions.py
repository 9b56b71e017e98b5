"""`/v1/completions`: one string that grows, and is gone on with."""

from typing import Any

import openai

from react_agent.models.answers import Object, pieces_of
from react_agent.models.layout import prompt
from react_agent.models.openai_request import (
    choices_of,
    common,
    ending,
    faults,
    usage_of,
    window_of,
)
from react_agent.models.wire import Ask, Piece, Pieces


class OpenaiCompletions:
    goes_on = True

    def __init__(self, model: str, client: openai.OpenAI) -> None:
        self.model = model
        self.client = client

    def pieces(self, ask: Ask) -> Pieces:
        create = self.client.completions.with_streaming_response.create
        with faults(), create(**self._request(ask)) as answer:
            yield from pieces_of(answer, streamed=_pieces, whole=_whole)

    def window(self) -> int | None:
        return window_of(self.client, self.model)

    def _request(self, ask: Ask) -> dict[str, Any]:
        return common(ask) | {
            "model": self.model,
            "prompt": prompt(ask.view, ask.begun),
            "max_tokens": ask.room,
        }


def _pieces(answer: Object, default: str | None = None) -> Pieces:
    """`default`: the reason of an answer that gives none and is whole."""
    if counted := answer.get("usage"):
        yield Piece(usage=usage_of(counted))
    for choice in answer.get("choices") or ():
        yield Piece(choice.get("text") or "", end=ending(choice, default))


def _whole(answer: Object) -> Pieces:
    choices_of(answer)
    return _pieces(answer, "stop")
