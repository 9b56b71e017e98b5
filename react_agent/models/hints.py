"""What endpoints are known to want, to spare them the first question; what they answer counts."""

from collections.abc import Mapping

from react_agent.models.endpoint import ANTHROPIC, OPENAI, RESPONSES, Endpoint
from react_agent.models.manner import Manner

_NO_STOP = {"stop": "no", "tokens": "max_completion_tokens"}
_HINTS: tuple[tuple[str, str, Mapping[str, str]], ...] = (
    (OPENAI, "o1", _NO_STOP),
    (OPENAI, "o3", _NO_STOP),
    (OPENAI, "o4", _NO_STOP),
    (OPENAI, "gpt-5", _NO_STOP),
    (OPENAI, "gpt-6", _NO_STOP),
    (OPENAI, "grok-", {"stop": "no"}),
    (RESPONSES, "", {"stop": "no"}),
    (ANTHROPIC, "claude-haiku-4", {"window": "200000"}),
    (ANTHROPIC, "claude-sonnet-4-5", {"window": "200000"}),
    (ANTHROPIC, "claude-opus-4-5", {"window": "200000"}),
    (ANTHROPIC, "claude-", {"window": "1000000"}),
)


def hinted(endpoint: Endpoint) -> Manner:
    """The first that fits: by the API, and the model's name behind a provider's."""
    model = endpoint.model.rpartition("/")[2]
    hints = (
        hint for kind, begins, hint in _HINTS if kind == endpoint.kind and model.startswith(begins)
    )
    return Manner().changed(next(hints, {}))
