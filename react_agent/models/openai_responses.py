"""OpenAI's responses, for models that have nothing else. They know no stop."""

from typing import Any

import openai

from react_agent.models.answers import Object, pieces_of
from react_agent.models.contract import Why
from react_agent.models.layout import Message, messages, system
from react_agent.models.openai_request import faults, usage_of, window_of
from react_agent.models.sdk_faults import timeout
from react_agent.models.wire import Ask, End, Failed, Fault, Piece, Pieces

_CUT = {"max_output_tokens": Why.LENGTH, "content_filter": Why.REFUSAL}


class OpenaiResponses:
    goes_on = False

    def __init__(self, model: str, client: openai.OpenAI, *, session: str = "") -> None:
        self.model = model
        self.client = client
        self.session = session

    def pieces(self, ask: Ask) -> Pieces:
        create = self.client.responses.with_streaming_response.create
        with faults(), create(**self._request(ask)) as answer:
            yield from pieces_of(answer, streamed=_pieces, whole=_whole)

    def window(self) -> int | None:
        return window_of(self.client, self.model)

    def _request(self, ask: Ask) -> dict[str, Any]:
        manner = ask.manner
        request: dict[str, Any] = {
            "model": self.model,
            "instructions": system(ask.view),
            "extra_body": {"input": [_message(one) for one in messages(ask.view)]},
            "max_output_tokens": ask.room,
            "store": False,
            "stream": manner.stream,
            "timeout": timeout(ask),
        }
        if manner.heat is not None:
            request["temperature"] = manner.heat
        if manner.effort:
            request["reasoning"] = {"effort": manner.effort}
        if manner.cache and self.session:
            request["prompt_cache_key"] = self.session
        return request


def _message(message: Message) -> dict[str, Any]:
    """What changes is a part of its own."""
    if not message.volatile:
        return {"role": message.role, "content": message.text}
    texts = (message.text, message.volatile)
    return {
        "role": message.role,
        "content": [{"type": "input_text", "text": text} for text in texts],
    }


def _pieces(event: Object) -> Pieces:
    match event:
        case {"type": "response.output_text.delta", "delta": text}:
            yield Piece(text)
        case {
            "type": "response.completed" | "response.incomplete" | "response.failed",
            "response": answer,
        }:
            yield from _ended(answer)
        case {"type": "error"}:
            code = event.get("code") or ""
            raise Fault(Failed.BROKEN, event.get("message") or "", code=code)
        case {"type": str(kind)} if "reasoning" in kind:
            yield Piece(reasoned=True)


def _whole(answer: Object) -> Pieces:
    yield from _ended(answer)  # first: nobody listens beyond a stop in the text
    yield Piece("".join(part["text"] for part in _parts(answer, "output_text")))


def _ended(answer: Object) -> Pieces:
    """Whole, or cut short; a refusal is a part of the output."""
    if error := answer.get("error"):
        raise Fault(Failed.BROKEN, error.get("message") or "", code=error.get("code") or "")
    if "output" not in answer and not answer.get("status"):
        raise Fault(Failed.STRANGE, "the answer is no response")
    counted = answer.get("usage")
    usage = usage_of(counted) if counted else None
    if reason := (answer.get("incomplete_details") or {}).get("reason"):
        yield Piece(usage=usage, end=End(_CUT.get(reason, Why.CUT), reason))
        return
    why = Why.REFUSAL if _parts(answer, "refusal") else Why.END
    reasoned = any(item.get("type") == "reasoning" for item in answer.get("output") or ())
    yield Piece(reasoned=reasoned, usage=usage, end=End(why, answer.get("status") or "completed"))


def _parts(answer: Object, kind: str) -> list[Object]:
    contents = (item.get("content") or () for item in answer.get("output") or ())
    return [part for content in contents for part in content if part.get("type") == kind]
