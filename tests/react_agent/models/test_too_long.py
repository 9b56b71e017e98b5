"""A prompt that does not fit: said once, with the numbers, and never asked for again."""

from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from check_rows import each_of
from fake_endpoint import KINDS, Reply

from react_agent.errors import ModelError
from react_agent.models.contract import View, Why
from react_agent.parsers.servers.overflow import read_overflow

DATA = Path(__file__).parents[2] / "data" / "overflow-texts.txt"
NUMBERED, DO_NOT, *_ = (
    [line for line in part.splitlines() if not line.startswith("#")]
    for part in DATA.read_text(encoding="utf-8").split("\n\n")
)
DO = [line.split(" ", 2)[2] for line in NUMBERED]
TEXT = " a\nConclusion: b"
LONG = View("You are it.\n", "Objective: x\n" + "a word or two\n" * 2000, (), "Thought:")


def overflows(text: str, **given: Any) -> Reply:
    return Reply(status=400, error=text, **given)


@pytest.mark.parametrize(("text", "kind"), [*zip(DO, cycle(KINDS), strict=False)])
def test_an_overflow_is_told(trial: Any, kind: str, text: str) -> None:
    endpoint = trial.serve(overflows(text), TEXT)
    said, read = trial.ask(trial.model(kind, endpoint)), read_overflow(text)
    assert (said.why, said.text, said.window) == (Why.CONTEXT, "", read.window)
    assert said.usage.is_estimate is (read.prompt is None)
    assert read.prompt in (None, said.usage.prompt)
    assert len(endpoint.posts) == 1
    assert trial.waits.slept == []


def test_the_window_is_known_by_the_next_run(trial: Any) -> None:
    endpoint = trial.serve(overflows(DO[0]), TEXT)
    trial.ask(trial.model("anthropic", endpoint))
    assert trial.ask(trial.model("anthropic", endpoint)).window == 200_000


@each_of(
    ("kind", "reply"),
    {
        "code": ("openai", overflows("No.", code="context_length_exceeded")),
        "type": ("openai", overflows("No.", type="exceed_context_size_error")),
        "413": ("anthropic", Reply(status=413, error="No.")),
        "page of a proxy": ("openai", Reply(status=413, fault="html")),
        "with status 500": ("openai", Reply(status=500, error=DO[9])),
        "with status 200": ("openai", Reply(fault="error200", error=DO[12])),
        "in the middle of a stream": (
            "responses",
            Reply(TEXT, fault="failed", error="No.", code="context_length_exceeded"),
        ),
        "flat body": (
            "openai",
            overflows("", error_body={"object": "error", "message": DO[4], "code": 400}),
        ),
    },
)
def test_an_overflow_in_other_clothes(trial: Any, kind: str, reply: Reply) -> None:
    endpoint = trial.serve(reply, TEXT)
    said = trial.ask(trial.model(kind, endpoint))
    assert (said.why, said.usage.prompt > 0) == (Why.CONTEXT, True)
    assert len(endpoint.posts) == 1


def test_an_unknown_text_where_the_window_is_nearly_full(trial: Any) -> None:
    endpoint = trial.serve(overflows("No can do."), overflows("No can do."))
    said = trial.ask(trial.model("openai", endpoint, window="8000"), LONG)
    assert (said.why, said.window) == (Why.CONTEXT, 8000)
    with pytest.raises(ModelError, match=r"status 400: No can do\.$"):
        trial.ask(trial.model("openai", endpoint, window="80000"), LONG)
    assert len(endpoint.posts) == 2


@pytest.mark.parametrize(("text", "kind"), [*zip(DO_NOT, cycle(KINDS), strict=False)])
def test_something_else_is_not_one(trial: Any, kind: str, text: str) -> None:
    endpoint = trial.serve(*[overflows(text)] * 4)
    with pytest.raises(ModelError, match="status 400: "):
        trial.ask(trial.model(kind, endpoint))
    assert len(endpoint.posts) <= 2


@pytest.mark.parametrize(
    ("text", "limit"),
    [pytest.param(DO_NOT[2], 128_000, id="tokens"), pytest.param(DO_NOT[3], 8192, id="expected")],
)
def test_the_longest_reply_is_learned(trial: Any, text: str, limit: int) -> None:
    endpoint = trial.serve(overflows(text), TEXT, TEXT)
    trial.ask(trial.model("openai", endpoint), max_output=200_000)
    trial.ask(trial.model("openai", endpoint), max_output=200_000)
    assert [request.limit for request in endpoint.posts] == [200_000, limit, limit]


def test_a_reply_of_what_is_left_is_not_for_other_prompts(trial: Any) -> None:
    left = DO[4].replace("122946", "18000").replace("112946", "8000")
    endpoint = trial.serve(overflows(left), TEXT, TEXT)
    model = trial.model("openai", endpoint)
    assert [trial.ask(model, max_output=10_000).why for _ in range(2)] == [Why.END] * 2
    assert [request.limit for request in endpoint.posts] == [10_000, 8384, 10_000]


def test_asks_for_the_window_once_a_process(trial: Any) -> None:
    models = [{"id": "m", "max_model_len": 8192, "max_input_tokens": 8192}]
    for kind in KINDS:
        endpoint = trial.serve(TEXT, TEXT, TEXT, models=models)
        model = trial.model(kind, endpoint)
        assert [trial.ask(model).window for _ in range(2)] == [8192, 8192]
        trial.ask(trial.model(kind, endpoint))
        asked = [request.method for request in endpoint.settled()]
        assert asked == ["GET", "POST", "POST", "GET", "POST"]


def test_the_room_is_what_the_window_leaves(trial: Any) -> None:
    endpoint = trial.serve(TEXT, TEXT)
    trial.ask(trial.model("openai", endpoint, window="12000"), LONG, max_output=9000)
    [request] = endpoint.posts
    assert 256 <= request.limit < 4000
