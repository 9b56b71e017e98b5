"""What an endpoint refuses whatever the script says, in the words of the real ones."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from fake_reply import TOKEN, Reply, Request

PREFILL = (
    "This model does not support assistant message prefill."
    " The conversation must end with a user message."
)
THINKING = (
    '"thinking.type.disabled" is not supported for this model.'
    ' Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.'
)
ANTHROPIC_OVERFLOW = "prompt is too long: {prompt} tokens > {limit} maximum"
OPENAI_OVERFLOW = (
    "This model's maximum context length is {limit} tokens. However, your messages resulted in"
    " {prompt} tokens. Please reduce the length of the messages."
)
INSTEAD = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}

Body = Mapping[str, Any]


@dataclass(frozen=True)
class Rules:
    """`refuses` names parameters, dotted where they are nested, or rows of FINDERS; a mapping says
    how each is refused. An `overflow` text may hold {prompt} and {limit}."""

    refuses: Iterable[str] | Mapping[str, Reply] = ()
    max_prompt: int | None = None  # tokens
    overflow: str | Reply = ""
    truncates: int | None = None  # tokens: a longer prompt is answered, and reported as so many
    key: str | None = None
    models: Sequence[Mapping[str, Any]] | None = None

    def objection(self, request: Request) -> Reply | None:
        return (
            self.unauthorized(request)
            or _invalid(request)
            or self._refused(request)
            or self._overflow(request)
        )

    def unauthorized(self, request: Request) -> Reply | None:
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        key = request.headers.get("x-api-key") or bearer
        if self.key is None or key == self.key:
            return None
        if request.anthropic:
            return Reply(status=401, error=f"invalid x-api-key: {_masked(key)}")
        page = "https://platform.openai.com/account/api-keys"
        text = f"Incorrect API key provided: {_masked(key)}. You can find your API key at {page}."
        return Reply(status=401, error=text, code="invalid_api_key")

    def prompt_tokens(self, request: Request) -> int:
        tokens = len(request.prompt) // TOKEN
        return tokens if self.truncates is None else min(tokens, self.truncates)

    def catalogue(self, path: str) -> dict[str, Any] | None:
        """What GET answers."""
        models = [_model(model) for model in self.models or ()]
        if path == "/v1/models" and models:
            ends = {"first_id": models[0]["id"], "last_id": models[-1]["id"]}
            return {"object": "list", "data": models, "has_more": False, **ends}
        name = unquote(path).removeprefix("/v1/models/")
        return next((model for model in models if model["id"] == name), None)

    def _refused(self, request: Request) -> Reply | None:
        for name in self.refuses:
            found = FINDERS.get(name, lambda body, name=name: _dotted(name, body))(request.body)
            # Anthropic cannot do without.
            if found and not (request.anthropic and name == "max_tokens"):
                by_name = self.refuses if isinstance(self.refuses, Mapping) else {}
                return by_name.get(name) or _refusal(name, found, request)
        return None

    def _overflow(self, request: Request) -> Reply | None:
        prompt = len(request.prompt) // TOKEN
        if self.max_prompt is None or prompt <= self.max_prompt:
            return None
        if isinstance(self.overflow, Reply):
            return self.overflow
        text = self.overflow or (ANTHROPIC_OVERFLOW if request.anthropic else OPENAI_OVERFLOW)
        text = text.replace("{prompt}", str(prompt)).replace("{limit}", str(self.max_prompt))
        if request.anthropic:
            return Reply(status=400, error=text)
        return Reply(status=400, error=text, code="context_length_exceeded", param="messages")


def _prefill(body: Body) -> str:
    messages = _messages(body)
    return "messages" if messages and messages[-1].get("role") == "assistant" else ""


def _system_role(body: Body) -> str:
    roles = (message.get("role") for message in _messages(body))
    return next((f"messages[{at}].role" for at, role in enumerate(roles) if role == "system"), "")


def _cache_control(value: object, path: str = "") -> str:
    if isinstance(value, Mapping) and value.get("cache_control"):
        return f"{path}cache_control"
    inner = value.items() if isinstance(value, Mapping) else ()
    inner = enumerate(value) if isinstance(value, list) else inner
    found = (_cache_control(each, f"{path}{name}.") for name, each in inner)
    return next((path for path in found if path), "")


# Each says where it is in the body, or "".
FINDERS: Mapping[str, Callable[[Body], str]] = {
    "stop": lambda body: next((one for one in ("stop_sequences", "stop") if body.get(one)), ""),
    "prefill": _prefill,
    "system_role": _system_role,
    "stream": lambda body: "stream" if body.get("stream") else "",
    "thinking_disabled": lambda body: (
        "thinking" if (body.get("thinking") or {}).get("type") == "disabled" else ""
    ),
    "cache_control": _cache_control,
}


def _dotted(name: str, body: Body) -> str:
    value: object = body
    for part in name.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return "" if value is None else name


def _messages(body: Body) -> list[dict[str, Any]]:
    messages = body.get("messages") or body.get("input")
    return messages if isinstance(messages, list) else []


def _refusal(name: str, found: str, request: Request) -> Reply:
    words = {"prefill": PREFILL, "thinking_disabled": THINKING}
    if name in words:
        return Reply(status=400, error=words[name])
    if request.anthropic:
        return Reply(status=400, error=f"{found}: Extra inputs are not permitted")
    if name in ("stream", "system_role"):
        value = "'system'" if name == "system_role" else "true"
        text = f"Unsupported value: '{found}' does not support {value} with this model."
        return Reply(status=400, error=text, param=found, code="unsupported_value")
    text = f"Unsupported parameter: '{found}' is not supported with this model."
    text += f" Use '{INSTEAD[found]}' instead." if found in INSTEAD else ""
    return Reply(status=400, error=text, param=found, code="unsupported_parameter")


def _invalid(request: Request) -> Reply | None:
    """What every model of these two APIs refuses."""
    if request.path == "/v1/responses" and "stop" in request.body:
        text = "Unknown parameter: 'stop'."
        return Reply(status=400, error=text, param="stop", code="unknown_parameter")
    text = _invalid_message(request) if request.path == "/v1/messages" else ""
    return Reply(status=400, error=text) if text else None


def _invalid_message(request: Request) -> str:
    if not request.body.get("max_tokens"):
        return "max_tokens: Field required"
    if not all(stop.strip() for stop in request.stops):
        return "stop_sequences: each stop sequence must contain non-whitespace"
    texts = [text for message in _messages(request.body) for text in _block_texts(message)]
    if not all(texts):
        return "messages: text content blocks must be non-empty"
    if _prefill(request.body) and texts[-1] != texts[-1].rstrip():
        return "messages: final assistant content cannot end with trailing whitespace"
    return ""


def _block_texts(message: Mapping[str, Any]) -> list[str]:
    content = message.get("content") or ""
    if isinstance(content, str):
        return [content]
    return [block.get("text", "") for block in content if block.get("type") == "text"]


def _masked(key: str) -> str:
    return f"{key[:8]}{'*' * 8}{key[-4:]}"


def _model(model: Mapping[str, Any]) -> dict[str, Any]:
    openai = {"object": "model", "created": 0, "owned_by": "us"}
    created = {"created_at": "2026-01-01T00:00:00Z", "lifecycle": "active"}
    return {**openai, "type": "model", "display_name": model["id"], **created, **model}
