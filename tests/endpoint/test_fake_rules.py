"""What the endpoint refuses, in the words of the real ones, and what it tells of its models."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anthropic
import httpx2
import openai
import pytest
from fake_caller import APIS, PROMPT, Caller, plain_http
from fake_endpoint import FakeEndpoint, Reply

DATA = Path(__file__).parents[1] / "data" / "overflow-texts.txt"
OVERFLOWS = [line for line in DATA.read_text().split("\n\n")[0].splitlines() if line[0] != "#"]
REFUSED = (anthropic.BadRequestError, openai.BadRequestError)
ASSISTANT = {"role": "assistant", "content": "Thought:"}
PREFILL = (
    "This model does not support assistant message prefill."
    " The conversation must end with a user message."
)
NO_THINKING = (
    '"thinking.type.disabled" is not supported for this model.'
    ' Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.'
)
MARK = {"cache_control": {"type": "ephemeral"}}
MARKED = [{"role": "user", "content": [{"type": "text", "text": "x", **MARK}]}]


@pytest.fixture
def http() -> Iterator[httpx2.Client]:
    with plain_http(timeout=5) as client:
        yield client


def _refused(caller: Caller, api: str, **more: Any) -> tuple[str, str | None, str | None]:
    with pytest.raises(REFUSED) as raised:
        caller.hear(api, **more)
    if api == "messages":
        return raised.value.api_message, None, raised.value.error_code
    return raised.value.body["message"], raised.value.param, raised.value.code


@pytest.mark.parametrize(
    ("name", "more", "expected"),
    [
        pytest.param(
            "stop",
            {"stop": "x"},
            "Unsupported parameter: 'stop' is not supported with this model.",
            id="stop",
        ),
        pytest.param(
            "max_tokens",
            {"max_tokens": 9},
            "Unsupported parameter: 'max_tokens' is not supported with this model."
            " Use 'max_completion_tokens' instead.",
            id="max_tokens",
        ),
        pytest.param(
            "temperature",
            {"temperature": 0},
            "Unsupported parameter: 'temperature' is not supported with this model.",
            id="temperature",
        ),
        pytest.param(
            "stream_options",
            {"stream": True},
            "Unsupported parameter: 'stream_options' is not supported with this model.",
            id="stream_options",
        ),
    ],
)
def test_chat_refuses(http: httpx2.Client, name: str, more: dict[str, Any], expected: str) -> None:
    with FakeEndpoint(["well"], refuses=[name]) as endpoint:
        caller = Caller(endpoint.url, http)
        assert _refused(caller, "chat", **more) == (expected, name, "unsupported_parameter")
        assert caller.hear("chat").text == "well"
        assert [request.status for request in endpoint.settled()] == [400, 200]


@pytest.mark.parametrize(
    ("name", "more", "expected"),
    [
        pytest.param(
            "stop", {"stop": "x"}, "stop_sequences: Extra inputs are not permitted", id="stop"
        ),
        pytest.param("prefill", {"messages": [*MARKED, ASSISTANT]}, PREFILL, id="prefill"),
        pytest.param(
            "stream", {"stream": True}, "stream: Extra inputs are not permitted", id="stream"
        ),
        pytest.param(
            "thinking_disabled", {"thinking": {"type": "disabled"}}, NO_THINKING, id="thinking"
        ),
        pytest.param(
            "cache_control",
            {"messages": MARKED},
            "messages.0.content.0.cache_control: Extra inputs are not permitted",
            id="cache_control",
        ),
        pytest.param(
            "temperature",
            {"extra_body": {"temperature": 0}},
            "temperature: Extra inputs are not permitted",
            id="temperature",
        ),
        pytest.param(
            "output_config.effort",
            {"output_config": {"effort": "low"}},
            "output_config.effort: Extra inputs are not permitted",
            id="nested",
        ),
        pytest.param("", {"max_tokens": 0}, "max_tokens: Field required", id="no limit"),
        pytest.param(
            "",
            {"stop": " "},
            "stop_sequences: each stop sequence must contain non-whitespace",
            id="blank stop",
        ),
        pytest.param(
            "",
            {"messages": [{"role": "user", "content": ""}]},
            "messages: text content blocks must be non-empty",
            id="empty text",
        ),
        pytest.param(
            "",
            {"messages": [*MARKED, {"role": "assistant", "content": "Thought: "}]},
            "messages: final assistant content cannot end with trailing whitespace",
            id="space after prefill",
        ),
    ],
)
def test_messages_refuses(
    http: httpx2.Client, name: str, more: dict[str, Any], expected: str
) -> None:
    with FakeEndpoint(["well"], refuses=[name] if name else []) as endpoint:
        caller = Caller(endpoint.url, http)
        assert _refused(caller, "messages", **more) == (expected, None, None)
        assert caller.hear("messages").text == "well"


def test_refuses_in_words_of_ones_own(http: httpx2.Client) -> None:
    own = Reply(status=400, error="does not support parameters: stop")
    with FakeEndpoint(refuses={"stop": own}) as endpoint:
        caller = Caller(endpoint.url, http)
        assert _refused(caller, "chat", stop="x") == (own.error, None, None)


def test_responses_know_no_stop(http: httpx2.Client) -> None:
    with FakeEndpoint() as endpoint:
        caller = Caller(endpoint.url, http)
        told = _refused(caller, "responses", extra_body={"stop": "x"})
    assert told == ("Unknown parameter: 'stop'.", "stop", "unknown_parameter")


@pytest.mark.parametrize("api", APIS)
def test_overflows(http: httpx2.Client, api: str) -> None:
    with FakeEndpoint(["well"], max_prompt=23) as endpoint:
        text, *_ = _refused(Caller(endpoint.url, http), api)
    assert ("24 tokens" in text, "23 " in text) == (True, True)


@pytest.mark.parametrize("text", OVERFLOWS)
def test_overflows_in_any_words(http: httpx2.Client, text: str) -> None:
    with FakeEndpoint(max_prompt=1, overflow=text) as endpoint:
        caller = Caller(endpoint.url, http)
        assert _refused(caller, "chat") == (text, "messages", "context_length_exceeded")
        assert _refused(caller, "messages") == (text, None, None)


def test_a_prompt_that_fits_is_answered(http: httpx2.Client) -> None:
    with FakeEndpoint(["well"], max_prompt=24) as endpoint:
        assert Caller(endpoint.url, http).hear("chat").text == "well"


def test_truncates_in_silence(http: httpx2.Client) -> None:
    with FakeEndpoint(["well", "well"], truncates=10) as endpoint:
        caller = Caller(endpoint.url, http)
        assert [caller.hear(api).usage for api in ("messages", "chat")] == [(10, 1), (10, 1)]
    assert endpoint.requests[0].prompt == PROMPT


@pytest.mark.parametrize("api", APIS)
def test_wants_the_key(http: httpx2.Client, api: str) -> None:
    with FakeEndpoint(["well"], key="sk-right-key-1234") as endpoint:
        with pytest.raises((anthropic.AuthenticationError, openai.AuthenticationError)) as raised:
            Caller(endpoint.url, http, "sk-wrong-key-5678").hear(api)
        assert Caller(endpoint.url, http, "sk-right-key-1234").hear(api).text == "well"
    assert "sk-wrong********5678" in str(raised.value)


def test_tells_of_its_models(http: httpx2.Client) -> None:
    models = [{"id": "org/m", "max_model_len": 8192}, {"id": "c", "max_input_tokens": 200_000}]
    with FakeEndpoint(models=models) as endpoint:
        caller = Caller(endpoint.url, http)
        listed = [(each.id, each.model_extra) for each in caller.openai.models.list()]
        assert listed[0][1]["max_model_len"] == 8192
        assert caller.openai.models.retrieve("org/m").model_extra["max_model_len"] == 8192
        assert caller.anthropic.models.retrieve("c").max_input_tokens == 200_000
        with pytest.raises(openai.NotFoundError):
            caller.openai.models.retrieve("other")


def test_has_nothing_anywhere_else(http: httpx2.Client) -> None:
    with FakeEndpoint(["well"]) as endpoint:
        assert http.get(f"{endpoint.url}/v1/models").status_code == 404
        assert http.post(f"{endpoint.url}/v2/chat", json={}).status_code == 404
