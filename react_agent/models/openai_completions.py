"""`/v1/completions`: one string that grows, and is gone on with."""

from typing import Any

import openai

from react_agent.models.layout import prompt
from react_agent.models.openai_chat import ending
from react_agent.models.openai_request import usage_of, window_of
from react_agent.models.sdk_faults import error_in, faults_of, timeout
from react_agent.models.wire import Ask, End, Failed, Fault, Piece, Pieces


class OpenaiCompletions:
    goes_on = True

    def __init__(self, model: str, client: openai.OpenAI) -> None:
        self.model = model
        self.client = client

    def pieces(self, ask: Ask) -> Pieces:
        with faults_of(openai):
            if not ask.manner.stream:
                answer = self.client.completions.create(**self._request(ask))
                if fault := error_in(answer):
                    raise fault
                if not getattr(answer, "choices", None):
                    raise Fault(Failed.STRANGE, "the answer has no choice")
                yield from _pieces(answer, "stop")
                return
            with self.client.completions.create(**self._request(ask), stream=True) as stream:
                for chunk in stream:
                    if fault := error_in(chunk):
                        raise fault
                    yield from _pieces(chunk, None)

    def window(self) -> int | None:
        return window_of(self.client, self.model)

    def _request(self, ask: Ask) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self.model,
            "prompt": prompt(ask.view, ask.begun),
            "max_tokens": ask.room,
            "timeout": timeout(ask),
        }
        if ask.stop:
            request["stop"] = list(ask.stop)
        if ask.manner.stream and ask.manner.usage:
            request["stream_options"] = {"include_usage": True}
        if ask.manner.sampling and ask.manner.temperature is not None:
            request["temperature"] = ask.manner.temperature
        return request


def _pieces(answer: Any, default: str | None) -> Pieces:
    """`default`: the reason of an answer that gives none and is whole."""
    if answer.usage:
        yield Piece(usage=usage_of(answer.usage))
    for choice in answer.choices or ():
        reason = choice.finish_reason or default
        yield Piece(choice.text or "", end=End(*ending(reason, choice)) if reason else None)
