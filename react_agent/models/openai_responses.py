"""OpenAI's responses, for models that have nothing else. They know no stop."""

from typing import Any

import openai

from react_agent.models.contract import Why
from react_agent.models.layout import messages, system
from react_agent.models.openai_request import usage_of, window_of
from react_agent.models.sdk_faults import faults_of, timeout
from react_agent.models.wire import Ask, End, Failed, Fault, Piece, Pieces

_CUT = {"max_output_tokens": Why.LENGTH, "content_filter": Why.REFUSAL}


class OpenaiResponses:
    goes_on = False

    def __init__(self, model: str, client: openai.OpenAI, *, session: str = "") -> None:
        self.model = model
        self.client = client
        self.session = session

    def pieces(self, ask: Ask) -> Pieces:
        with faults_of(openai):
            if not ask.manner.stream:
                answer = self.client.responses.create(**self._request(ask))
                yield Piece(getattr(answer, "output_text", ""))
                yield from _ended(answer)
                return
            with self.client.responses.create(**self._request(ask), stream=True) as stream:
                for event in stream:
                    yield from _pieces(event)

    def window(self) -> int | None:
        return window_of(self.client, self.model)

    def _request(self, ask: Ask) -> dict[str, Any]:
        manner = ask.manner
        request: dict[str, Any] = {
            "model": self.model,
            "instructions": system(ask.view),
            "input": [
                {"role": one.role, "content": "\n".join(filter(None, (one.text, one.volatile)))}
                for one in messages(ask.view)
            ],
            "max_output_tokens": ask.room,
            "store": False,
            "timeout": timeout(ask),
        }
        if manner.sampling and manner.temperature is not None:
            request["temperature"] = manner.temperature
        if manner.thinking:
            request["reasoning"] = {
                "effort": "none" if manner.thinking == "off" else manner.thinking
            }
        if manner.cache and self.session:
            request["prompt_cache_key"] = self.session
        return request


def _pieces(event: Any) -> Pieces:
    match event.type:
        case "response.output_text.delta":
            yield Piece(event.delta)
        case "response.completed" | "response.incomplete" | "response.failed":
            yield from _ended(event.response)
        case "error":
            raise Fault(Failed.BROKEN, event.message or "", code=event.code or "")
        case kind if "reasoning" in kind:
            yield Piece(reasoned=True)


def _ended(answer: Any) -> Pieces:
    """Whole, or cut short; a refusal is a part of the output."""
    error = getattr(answer, "error", None)
    if error:
        raise Fault(Failed.BROKEN, error.message or "", code=error.code or "")
    if not getattr(answer, "output", None) and getattr(answer, "status", None) is None:
        raise Fault(Failed.STRANGE, "the answer is no response")
    usage = usage_of(answer.usage) if answer.usage else None
    details = getattr(answer, "incomplete_details", None)
    if details and details.reason:
        yield Piece(usage=usage, end=End(_CUT.get(details.reason, Why.CUT), details.reason))
        return
    refused = any(
        part.type == "refusal"
        for item in answer.output or ()
        for part in getattr(item, "content", None) or ()
    )
    why = Why.REFUSAL if refused else Why.END
    reasoned = any(item.type == "reasoning" for item in answer.output or ())
    yield Piece(reasoned=reasoned, usage=usage, end=End(why, answer.status or "completed"))
