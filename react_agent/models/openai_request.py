"""What the APIs of OpenAI's kind have in common."""

from contextlib import AbstractContextManager
from typing import Any

import openai

from react_agent.models.answers import Object
from react_agent.models.contract import Usage, Why
from react_agent.models.endpoint import Endpoint
from react_agent.models.sdk_faults import NO_KEY, PATIENCE, Announced, faults_of, http, timeout
from react_agent.models.wire import Ask, End, Failed, Fault

_ENDS = {
    "stop": Why.END,
    "length": Why.LENGTH,
    "max_tokens": Why.LENGTH,
    "content_filter": Why.REFUSAL,
    "refusal": Why.REFUSAL,
    "model_context_window_exceeded": Why.CONTEXT,
}
_WINDOWS = ("max_model_len", "context_length", "context_window", "max_context_length")


def client(endpoint: Endpoint, announced: Announced) -> openai.OpenAI:
    return openai.OpenAI(
        api_key=endpoint.key or NO_KEY,
        base_url=endpoint.base_url,
        max_retries=0,
        http_client=http(endpoint, announced),
    )


def common(ask: Ask) -> dict[str, Any]:
    """Of a request for chat or for a completion."""
    manner = ask.manner
    request: dict[str, Any] = {"stream": manner.stream, "timeout": timeout(ask)}
    if ask.stop:
        request["stop"] = list(ask.stop)
    if manner.stream and manner.usage:
        request["stream_options"] = {"include_usage": True}
    if manner.heat is not None:
        request["temperature"] = manner.heat
    if manner.seed:
        request["seed"] = int(manner.seed)
    return request


def choices_of(answer: Object) -> list[Object]:
    """Of one that is whole: there is one at least."""
    found: list[Object] = answer.get("choices") or []
    if not found:
        raise Fault(Failed.STRANGE, "the answer has no choice")
    return found


def ending(choice: Object, default: str | None = None) -> End | None:
    """One word for a stop and for an end; some servers add which stop it was."""
    reason, hit = choice.get("finish_reason") or default, choice.get("stop_reason")
    if reason == "stop" and isinstance(hit, str):
        return End(Why.STOP, reason, hit)
    return End(_ENDS.get(reason, Why.END), reason) if reason else None


def usage_of(counted: Object) -> Usage | None:
    """Chat and completions count prompt and completion, responses input and output."""
    prompt = _first(counted, "prompt_tokens", "input_tokens")
    details = counted.get("prompt_tokens_details") or counted.get("input_tokens_details") or {}
    cached, written = _first(details, "cached_tokens"), _first(details, "cache_write_tokens")
    reply = _first(counted, "completion_tokens", "output_tokens")
    return Usage(prompt, reply, cached, written) if prompt else None


def _first(counted: Object, *names: str) -> int:
    values = (counted.get(name) for name in names)
    return next((value for value in values if isinstance(value, int)), 0)


def faults() -> AbstractContextManager[None]:
    """Of the SDK, in our own words."""
    return faults_of(openai)


def window_of(client: openai.OpenAI, model: str) -> int | None:
    """OpenAI itself lists models without it; several servers add it."""
    with faults():
        found = next((one for one in client.models.list(timeout=PATIENCE) if one.id == model), None)
    extra = (found.model_extra if found else None) or {}
    sizes = (extra.get(name) for name in _WINDOWS)
    return next((size for size in sizes if isinstance(size, int) and size > 0), None)
