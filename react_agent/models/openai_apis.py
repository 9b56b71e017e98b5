"""Clients for OpenAI's chat, completions, responses and embeddings APIs, and compatible servers.

The completions API takes one growing string and can continue a reply. The responses API accepts no
stop strings.
"""

import math
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import openai

from react_agent.errors import ModelError
from react_agent.models.connection import Connection
from react_agent.models.contract import Embedded, Usage, Why
from react_agent.models.endpoint import COMPLETIONS, OPENAI, RESPONSES, Endpoint
from react_agent.models.remedy import failure
from react_agent.models.sdk import (
    NO_KEY,
    PATIENCE,
    Object,
    answer_to,
    faults_of,
    http,
    object_of,
    pieces_of,
    timeout,
)
from react_agent.models.wire import (
    Ask,
    End,
    Failed,
    Fault,
    Message,
    Piece,
    Pieces,
    messages,
    prompt,
    system,
)
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.turn.shape import shape_of_a_turn

_ENDS = {
    "stop": Why.END,
    "length": Why.LENGTH,
    "max_tokens": Why.LENGTH,
    "content_filter": Why.REFUSAL,
    "refusal": Why.REFUSAL,
    "model_context_window_exceeded": Why.CONTEXT,
    "insufficient_system_resource": Why.CUT,  # of DeepSeek
}
_CUT = {"max_output_tokens": Why.LENGTH, "content_filter": Why.REFUSAL}  # of responses
_REFUSED = End(Why.REFUSAL, "refusal")
_WINDOWS = ("max_model_len", "context_length", "context_window", "max_context_length")


def client(endpoint: Endpoint) -> openai.OpenAI:
    return openai.OpenAI(
        api_key=endpoint.key or NO_KEY,
        base_url=endpoint.base_url,
        max_retries=0,
        http_client=http(endpoint),
    )


@dataclass(frozen=True, slots=True)
class OpenaiWire:
    kind: str
    model: str
    client: openai.OpenAI = field(repr=False)
    session: str = ""  # a key for the cache, where the endpoint takes one

    @property
    def goes_on(self) -> bool:
        return self.kind == COMPLETIONS

    def pieces(self, ask: Ask) -> Pieces:
        api = _APIS[self.kind]
        body = {"model": self.model, "stream": ask.manner.stream, **api.request(ask)}
        if ask.manner.heat is not None:
            body["temperature"] = ask.manner.heat
        if ask.manner.cache and self.session and not self.goes_on:
            body["prompt_cache_key"] = self.session
        with faults_of(openai), answer_to(self.client, api.path, body, timeout(ask)) as answer:
            yield from pieces_of(answer, streamed=api.streamed, whole=api.whole)

    def window(self) -> int | None:
        """Return the model's window if the server's list of models has it; OpenAI's does not."""
        with faults_of(openai):
            models = self.client.models.list(timeout=PATIENCE)
            found = next((one for one in models if one.id == self.model), None)
        extra = (found.model_extra if found else None) or {}
        sizes = (extra.get(name) for name in _WINDOWS)
        return next((size for size in sizes if isinstance(size, int) and size > 0), None)


def _stopped(ask: Ask, *, is_begun: bool) -> dict[str, Any]:
    """Return the request fields that only the chat and completions APIs accept."""
    manner = ask.manner
    request: dict[str, Any] = {"stop": list(ask.stop)} if ask.stop else {}
    if manner.stream and manner.usage:
        request["stream_options"] = {"include_usage": True}
    if manner.seed:
        request["seed"] = int(manner.seed)
    if ask.view.tools:
        request["grammar"] = shape_of_a_turn(ask.view.tools, is_begun=is_begun)
    return request


def _chat_request(ask: Ask) -> dict[str, Any]:
    manner, rules, said = ask.manner, system(ask.view), messages(ask.view, ask.start)
    if not manner.system:
        first, *others = said
        said = (Message(first.role, f"{rules}\n\n{first.text}", first.volatile), *others)
    written = [_message(one, "text" if manner.parts else "") for one in said]
    if manner.system and rules:
        written.insert(0, {"role": "system", "content": rules})
    return {
        **_stopped(ask, is_begun=manner.prefill),
        "messages": written,
        manner.tokens: ask.room,
        **({"reasoning_effort": manner.effort} if manner.effort else {}),
    }


def _message(message: Message, part: str) -> dict[str, Any]:
    """Return a message. Its volatile text is a separate part if the server accepts parts."""
    if not message.volatile:
        return {"role": message.role, "content": message.text}
    texts = (message.text, message.volatile)
    parts = [{"type": part, "text": text} for text in texts]
    return {"role": message.role, "content": parts if part else "\n".join(texts)}


def _choice_pieces(answer: Object, default: str | None = None) -> Pieces:
    """Yield the pieces of a chat or completion: of a complete response, or of a streamed chunk.

    `default` is set for a complete response, as its finish reason. Raises Fault without choices.
    """
    choices: list[Object] = answer.get("choices") or []
    if default and not choices:
        raise Fault(Failed.STRANGE, "the response has no choices")
    if counted := answer.get("usage"):
        yield Piece(usage=_usage_of(counted))
    for choice in choices:
        said = choice.get("message" if default else "delta") or {"content": choice.get("text")}
        end = _REFUSED if said.get("refusal") else _ending(choice, default)
        yield Piece(_text_in(said.get("content") or ""), end=end)


