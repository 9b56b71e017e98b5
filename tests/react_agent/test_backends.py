"""The same words through every back end make the same transcript."""

import re
import time
from dataclasses import replace
from typing import Any

import pytest
from fake_endpoint import KINDS, FakeEndpoint, Reply

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


@pytest.mark.parametrize(("stop", "stream"), [("enforced", "yes"), ("ignored", "no")])
@pytest.mark.parametrize("kind", KINDS)
def test_a_run_is_the_same_through_all(
    bench: Any, endpoints: Endpoints, kind: str, stop: str, stream: str
) -> None:
    expected = COUNTED.sub("", bench.play(*WORDS).text)
    replies = [Reply(text + INVENTED, enforce_stop=stop == "enforced") for text in WORDS]
    with FakeEndpoint(replies) as server:
        named = {"it": {"spec": f"{kind}/m", "base_url": server.base_url(kind), "stream": stream}}
        model = endpoints.model(find_endpoint("it", named, {}))
        transcript = bench.open()
        run(replace(bench.agent(transcript, model), clock=time.monotonic))
        assert COUNTED.sub("", transcript.path.read_text(encoding="utf-8")) == expected
