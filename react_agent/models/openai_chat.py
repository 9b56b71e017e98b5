"""OpenAI's chat, and the many servers that speak like it."""

from typing import Any

import openai

from react_agent.models.contract import Why
from react_agent.models.layout import Message, cue, messages, system
from react_agent.models.openai_request import ENDS, usage_of, window_of
from react_agent.models.sdk_faults import error_in, faults_of, timeout
from react_agent.models.wire import Ask, End, Failed, Fault, Piece, Pieces

_REASONED = ("reasoning_content", "reasoning")  # where servers put what is not said


class OpenaiChat:
    goes_on = False

    def __init__(self, model: str, client: openai.OpenAI, *, session: str = "") -> None:
        self.model = model
        self.client = client
        self.session = session  # a key for the cache, where the endpoint takes one

    def pieces(self, ask: Ask) -> Pieces:
        with faults_of(openai):
            if not ask.manner.stream:
                yield from _whole(self.client.chat.completions.create(**self._request(ask)))
                return
            with self.client.chat.completions.create(**self._request(ask), stream=True) as stream:
                for chunk in stream:
                    yield from _pieces(chunk)

    def window(self) -> int | None:
        return window_of(self.client, self.model)

    def _request(self, ask: Ask) -> dict[str, Any]:
        manner = ask.manner
        begun = ask.begun or (cue() if manner.prefill else "")
        request: dict[str, Any] = {
            "model": self.model,
            "messages": _messages(ask, messages(ask.view, begun)),
            manner.tokens: ask.room,
            "timeout": timeout(ask),
        }
        if ask.stop:
            request["stop"] = list(ask.stop)
        if manner.stream and manner.usage:
            request["stream_options"] = {"include_usage": True}
        if manner.sampling and manner.temperature is not None:
            request["temperature"] = manner.temperature
        if manner.thinking:
            request["reasoning_effort"] = "none" if manner.thinking == "off" else manner.thinking
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


def _pieces(chunk: Any) -> Pieces:
    if fault := error_in(chunk):
        raise fault
    if chunk.usage:
        yield Piece(usage=usage_of(chunk.usage))
    for choice in chunk.choices or ():
        text = (choice.delta.content if choice.delta else None) or ""
        reason = choice.finish_reason
        end = End(*ending(reason, choice)) if reason else None
        yield Piece(text, bool(choice.delta) and _reasons(choice.delta), end=end)


def _whole(answer: Any) -> Pieces:
    if fault := error_in(answer):
        raise fault
    if not getattr(answer, "choices", None):
        raise Fault(Failed.STRANGE, "the answer has no choice")
    choice = answer.choices[0]
    reason = choice.finish_reason or "stop"
    usage = usage_of(answer.usage) if answer.usage else None
    said = choice.message
    yield Piece(said.content or "", _reasons(said), usage, End(*ending(reason, choice)))


def ending(reason: str, choice: Any) -> tuple[Why, str, str | None]:
    """One word for a stop and for an end; some servers add which stop it was."""
    hit = (choice.model_extra or {}).get("stop_reason")
    if reason == "stop" and isinstance(hit, str):
        return Why.STOP, reason, hit
    return ENDS.get(reason, Why.END), reason, None


def _reasons(said: Any) -> bool:
    extra = said.model_extra or {}
    return any(extra.get(name) for name in _REASONED)
