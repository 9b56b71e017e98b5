"""What an endpoint refuses is left out, asked again without, and known from then on."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from fake_endpoint import KINDS, FakeEndpoint, Reply, Request

from react_agent.errors import ModelError
from react_agent.models.contract import View, Why

TEXT = " look\nAction: b\nAction Input: c"
GOOD = Reply(f"{TEXT}\nObservation: it is\n")
NO = "Unsupported parameter: '{}' is not supported with this model."


@dataclass(frozen=True)
class Case:
    kind: str
    refuses: Any
    learned: dict[str, str]
    requests: int = 2
    section: dict[str, str] = field(default_factory=dict)
    tools: tuple[str, ...] = ()  # where the shape of a turn is sent


def row(name: str, kinds: str, refuses: Any, learned: str, **other: Any) -> list[Any]:
    given = dict(pair.split("=") for pair in learned.split(" "))
    return [
        pytest.param(Case(kind, refuses, given, **other), id=f"{name}-{kind}")
        for kind in kinds.split()
    ]


def says(name: str, text: str, status: int = 400, **given: Any) -> dict[str, Reply]:
    return {name: Reply(status=status, error=text, **given)}


WARM = {"temperature": "0.2"}
ROWS = [
    *row("stop", "anthropic openai completions", ["stop"], "stop=no"),
    *row("max_tokens", "openai", ["max_tokens"], "tokens=max_completion_tokens"),
    *row("max_completion_tokens", "openai", ["max_completion_tokens"], "tokens=max_tokens",
         section={"tokens": "max_completion_tokens"}),
    *row("temperature", "anthropic openai completions responses", ["temperature"], "sampling=no",
         section=WARM),
    *row("seed", "openai completions", ["seed"], "seed=", section={"seed": "3"}),
    *row("grammar", "openai completions", ["grammar"], "grammar=no", tools=("grep",)),
    *row("grammar that can't be read", "openai",
         says("grammar", "Failed to initialize samplers: failed to parse grammar"), "grammar=no",
         tools=("grep",)),
    *row("prefill", "anthropic openai", ["prefill"], "prefill=no", section={"prefill": "yes"}),
    *row("stream", "anthropic openai completions responses", ["stream"], "stream=no"),
    *row("stream_options", "openai completions", ["stream_options"], "usage=no"),
    *row("thinking off", "anthropic", ["thinking_disabled"], "thinking=",
         section={"thinking": "off"}),
    *row("effort", "anthropic", ["output_config"], "thinking=", section={"thinking": "low"}),
    *row("reasoning.effort", "responses", ["reasoning.effort"], "thinking=",
         section={"thinking": "low"}),
    *row("cache_control", "anthropic", ["cache_control"], "cache=no"),
    *row("system", "openai", ["system_role"], "system=no"),
    *row("parts", "openai", {"messages": None}, "parts=no"),
    *row("in words of a proxy", "openai",
         says("stop", "openai does not support parameters: ['stop'], for model=m"), "stop=no"),
    *row("with status 422", "completions",
         says("stop", "stop: Extra inputs are not permitted", 422), "stop=no"),
    *row("with status 500", "openai", says("stream", "Streaming is not implemented", 500),
         "stream=no"),
    *row("with status 501", "openai", says("stream", "stream is not supported", 501), "stream=no"),
    *row("by param alone", "openai", says("stop", "Invalid value.", param="stop"), "stop=no"),
    *row("one value", "openai",
         says("temperature", "Unsupported value: 'temperature' does not support 0.2 with this"
              " model. Only the default (1) value is supported."), "sampling=no", section=WARM),
    *row("all at once", "openai",
         ["stop", "max_tokens", "stream", "temperature", "prefill", "reasoning_effort",
          "system_role"],
         "stop=no tokens=max_completion_tokens stream=no sampling=no prefill=no thinking="
         " system=no", requests=8, section={**WARM, "prefill": "yes", "thinking": "low"}),
    *row("all at once", "anthropic",
         ["stop", "stream", "temperature", "prefill", "thinking_disabled", "cache_control"],
         "stop=no stream=no sampling=no prefill=no thinking= cache=no",
         requests=7, section={**WARM, "prefill": "yes", "thinking": "off"}),
]  # fmt: skip


def _parts(request: Request) -> Reply:
    contents = [message["content"] for message in request.body["messages"]]
    if all(isinstance(content, str) for content in contents):
        return GOOD
    text = "messages.2.content: Input should be a valid string"
    return Reply(status=400, error=text, param="messages")


def known(trial: Any, endpoint: FakeEndpoint, kind: str) -> dict[str, str]:
    learned = dict(trial.memory.recall(endpoint.base_url(kind), "m"))
    learned.pop("window", None)
    return learned


@pytest.mark.parametrize("case", ROWS)
def test_learns(trial: Any, case: Case) -> None:
    has_script = case.refuses == {"messages": None}
    endpoint = trial.serve(_parts) if has_script else trial.serve(*[GOOD] * 4, refuses=case.refuses)
    model = trial.model(case.kind, endpoint, **case.section)
    view = View("Rules.\n\n", "Objective: do it\n", (), "(a hint)\nThought:", tools=case.tools)
    said = trial.ask(model, view)
    assert (said.why, said.text) == (Why.STOP, TEXT)
    assert len(endpoint.posts) == case.requests
    assert known(trial, endpoint, case.kind) == case.learned
    assert trial.waits.slept == []
    trial.ask(model, view)
    trial.ask(trial.model(case.kind, endpoint, **case.section), view)
    assert len(endpoint.posts) == case.requests + 2


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        pytest.param("'stop' is not supported", "openai", id="stop"),
        pytest.param("stream: Extra inputs are not permitted", "anthropic", id="stream"),
        pytest.param("Unsupported: max_tokens", "openai", id="limit"),
    ],
)
def test_a_lesson_in_vain_is_not_kept(trial: Any, text: str, kind: str) -> None:
    """The endpoint says the same whatever is asked."""
    endpoint = trial.serve(*[Reply(status=400, error=text)] * 5)
    with pytest.raises(ModelError, match=text):
        trial.ask(trial.model(kind, endpoint))
    assert len(endpoint.posts) == 2
    assert known(trial, endpoint, kind) == {}


def test_a_lesson_before_a_fault_is_not_kept(trial: Any) -> None:
    endpoint = trial.serve(Reply(status=401, error="No."), refuses=["stop"])
    with pytest.raises(ModelError):
        trial.ask(trial.model("openai", endpoint))
    assert known(trial, endpoint, "openai") == {}
    assert len(endpoint.posts) == 2


def test_a_lesson_survives_an_answer_of_no_use(trial: Any) -> None:
    """That the endpoint took the request is proof enough."""
    endpoint = trial.serve(*[Reply("")] * 3, GOOD, refuses=["stop"])
    assert trial.ask(trial.model("openai", endpoint)).why is Why.EMPTY
    assert known(trial, endpoint, "openai") == {"stop": "no"}
    trial.ask(trial.model("openai", endpoint))
    assert len(endpoint.posts) == 5


def test_what_a_person_set_gives_way_to_what_was_learned(trial: Any) -> None:
    endpoint = trial.serve(GOOD, GOOD, refuses=["stop"])
    trial.ask(trial.model("openai", endpoint))
    trial.ask(trial.model("openai", endpoint, stop="yes"))
    assert [request.status for request in endpoint.posts] == [400, 200, 200]


@pytest.mark.parametrize("kind", KINDS)
def test_streams_that_are_always_broken_are_one(trial: Any, kind: str) -> None:
    def reply(request: Request) -> Reply:
        return Reply(TEXT, fault="garbage") if request.streamed else GOOD

    endpoint = trial.serve(reply)
    assert trial.ask(trial.model(kind, endpoint)).why is Why.STOP
    assert trial.known() == {"stream": "no"}
    assert known(trial, endpoint, kind) == {}
    assert len(endpoint.posts) == 3


@pytest.mark.parametrize("kind", KINDS)
def test_json_where_a_stream_was_asked_for_is_none(trial: Any, kind: str) -> None:
    """It is an answer."""
    endpoint = trial.serve(Reply(TEXT, fault="json"))
    assert trial.ask(trial.model(kind, endpoint)).text == TEXT
    assert known(trial, endpoint, kind) == {}
    assert len(endpoint.posts) == 1


@pytest.mark.parametrize(
    "text",
    [
        "stream error: unexpected EOF",
        "It cannot be processed, please stop and retry.",
        "Failed to parse input at pos 0: <|channel|>The system prompt says so",  # llama.cpp
    ],
)
def test_a_fault_that_passes_is_no_lesson(trial: Any, text: str) -> None:
    endpoint = trial.serve(Reply(status=500, error=text), GOOD)
    trial.ask(trial.model("openai", endpoint))
    assert (trial.known(), known(trial, endpoint, "openai")) == ({}, {})
    assert len(endpoint.posts) == 2


def test_room_beside_a_prompt_is_kept_to(trial: Any) -> None:
    """What is asked for grows with the reasoning, and shrinks with what the endpoint has."""
    eaten = Reply("", reasoning="hm", reason="length")
    left = (
        "'max_tokens' is too large: 17000. This model's maximum context length is 8192 tokens and "
        "your request has 1000 input tokens (17000 > 8192 - 1000)."
    )
    endpoint = trial.serve(eaten, Reply(status=400, error=left), GOOD)
    assert trial.ask(trial.model("openai", endpoint)).why is Why.STOP
    assert [request.limit for request in endpoint.posts] == [1000, 17000, 7192]
