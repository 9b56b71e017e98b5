"""The same words through every back end make the same transcript."""

import re
import time
from dataclasses import replace
from typing import Any

import pytest
from fake_endpoint import FakeEndpoint, Reply

from react_agent.loop.agent import run
from react_agent.models.endpoint import find_endpoint
from react_agent.models.endpoints import Endpoints

WORDS = (
    " I look.\nAction: echo\nAction Input: x",
    " A fence.\nAction: echo\nAction Input: ```\nThought: a\nAction: b\n```",
    "Thought: With its label.\nAction: **touch**\nAction Input: a.py",
    " None of {the} form.",
    " Many lines.\nAction: echo\nAction Input: one\n  two\n\nthree",
    " Enough.\nConclusion: done,\nall of it.",
)
INVENTED = "\nObservation: invented\nThought: so\nConclusion: never"
# What an endpoint counts and how long it takes; the rest has to be the same.
COUNTED = re.compile(r" (?:in|out|cached|estimated|window|seconds)=[\d.yes]+")
KINDS = ("anthropic", "openai", "completions", "responses")
LESSONS: dict[str, tuple[str, ...]] = {
    "anthropic": ("stop", "stream", "cache_control", "temperature", "thinking_disabled", "prefill"),
    "openai": (
        *("stop", "stream", "stream_options", "max_tokens", "system_role"),
        *("temperature", "reasoning_effort", "prefill"),
    ),
    "completions": ("stop", "stream", "stream_options", "temperature"),
    "responses": ("stream", "temperature", "reasoning.effort"),
}
SET = {
    "temperature": {"temperature": "0.2"},
    "thinking_disabled": {"thinking": "off"},
    "reasoning_effort": {"thinking": "low"},
    "reasoning.effort": {"thinking": "low"},
    "prefill": {"prefill": "yes"},
}


@pytest.fixture
def expected(bench: Any) -> str:
    return COUNTED.sub("", bench.play(*WORDS).text)


def _transcript(
    bench: Any, endpoints: Endpoints, kind: str, server: FakeEndpoint, **set_: str
) -> str:
    url = server.url if kind == "anthropic" else f"{server.url}/v1"
    named = {"it": {"spec": f"{kind}/m", "base_url": url, **set_}}
    model = endpoints.model(find_endpoint("it", named, {}))
    transcript = bench.open()
    run(replace(bench.agent(transcript, model), clock=time.monotonic))
    return COUNTED.sub("", transcript.path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("stream", ["yes", "no"])
@pytest.mark.parametrize("stop", ["enforced", "left in", "ignored"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_run_is_the_same_through_all(
    bench: Any, endpoints: Endpoints, expected: str, kind: str, stop: str, stream: str
) -> None:
    replies = [
        Reply(text + INVENTED, enforce_stop=stop != "ignored", keep_stop=stop == "left in")
        for text in WORDS
    ]
    with FakeEndpoint(replies) as server:
        assert _transcript(bench, endpoints, kind, server, stream=stream) == expected


@pytest.mark.parametrize(
    ("kind", "refused"), [(kind, one) for kind in KINDS for one in (*LESSONS[kind], "all")]
)
def test_a_run_is_the_same_with_a_lesson_to_learn(
    bench: Any, endpoints: Endpoints, expected: str, kind: str, refused: str
) -> None:
    refuses = LESSONS[kind] if refused == "all" else (refused,)
    set_ = {name: value for one in refuses for name, value in SET.get(one, {}).items()}
    with FakeEndpoint([text + INVENTED for text in WORDS], refuses=refuses) as server:
        assert _transcript(bench, endpoints, kind, server, **set_) == expected
        asked = [request for request in server.settled() if request.method == "POST"]
    refusals = [request for request in asked if request.status == 400]
    assert len(asked) - len(refusals) == len(WORDS)
    # What goes with a stream is not sent any more where none is asked for.
    assert 0 < len(refusals) <= len(refuses)