def _text_in(content: object) -> str:
    """Return the text of an answer, which some servers send as a list of parts. Raises Fault."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise Fault(Failed.STRANGE, "the content of the response is not text")
    texts = (part.get("text") for part in content if isinstance(part, dict))
    return "".join(text for text in texts if isinstance(text, str))


def _completion_request(ask: Ask) -> dict[str, Any]:
    fields = _stopped(ask, is_begun=True)
    return {**fields, "prompt": prompt(ask.view, ask.begun), "max_tokens": ask.room}


def _ending(choice: Object, default: str | None) -> End | None:
    """Return how an answer ended. Some servers also report which stop string was found."""
    reason, hit = choice.get("finish_reason") or default, choice.get("stop_reason")
    if reason == "stop" and isinstance(hit, str):
        return End(Why.STOP, reason, hit)
    return End(_ENDS.get(reason, Why.END), reason) if reason else None


def _response_request(ask: Ask) -> dict[str, Any]:
    effort = ask.manner.effort
    return {
        "instructions": system(ask.view),
        "input": [_message(one, "input_text") for one in messages(ask.view)],
        "max_output_tokens": ask.room,
        "store": False,
        **({"reasoning": {"effort": effort}} if effort else {}),
    }


def _response_pieces(event: Object) -> Pieces:
    match event:
        case {"type": "response.output_text.delta", "delta": text}:
            yield Piece(text)
        case {
            "type": "response.completed" | "response.incomplete" | "response.failed",
            "response": answer,
        }:
            yield _ended(answer)
        case {"type": "error"}:
            code = event.get("code") or ""
            raise Fault(Failed.BROKEN, event.get("message") or "", code=code)


def _response_whole(answer: Object) -> Pieces:
    yield _ended(answer)  # first, since nobody listens after a stop in the text
    yield Piece("".join(part["text"] for part in _parts(answer, "output_text")))


def _ended(answer: Object) -> Piece:
    """Return the last piece of a response: completed, cut short or refused. Raises Fault."""
    if error := answer.get("error"):
        raise Fault(Failed.BROKEN, error.get("message") or "", code=error.get("code") or "")
    if "output" not in answer and not answer.get("status"):
        raise Fault(Failed.STRANGE, "the answer is not a response object")
    usage = _usage_of(answer.get("usage") or {})
    if reason := (answer.get("incomplete_details") or {}).get("reason"):
        return Piece(usage=usage, end=End(_CUT.get(reason, Why.CUT), reason))
    why = Why.REFUSAL if _parts(answer, "refusal") else Why.END
    return Piece(usage=usage, end=End(why, answer.get("status") or "completed"))


def _parts(answer: Object, kind: str) -> list[Object]:
    contents = (item.get("content") or () for item in answer.get("output") or ())
    return [part for content in contents for part in content if part.get("type") == kind]


def _usage_of(counted: Object) -> Usage | None:
    """Return the usage. The responses API names the counts differently from the other APIs."""
    prompt = _first(counted, "prompt_tokens", "input_tokens")
    details = counted.get("prompt_tokens_details") or counted.get("input_tokens_details") or {}
    cached, written = _first(details, "cached_tokens"), _first(details, "cache_write_tokens")
    reply = _first(counted, "completion_tokens", "output_tokens")
    return Usage(prompt, reply, cached, written) if prompt else None


def _first(counted: Object, *names: str) -> int:
    values = (counted.get(name) for name in names)
    return next((value for value in values if isinstance(value, int)), 0)


class _Api(NamedTuple):
    path: str
    request: Callable[[Ask], dict[str, Any]]
    streamed: Callable[[Object], Pieces]
    whole: Callable[[Object], Pieces]


_WHOLE = partial(_choice_pieces, default="stop")
_APIS: Mapping[str, _Api] = {
    OPENAI: _Api("/chat/completions", _chat_request, _choice_pieces, _WHOLE),
    COMPLETIONS: _Api("/completions", _completion_request, _choice_pieces, _WHOLE),
    RESPONSES: _Api("/responses", _response_request, _response_pieces, _response_whole),
}


def embedded(
    line: Connection, client: openai.OpenAI, model: str, texts: Sequence[str], seconds: float
) -> Embedded:
    """Return the embeddings of the texts. Raises ModelError."""
    # Not all servers know another format.
    body = {"model": model, "input": list(texts), "encoding_format": "float"}
    try:
        with faults_of(openai), answer_to(client, "/embeddings", body, seconds) as answer:
            found = object_of(answer)
            rows = sorted(found["data"], key=lambda row: row["index"])
            vectors = tuple(_unit(row["embedding"]) for row in rows)
            if len(vectors) != len(texts) or len(set(map(len, vectors))) != 1:
                told = f"{len(vectors)} vectors for {len(texts)} texts, or of unequal lengths"
                raise Fault(Failed.STRANGE, told)
            usage = _usage_of(found.get("usage") or {})
    except Fault as fault:
        raise ModelError(failure(fault, line.secret)) from None
    counted = usage or Usage(sum(map(estimate_tokens, texts)), 0, is_estimate=True)
    cost = line.price(counted)
    return Embedded(vectors, Usage(counted.prompt, 0, is_estimate=usage is None, cost=cost))


def _unit(numbers: Sequence[float]) -> bytes:
    """Scale a vector to length 1, as 32-bit floats. Raises ValueError if it has no direction."""
    length = math.hypot(*numbers)
    if not 0 < length < math.inf:
        raise ValueError("a vector of only zeros")
    return array("f", (number / length for number in numbers)).tobytes()
