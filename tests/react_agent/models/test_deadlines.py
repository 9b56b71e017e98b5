"""Whatever an endpoint does, a call ends close to its deadline."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from fake_endpoint import KINDS, FakeEndpoint, Reply
from refusals import refusal

from react_agent.errors import ModelError, TimeUp
from react_agent.models.contract import Usage, Why
from react_agent.models.wire import Ask, End, Piece, Pieces

TEXT = " look\nAction: b\nAction Input: c and so on, for a long time"
FENCE = " see\nAction: create\nAction Input: a.md\n```\n"
SECONDS = 0.3
UP = "the time limit passed before an answer came"
LATE = 0.5  # as much more may be gone


def outcome(trial: Any, endpoint: FakeEndpoint, kind: str, **section: str) -> str:
    model = trial.model(kind, endpoint, window="9999", **section)
    began = time.monotonic()
    try:
        said = trial.ask(model, seconds=SECONDS)
    except TimeUp as error:
        return str(error).partition(" key=KEY: ")[2]
    finally:
        assert time.monotonic() - began < SECONDS + LATE
    assert TEXT.startswith(said.text)
    assert said.usage.is_estimate or kind == "anthropic"
    return f"{said.why}: {'some' if said.text else 'nothing'}"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("reply", "stream", "expected"),
    [
        pytest.param(Reply(TEXT, drip=0.05), "yes", "cut: some", id="drips"),
        pytest.param(Reply(TEXT, fault="stall"), "yes", "cut: some", id="stalls"),
        pytest.param(Reply(TEXT, fault="hang"), "yes", UP, id="hangs"),
        pytest.param(Reply(TEXT, latency=9), "no", UP, id="takes long for all of it"),
        pytest.param(Reply(TEXT, fault="stall"), "no", UP, id="stalls in all of it"),
    ],
)
def test_ends_in_time(trial: Any, kind: str, reply: Reply, stream: str, expected: str) -> None:
    endpoint = trial.serve(reply)
    assert outcome(trial, endpoint, kind, stream=stream) == expected
    [request] = endpoint.posts
    assert request.closed_early


@pytest.mark.parametrize("kind", ("anthropic", "openai", "responses"))
def test_reasons_beyond_the_deadline(trial: Any, kind: str) -> None:
    endpoint = trial.serve(Reply(TEXT, reasoning="and so on " * 100, drip=0.02))
    assert outcome(trial, endpoint, kind) == UP
    [request] = endpoint.posts
    assert request.closed_early


def test_a_late_stall_is_no_longer_than_an_early_one(trial: Any) -> None:
    """A silence is timed from its own beginning."""
    endpoint = trial.serve(Reply(TEXT, drip=0.08, fault="stall", after=3))
    assert outcome(trial, endpoint, "openai") == "cut: some"


def test_the_last_wait_ends_before_the_deadline(trial: Any) -> None:
    endpoint = trial.serve(*[Reply(status=503, error="No.")] * 9)
    told = refusal(ModelError, trial.ask, trial.model("openai", endpoint), seconds=7)
    assert "No. (the next try in 4 s would be after the time limit)" in told
    assert len(endpoint.posts) == 4
    assert trial.waits.slept == pytest.approx([0.5, 1, 2])


def test_too_much_to_do_until_the_deadline(trial: Any) -> None:
    endpoint = trial.serve(*[Reply(status=429, error="Slow down.")] * 50)
    with pytest.raises(ModelError, match=r"429: Slow down\. \(the next try in 30 s"):
        trial.ask(trial.model("openai", endpoint), seconds=600)
    assert len(endpoint.posts) == 25
    assert sum(trial.waits.slept) < 600


def test_a_closed_gate_is_not_waited_for_in_vain(trial: Any) -> None:
    """The limit of another run is over after the deadline."""
    endpoint = trial.serve("never")
    model = trial.model("openai", endpoint)
    model.line.throttle.refused(120)
    line = "accepts no requests for another 120 s, which is longer than the time left"
    assert line in refusal(TimeUp, trial.ask, model, seconds=60)
    assert (endpoint.posts, trial.waits.slept) == ([], [])


def test_without_a_deadline(trial: Any) -> None:
    model = trial.model("openai", trial.serve(Reply(" a\nConclusion: b", drip=0.01)))
    assert trial.ask(model, deadline=None).why == "end"


@dataclass
class CountsLate:
    """An endpoint that ends its reply in time, but counts it and hangs up after the deadline."""

    text: str
    sleep: Callable[[float], None]
    goes_on: bool = True

    def pieces(self, ask: Ask) -> Pieces:
        yield Piece(self.text)
        yield Piece(end=End(Why.END, "stop"))
        self.sleep(1000)
        yield Piece(usage=Usage(30, 10))

    def window(self) -> int | None:
        return None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(" done\nConclusion: b", Why.END, id="a conclusion"),
        pytest.param(TEXT, Why.STOP, id="an action"),
        pytest.param(" I look", Why.END, id="a thought, which can't be continued any more"),
        pytest.param(f"{FENCE}x", Why.CUT, id="ended in a fence"),
    ],
)
def test_a_reply_that_ended_in_time_is_whole(trial: Any, text: str, expected: Why) -> None:
    model = trial.model("openai", trial.serve("never"), window="9999")
    model.line.wire = CountsLate(text, trial.waits.sleep)
    said = trial.ask(model)
    assert (said.why, said.text) == (expected, text)
