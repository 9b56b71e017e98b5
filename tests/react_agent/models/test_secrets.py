"""A key is in what is sent, and nowhere else, whatever an endpoint says."""

import logging
import socket
import threading
import traceback
from typing import Any

import pytest
from fake_endpoint import KINDS, Reply

from react_agent.errors import ModelError
from react_agent.models.endpoint import find_endpoint

TEXT = " look\nAction: b\nAction Input: c"
KEY = "sk-secret-of-the-tests"
ECHO = f"Incorrect key {KEY} (Bearer {KEY}), see /keys/{KEY}?key={KEY}"
CASES = [
    pytest.param((Reply(status=401, error=ECHO),), id="401"),
    pytest.param((Reply(status=400, error=ECHO, code=KEY, param=KEY, type=KEY),), id="400"),
    pytest.param((Reply(status=403, error="", code=KEY),), id="code alone"),
    pytest.param((Reply(status=500, error=ECHO),) * 6, id="500s"),
    pytest.param((Reply(status=429, error=ECHO, headers={"retry-after": "999"}),), id="429"),
    pytest.param((Reply(TEXT, fault="error", error=ECHO),) * 6, id="in a stream"),
    pytest.param((Reply(fault="error200", error=ECHO),) * 6, id="with status 200"),
    pytest.param((Reply(fault="refuse"),) * 6, id="no answer"),
    pytest.param((Reply(TEXT, fault="garbage"),) * 6, id="garbage"),
    pytest.param((Reply(status=404, error_body={"error": ECHO}),), id="a plain error"),
    pytest.param((Reply(status=400, error="x" * 295 + KEY),), id="cut in the middle of it"),
]


def chain(error: BaseException | None) -> list[BaseException]:
    return [error, *chain(error.__cause__), *chain(error.__context__)] if error else []


@pytest.mark.parametrize("kind", ["anthropic", "openai"])  # one of each library
@pytest.mark.parametrize("replies", CASES)
def test_no_error_holds_the_key(
    trial: Any, caplog: pytest.LogCaptureFixture, kind: str, replies: tuple[Reply, ...]
) -> None:
    caplog.set_level(logging.DEBUG)
    for name in ("httpx2", "httpcore2", "openai", "anthropic"):
        caplog.set_level(logging.DEBUG, name)
    endpoint = trial.serve(*replies)
    with pytest.raises(ModelError) as raised:
        trial.ask(trial.model(kind, endpoint))
    found = chain(raised.value)
    told = [f"{error} {error!r} {error.args}" for error in found]
    told += ["".join(traceback.format_exception(raised.value)), "".join(trial.shown), caplog.text]
    told += [path.read_text() for path in trial.folder.rglob("*.txt")]
    assert KEY[:12] not in "\n".join(told)
    assert len(found) == 1
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 450
    assert any(KEY in str(request.headers) for request in endpoint.requests)


@pytest.mark.parametrize("kind", KINDS)
def test_no_log_holds_the_key(trial: Any, caplog: pytest.LogCaptureFixture, kind: str) -> None:
    for name in (None, "httpx2", "httpcore2", "openai", "anthropic"):
        caplog.set_level(logging.DEBUG, name)
    trial.ask(trial.model(kind, trial.serve(Reply(f"{TEXT}\nObservation: x"), refuses=["stop"])))
    assert KEY not in caplog.text
    assert KEY not in (trial.memory.path.read_text() if trial.memory.path.exists() else "")


def test_no_value_of_ours_shows_it(trial: Any) -> None:
    endpoint = find_endpoint("openai/m@https://x/v1 key=K", {}, {"K": KEY})
    assert KEY not in repr(endpoint) + repr(trial.model("openai", "http://127.0.0.1:9"))


@pytest.mark.parametrize(("kind", "status"), [*zip(KINDS, (301, 302, 307, 308), strict=True)])
def test_no_other_host_gets_it(trial: Any, kind: str, status: int) -> None:
    """One header of two is taken along by the library: no redirect is followed."""
    other = trial.serve("never")
    head = f"HTTP/1.1 {status} Moved\r\nlocation: {other.url}/v1\r\ncontent-length: 0\r\n\r\n"
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_answer_one, args=(server, head.encode()), daemon=True).start()
        url = "http://{}:{}".format(*server.getsockname())
        with pytest.raises(ModelError, match=f"status {status}: it moved to {other.url}/v1$"):
            trial.ask(trial.model(kind, url, window="9999"))
    assert other.requests == []


OF_THE_SDKS = (
    *("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_CUSTOM_HEADERS"),
    *("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"),
    *("OPENAI_CUSTOM_HEADERS", "OPENAI_WEBHOOK_SECRET"),
)


@pytest.mark.parametrize(("kind", "key"), [*zip(KINDS, (KEY, "", "", KEY), strict=True)])
def test_another_address_gets_nothing_of_the_environment(
    trial: Any, monkeypatch: pytest.MonkeyPatch, kind: str, key: str
) -> None:
    """The SDKs read it by themselves, and send what they find."""
    for name in OF_THE_SDKS:
        monkeypatch.setenv(name, f"Authorization: {name}\nX-Api-Key: {name}\nX-Other: {name}")
    environment = {**dict.fromkeys(OF_THE_SDKS, "others"), "MINE": key}
    endpoint = trial.serve(TEXT)
    spec = f"{kind}/m@{endpoint.base_url(kind)}" + (" key=MINE" if key else "")
    trial.ask(trial.endpoints().model(find_endpoint(spec, {}, environment)))
    assert len(endpoint.requests) == 2  # the window, and the turn
    for request in endpoint.requests:
        headers = {name.lower(): value for name, value in request.headers.items()}
        assert headers["authorization"] == f"Bearer {key or 'none'}"
        assert [name for name in OF_THE_SDKS if name in str(headers)] == []


def test_the_makers_pair_gets_what_the_environment_says(
    trial: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Team: blue")
    endpoint = trial.serve(TEXT)
    environment = {"OPENAI_BASE_URL": f"{endpoint.url}/v1", "OPENAI_API_KEY": KEY}
    trial.ask(trial.endpoints().model(find_endpoint("openai/m", {}, environment)))
    for request in endpoint.requests:
        assert request.headers["authorization"] == f"Bearer {KEY}"
        assert request.headers["x-team"] == "blue"


def _answer_one(server: socket.socket, answer: bytes) -> None:
    connection, _ = server.accept()
    with connection:
        connection.recv(100_000)
        connection.sendall(answer)
        connection.recv(1)
