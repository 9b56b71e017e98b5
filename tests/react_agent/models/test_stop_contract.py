"""The stop is kept on our side: what was read after it is bounded, and the connection is closed."""

from itertools import cycle
from typing import Any

import pytest
from fake_endpoint import KINDS, Reply

from react_agent.errors import ModelError
from react_agent.models.contract import Why

TEXT = " look\nAction: b\nAction Input: c"
FICTION = "\nObservation: " + "and so it goes on, " * 200
STOPS = ["Observation:", "**Observation:**", "Observation :", "Observation: x\nThought: y"]


@pytest.mark.parametrize("kind", KINDS)
def test_hangs_up_at_the_stop(trial: Any, kind: str) -> None:
    endpoint = trial.serve(Reply(TEXT + FICTION, enforce_stop=False, drip=0.005))
    said = trial.ask(trial.model(kind, endpoint))
    assert (said.why, said.text) == (Why.STOP, TEXT)
    assert "".join(trial.shown).rstrip() == TEXT
    [request] = endpoint.posts
    assert request.closed_early
    behind = len(request.written) - len(TEXT)
    assert behind < 100 < len(request.whole) - len(TEXT)


@pytest.mark.parametrize(
    ("size", "kind"), [*zip((1, 2, 3, 5, 8, 13, 21, 200), cycle(KINDS), strict=False)]
)
def test_wherever_the_chunks_end(trial: Any, kind: str, size: int) -> None:
    text = TEXT + FICTION[:60]
    chunks = tuple(text[at : at + size] for at in range(0, len(text), size))
    said = trial.ask(trial.model(kind, trial.serve(Reply(chunks=chunks, enforce_stop=False))))
    assert (said.why, said.text) == (Why.STOP, TEXT)
    assert "".join(trial.shown).rstrip() == TEXT


@pytest.mark.parametrize(("stop", "kind"), [*zip(STOPS, KINDS, strict=True)])
def test_in_any_spelling(trial: Any, kind: str, stop: str) -> None:
    endpoint = trial.serve(Reply(f"{TEXT}\n{stop} it is", enforce_stop=False))
    said = trial.ask(trial.model(kind, endpoint))
    assert (said.why, said.text) == (Why.STOP, TEXT)


@pytest.mark.parametrize("kind", KINDS)
def test_a_connection_that_was_closed_does_no_harm(trial: Any, kind: str) -> None:
    reply = Reply(TEXT + FICTION, enforce_stop=False, drip=0.001)
    endpoint = trial.serve(reply, reply, Reply(" a\nConclusion: b"))
    model = trial.model(kind, endpoint)
    assert [trial.ask(model).why for _ in range(3)] == [Why.STOP, Why.STOP, Why.END]
    assert len(endpoint.posts) == 3


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        # It counts the prompt before the reply begins.
        pytest.param("anthropic", (500, False), id="anthropic"),
        pytest.param("openai", (0, True), id="openai"),
        pytest.param("completions", (0, True), id="completions"),
        pytest.param("responses", (0, True), id="responses"),
    ],
)
def test_counts_what_was_cut(trial: Any, kind: str, expected: tuple[int, bool]) -> None:
    reply = Reply(TEXT + FICTION, enforce_stop=False, usage=(500, 900), drip=0.001)
    said = trial.ask(trial.model(kind, trial.serve(reply)))
    prompt, is_estimate = expected
    assert said.usage.is_estimate is is_estimate
    assert said.usage.prompt == prompt or is_estimate
    assert 5 <= said.usage.reply <= 20


@pytest.mark.parametrize("kind", KINDS)
def test_counts_what_was_not(trial: Any, kind: str) -> None:
    reply = Reply(" a\nConclusion: b", usage=(500, 9), cached=300, written=100)
    said = trial.ask(trial.model(kind, trial.serve(Reply("", usage=(400, 1)), reply)))
    usage, [repeated] = said.usage, said.repeated
    assert repeated.prompt == 400
    assert (usage.prompt, usage.reply, usage.cached, usage.written) == (500, 9, 300, 100)
    assert not usage.is_estimate


@pytest.mark.parametrize("kind", KINDS)
def test_counts_what_was_not_before_an_error(trial: Any, kind: str) -> None:
    endpoint = trial.serve(Reply("", usage=(400, 1)), Reply(status=401, error="No."))
    with pytest.raises(ModelError) as caught:
        trial.ask(trial.model(kind, endpoint))
    assert [one.prompt for one in caught.value.repeated] == [400]


def test_counts_the_last_request_before_an_error(trial: Any) -> None:
    """Anthropic counts the prompt at the beginning of an answer."""
    endpoint = trial.serve(*[Reply(TEXT, fault="cut", usage=(400, 1))] * 6)
    with pytest.raises(ModelError) as caught:
        trial.ask(trial.model("anthropic", endpoint))
    assert [one.prompt for one in caught.value.repeated] == [400] * 6


@pytest.mark.parametrize("kind", KINDS)
def test_an_endpoint_may_count_nothing(trial: Any, kind: str) -> None:
    usage = trial.ask(
        trial.model(kind, trial.serve(Reply(" a\nConclusion: b", no_usage=True)))
    ).usage
    assert usage.is_estimate
    assert usage.prompt > 10 < usage.prompt + usage.reply


@pytest.mark.parametrize("kind", ["anthropic", "openai", "responses"])
def test_reasoning_is_not_shown(trial: Any, kind: str) -> None:
    reply = Reply(TEXT, reasoning="Observation: hmm\nAction: d", enforce_stop=False)
    said = trial.ask(trial.model(kind, trial.serve(reply)))
    assert (said.text, "".join(trial.shown)) == (TEXT, TEXT)
