"""What goes wrong at an endpoint: what comes of it, how often it was asked, how long it waited."""

import email.utils
import itertools
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from fake_endpoint import KINDS, FakeEndpoint, Reply

from react_agent.errors import ModelError, TimeUp

TEXT = " look\nAction: b\nAction Input: c"
GOOD = Reply(f"{TEXT}\nObservation: it is\n")
SAID = "stop: look | Action: b | Action Input: c"
DOUBLED = [0.5, 1, 2, 4, 8]


def outcome(trial: Any, endpoint: FakeEndpoint | str, kind: str, **given: Any) -> str:
    try:
        said = trial.ask(trial.model(kind, endpoint), **given)
    except (ModelError, TimeUp) as error:
        url = endpoint if isinstance(endpoint, str) else endpoint.url
        return str(error).replace(url, "URL").replace("/v1", "")
    return f"{said.why}: {said.text.strip()}".replace("\n", " | ")


def failed(text: str) -> str:
    return f"it@URL key=KEY: {text}"


@dataclass(frozen=True)
class Case:
    kind: str
    replies: tuple[Reply, ...]
    outcome: str
    requests: int
    waits: list[float]


OF_OPENAI = itertools.cycle(KINDS[1:])  # which share a library, and how it raises errors


def kinds_of(names: str) -> Sequence[str]:
    """With `each`, one of each library."""
    if names == "each":
        return (KINDS[0], next(OF_OPENAI))
    return KINDS if names == "all" else names.split()


def rows(*cases: tuple[str, str, Any, str, int, list[float]]) -> list[Any]:
    """One a kind."""
    return [
        pytest.param(
            Case(kind, replies if isinstance(replies, tuple) else (replies,), *expected),
            id=f"{name}-{kind}",
        )
        for name, kinds, replies, *expected in cases
        for kind in kinds_of(kinds)
    ]


BROKEN = rows(
    ("refuse", "all", (Reply(fault="refuse"), GOOD), SAID, 2, [0.5]),
    ("cut", "all", (Reply(TEXT, fault="cut"), GOOD), SAID, 2, [0.5]),
    ("reset", "all", (Reply(TEXT, fault="reset"), GOOD), SAID, 2, [0.5]),
    ("eof", "all", (Reply(TEXT, fault="eof"), GOOD), SAID, 2, [0.5]),
    ("eof at once", "all", (Reply(TEXT, fault="eof", after=0), GOOD), SAID, 2, [0.5]),
    ("error", "all", (Reply(TEXT, fault="error"), GOOD), SAID, 2, [0.5]),
    ("failed", "responses", (Reply(TEXT, fault="failed"), GOOD), SAID, 2, [0.5]),
    ("error with status 200", "all", (Reply(fault="error200"), GOOD), SAID, 2, [0.5]),
    ("garbage", "all", (Reply(TEXT, fault="garbage"), GOOD), SAID, 2, [0.5]),
    ("a page for a stream", "all", (Reply(fault="html"), GOOD), SAID, 2, [0.5]),
    ("a page of a proxy", "all", (Reply(fault="html", status=502), GOOD), SAID, 2, [0.5]),
    ("twice", "all", (Reply(fault="refuse"), Reply(TEXT, fault="cut"), GOOD), SAID, 3, [0.5, 1]),
)


def status(code: int, **given: Any) -> Reply:
    return Reply(status=code, **given)


def after(**headers: str) -> Reply:
    return Reply(status=429, headers={name.replace("_", "-"): headers[name] for name in headers})


def told(text: str, seconds: float) -> Any:
    return text, "openai", (status(429, error=text), GOOD), SAID, 2, [seconds]


STATUSES = rows(
    ("408", "each", (status(408), GOOD), SAID, 2, [0.5]),
    ("429", "each", (status(429), status(429), GOOD), SAID, 3, [0.5, 1]),
    ("500", "each", (status(500), GOOD), SAID, 2, [0.5]),
    ("529", "each", (status(529), GOOD), SAID, 2, [0.5]),
    ("seconds", "each", (after(retry_after="4"), GOOD), SAID, 2, [4.06]),
    ("ms", "each", (after(retry_after_ms="300", retry_after="9"), GOOD), SAID, 2, [0.3375]),
    ("none", "openai", (*[after(retry_after="0")] * 3, GOOD), SAID, 4, [0.14, 0.28, 0.56]),
    ("below zero", "openai", (after(retry_after="-1"), GOOD), SAID, 2, [0.5]),
    told("Please try again in 1m2.5s. Visit https://platform.example/account/billing", 62.56),
    told("Try again in 1.5 minutes.", 90.06),
    told("Retry after 250 milliseconds", 0.31),
    told("Too fast: see https://platform.example/account/billing", 0.5),
    ("503", "openai", (status(503, headers={"retry-after": "3"}), GOOD), SAID, 2, [3.06]),
)


