"""The endpoint as the real SDKs see it, and what it sees of them."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import anthropic
import httpx2
import openai
import pytest
from fake_caller import APIS, PROMPT, Caller, Heard, plain_http
from fake_endpoint import FakeEndpoint, Reply

STOP = "\nObservation:"
TURN = "Thought: look first\nAction: ls"
FICTION = f"{TURN}{STOP} a.py"
WITH_STOP = APIS[:3]
ENDED = {"messages": "end_turn", "chat": "stop", "completions": "stop", "responses": "completed"}

each_api = pytest.mark.parametrize("api", APIS)
each_way = pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])


@pytest.fixture
def http() -> Iterator[httpx2.Client]:
    with plain_http(timeout=5) as client:
        yield client


def _told(api: str, error: Exception) -> tuple[int | None, str]:
    """Status and text, which the SDKs keep in different places."""
    text = error.api_message if api == "messages" else error.body["message"]
    return getattr(error, "status_code", None), text


@each_way
@each_api
def test_says_the_text(http: httpx2.Client, api: str, stream: bool) -> None:
    reasoning = "" if api == "completions" else "hmm, let me see"
    reply = Reply(TURN, reasoning=reasoning, usage=(90, 12))
    with FakeEndpoint([reply]) as endpoint:
        heard = Caller(endpoint.url, http).hear(api, stream)
        [request] = endpoint.settled()
    chunks = 5 if stream else 0
    assert heard == Heard(TURN, ENDED[api], reasoning, (90, 12), chunks)
    assert (request.sent, request.offered, request.closed_early) == (len(TURN), len(TURN), False)
    assert (request.prompt, request.status, request.streamed) == (PROMPT, 200, stream)


@each_way
@pytest.mark.parametrize("api", WITH_STOP)
def test_stops(http: httpx2.Client, api: str, stream: bool) -> None:
    replies = [
        Reply(FICTION),
        Reply(chunks=(TURN, "\nObser", "vation: a")),
        Reply(FICTION, keep_stop=True),
        Reply(FICTION, enforce_stop=False),
    ]
    with FakeEndpoint(replies) as endpoint:
        caller = Caller(endpoint.url, http)
        heard = [caller.hear(api, stream, stop=STOP) for _ in replies]
    stopped = "stop_sequence" if api == "messages" else "stop"
    assert [(each.text, each.why) for each in heard] == [
        (TURN, stopped),
        (TURN, stopped),
        (TURN + STOP, stopped),
        (FICTION, ENDED[api]),
    ]
    assert heard[0].usage == (24, 8)


@each_way
@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        pytest.param(
            Reply(reason="length"),
            ("max_tokens", "length", "length", "incomplete"),
            id="length",
        ),
        pytest.param(
            Reply(reason="refusal", refusal="No."),
            ("refusal", "content_filter", "content_filter", "completed"),
            id="refusal",
        ),
        pytest.param(
            Reply(reason="model_context_window_exceeded"),
            ("model_context_window_exceeded", "length", "length", "incomplete"),
            id="window",
        ),
        pytest.param(Reply(content_none=True), tuple(ENDED.values()), id="no content"),
    ],
)
def test_ends(http: httpx2.Client, stream: bool, reply: Reply, expected: tuple[str, ...]) -> None:
    with FakeEndpoint(lambda _: reply) as endpoint:
        caller = Caller(endpoint.url, http)
        heard = [caller.hear(api, stream) for api in APIS]
    assert tuple(each.why for each in heard) == expected
    assert {each.text or "" for each in heard} <= {"", "No."}


PARSING = "JSONDecodeError"
LOST = "APIConnectionError"
LATE = "APITimeoutError"
NOTHING = Heard()
CUT = Heard("Thought: look ", chunks=2)
# Seen by the caller: from Anthropic, chat and completions, responses; whole, then streamed.
FAULTS = {
    "refuse": ((LOST, LOST, LOST), (LOST, LOST, LOST)),
    "hang": ((LATE, LATE, LATE), (LATE, LATE, LATE)),
    "html": (("AttributeError",) * 3, (NOTHING, NOTHING, NOTHING)),
    "json": (("", "", ""), (NOTHING, NOTHING, NOTHING)),
    "error200": (
        ("TypeError", "TypeError", "TypeError"),
        ("APIStatusError 200", "APIError", Heard(error="error")),
    ),
    "cut": ((LOST, LOST, LOST), ("RemoteProtocolError", LOST, LOST)),
    "reset": ((LOST, LOST, LOST), ("ReadError", LOST, LOST)),
    "eof": ((PARSING, PARSING, PARSING), (CUT, CUT, CUT)),
    "stall": ((LATE, LATE, LATE), ("ReadTimeout", LATE, LATE)),
    "error": (
        ("OverloadedError 529", "InternalServerError 500", "InternalServerError 500"),
        ("APIStatusError 200", "APIError", Heard(CUT.text, chunks=2, error="error")),
    ),
    "failed": (
        ("OverloadedError 529", "InternalServerError 500", "InternalServerError 500"),
        ("APIStatusError 200", "APIError", Heard(CUT.text, chunks=2, error="response.failed")),
    ),
    "garbage": ((PARSING, PARSING, PARSING), (PARSING, PARSING, PARSING)),
}


def _outcome(caller: Caller, api: str, stream: bool) -> Heard | str:
    try:
        heard = caller.hear(api, stream)
    except Exception as error:  # noqa: BLE001  the table says which
        return f"{type(error).__name__} {getattr(error, 'status_code', '')}".strip()
    return heard if stream else ""


@each_way
@pytest.mark.parametrize("fault", FAULTS)
def test_fails(http: httpx2.Client, fault: str, stream: bool) -> None:
    http.timeout = 0.2 if fault in ("hang", "stall") else 5
    with FakeEndpoint(lambda _: Reply(TURN, fault=fault)) as endpoint:
        caller = Caller(endpoint.url, http)
        outcomes = [_outcome(caller, api, stream) for api in APIS]
        requests = endpoint.settled()
    messages, openai_, responses = FAULTS[fault][stream]
    assert outcomes == [messages, openai_, openai_, responses]
    assert {request.closed_early for request in requests} == {fault in ("hang", "stall")}


@each_api
def test_answers_with_an_error(http: httpx2.Client, api: str) -> None:
    reply = Reply(
        status=429, error="slow down", code="slow", param="p", headers={"retry-after": "7"}
    )
    with FakeEndpoint([reply]) as endpoint:
        caller = Caller(endpoint.url, http)
        with pytest.raises((anthropic.RateLimitError, openai.RateLimitError)) as raised:
            caller.hear(api)
    assert _told(api, raised.value) == (429, "slow down")
    assert raised.value.response.headers["retry-after"] == "7"
    code = raised.value.error_code if api == "messages" else raised.value.code
    assert code == "slow"


@pytest.mark.parametrize("api", WITH_STOP)
def test_sees_a_client_leave(http: httpx2.Client, api: str) -> None:
    with FakeEndpoint([Reply("x" * 700, drip=0.01)]) as endpoint:
        stream = Caller(endpoint.url, http).begin(api, stream=True)
        for _ in range(5):
            next(stream)
        stream.close()
        left = time.monotonic()
        [request] = endpoint.settled()
    assert time.monotonic() - left < 0.5
    assert request.closed_early
    assert 7 <= request.sent < 350
    assert request.offered == 700


def test_closes_at_once_while_clients_wait(http: httpx2.Client) -> None:
    replies = [Reply(fault="hang"), Reply(TURN, fault="stall"), Reply(TURN, drip=9)]
    with ThreadPoolExecutor(3) as pool, FakeEndpoint(replies) as endpoint:
        caller = Caller(endpoint.url, http)
        for _ in replies:
            pool.submit(_outcome, caller, "chat", True)
        while len(endpoint.requests) < len(replies):
            time.sleep(0.01)
        began = time.monotonic()
        endpoint.close()
        assert time.monotonic() - began < 1
        assert not any(request.closed_early for request in endpoint.settled())