@pytest.mark.fault(
    "the clock of this machine is a year off", after="waits as long as it is told to"
)
@pytest.mark.parametrize("days", [-365, 0, 365])
def test_waits_until_a_date_by_their_clock(trial: Any, days: int) -> None:
    theirs = time.time() + days * 86_400
    said, until = (email.utils.formatdate(at, usegmt=True) for at in (theirs, theirs + 20))
    limited = Reply(status=429, headers={"date": said, "retry-after": until})
    assert outcome(trial, trial.serve(limited, GOOD), "openai") == SAID
    assert 19 < sum(trial.waits.slept) < 21


def final(code: int, text: str, **given: Any) -> tuple[str, str, Reply, str, int, list[float]]:
    reply = Reply(status=code, error="No.", **given)
    return f"{code}{given or ''}", "each", reply, failed(f"status {code}: No.{text}"), 1, []


def spent(name: str, kinds: str, **given: Any) -> Any:
    advice = "(the account has no credit left)"
    reply = Reply(status=429, **given)
    return name, kinds, reply, failed(f"status 429: {reply.error} {advice}"), 1, []


def in_a_stream(kind: str, text: str, **given: str) -> Any:
    reply = Reply(TEXT, fault="error", error="No.", **given)
    return "in a stream", kind, reply, failed(f"the answer was interrupted: No.{text}"), 1, []


def too_late(seconds: str, told: int) -> Any:
    code, text = 429, f" (the next try in {told} s would be after the time limit)"
    return final(code, text, headers={"retry-after": seconds})


NO_CREDIT = " (the account has no credit left)"
FINAL = rows(
    final(400, ""),
    final(401, " (the key was refused)"),
    final(402, NO_CREDIT),
    final(403, " (the key has no permission for this)"),
    final(404, " (the model or the address was not found)"),
    final(422, ""),
    final(501, ""),
    spent("quota", "openai completions responses", error="No.", code="insufficient_quota"),
    spent("billing", "openai", error="See your plan and billing details."),
    spent("billing kind", "anthropic", error="No.", type="billing_error"),
    spent("spend limit", "anthropic", error="No.", code="enforced_spend_limit_reached"),
    in_a_stream("openai", NO_CREDIT, code="insufficient_quota"),
    in_a_stream("anthropic", "", type="invalid_request_error"),
    too_late("3600", 3600),
    too_late("2600000", 86400),
    (
        "500s",
        "each",
        (Reply(status=500, error="No."),) * 7,
        failed("status 500: No. (asked 6 times)"),
        6,
        DOUBLED,
    ),
)


@pytest.mark.parametrize("case", (*BROKEN, *STATUSES, *FINAL))
def test_asks_again_waits_or_gives_up(trial: Any, case: Case) -> None:
    endpoint = trial.serve(*case.replies)
    assert outcome(trial, endpoint, case.kind) == case.outcome
    assert len(endpoint.posts) == case.requests
    assert trial.waits.slept == pytest.approx(case.waits, abs=0.05)


@pytest.mark.parametrize("kind", KINDS)
def test_nobody_listens(trial: Any, kind: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = "http://{}:{}".format(*server.getsockname())
    told = outcome(trial, url, kind)
    assert told == failed("no connection: [Errno 111] Connection refused (is the server running?)")
    assert trial.waits.slept == pytest.approx(DOUBLED[:1])


@pytest.mark.parametrize("kind", KINDS)
def test_what_began_well_may_end_without_a_word(trial: Any, kind: str) -> None:
    """Some endpoints never say it: the third time is believed, and so are all later ones."""
    endpoint = trial.serve(*[Reply(TEXT, fault="eof", after=9)] * 4)
    model = trial.model(kind, endpoint)
    assert [trial.ask(model).why for _ in range(2)] == ["end", "end"]
    assert len(endpoint.posts) == 4
    assert trial.memory.recall(endpoint.base_url(kind), "m").get("ends") is None
