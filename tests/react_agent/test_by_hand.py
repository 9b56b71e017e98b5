"""An endpoint that a person answers, asked by the real SDKs."""

import http.client
import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
import pytest
from check_rows import table_of
from fake_caller import PROMPT, Caller, plain_http

from react_agent.by_hand import CannotServe, Desk, new_part, read_reply, served

CUT = "I look.\nAction: list_files\n\u2028 é\n"


@pytest.fixture(scope="module")
def sdk_http() -> Iterator[httpx2.Client]:
    with plain_http() as client:
        yield client


@contextmanager
def answered(reply: str, after: float = 0.0, **desk: float) -> Iterator[tuple[str, list[str]]]:
    """Its address, and the prompts; a person gives this reply to each of them."""
    asked, prompts = Desk(**desk), list[str]()

    def give() -> None:
        while True:
            question = asked.questions.get()
            prompts.append(question.prompt)
            threading.Timer(after, question.replies.put, [reply]).start()

    threading.Thread(target=give, daemon=True).start()
    with served(asked) as port:
        yield f"http://127.0.0.1:{port}", prompts


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("api", ("chat", "completions"))
def test_shows_the_prompt_and_answers_with_what_was_written(
    sdk_http: httpx2.Client, api: str, stream: bool
) -> None:
    with answered("I look.\nAction: list_files\n\u2028 é\nObservation: made up") as (url, prompts):
        heard = Caller(url, sdk_http).hear(api, stream, stop="Observation:")
    assert (heard.text, heard.why) == (CUT, "stop")
    assert heard.usage is not None
    assert min(heard.usage) > 0
    assert prompts == [PROMPT if api == "completions" else f"[user]\n{PROMPT}"]


def test_says_that_it_is_still_there(sdk_http: httpx2.Client) -> None:
    """A person takes minutes: what waits for the first byte would have left by then."""
    impatient = httpx2.Timeout(0.1)
    with answered("well", after=0.2, still_here=0.01) as (url, _):
        for stream in (False, True):
            assert Caller(url, sdk_http).hear("chat", stream, timeout=impatient).text == "well"


def test_notices_who_has_left(sdk_http: httpx2.Client) -> None:
    desk = Desk(still_here=0.01)
    with served(desk) as port:
        body = {"model": "m", "prompt": "x", "stream": True}
        with sdk_http.stream(
            "POST", f"http://127.0.0.1:{port}/v1/completions", json=body
        ) as answer:
            assert next(answer.iter_raw()).startswith(b":")
        question = desk.questions.get(timeout=10)
        for _ in itertools.takewhile(lambda _: not question.is_left, range(500)):
            threading.Event().wait(0.01)
    assert question.is_left


@pytest.mark.attack(
    "a page of the web that has its name point at `endpoint --by-hand`", by="page", wall="loopback"
)
@table_of(
    ("change", "expected"),
    {
        "rebound name": ({"headers": {"Host": "evil.example"}}, 403),
        "page of the web": ({"headers": {"Origin": "http://evil.example"}}, 403),
        "no length": ({"headers": {"Transfer-Encoding": "chunked"}}, 411),
        "too long": ({"headers": {"Content-Length": "99999999999"}}, 413),
        "no JSON": ({"content": b"{"}, 400),
        "no model": ({"content": b'{"prompt": "x"}'}, 400),
        "no prompt": ({"content": b'{"model": "x"}'}, 400),
        "gone": ({"path": "/v1/messages"}, 404),
        "a model": ({"method": "GET", "path": "/v1/models/any"}, 200),
        "its models": ({"method": "GET", "path": "/v1/models"}, 200),
    },
)
def test_refuses(change: dict[str, Any], expected: int) -> None:
    asked = {"method": "POST", "path": "/v1/completions", "content": b"{}", **change}
    with served(Desk()) as port:
        client = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        client.putrequest(asked["method"], asked["path"], skip_host=True)
        always = {"Host": "localhost", "Content-Length": str(len(asked["content"]))}
        for name, value in {**always, **change.get("headers", {})}.items():
            client.putheader(name, value)
        client.endheaders(asked["content"])
        assert client.getresponse().status == expected
        client.close()


def test_a_port_is_for_one() -> None:
    with (
        served(Desk()) as port,
        pytest.raises(CannotServe) as raised,
        served(Desk(), port),
    ):
        pass
    assert str(raised.value) == f"port {port} is in use: choose another one with --port"


FIRST = "Rules.\n" * 100 + "Objective: x\nThought:"
CHAT = "[system]\n" + "Rules.\n" * 100 + "\n[user]\nObjective: x"
GROWN = FIRST + " I look.\nAction: ls\nObservation: a\nThought:"


@table_of(
    ("before", "prompt", "expected"),
    {
        "the first": ("", FIRST, FIRST),
        "grown": (FIRST, GROWN, "Thought: I look.\nAction: ls\nObservation: a\nThought:"),
        "another prompt": (FIRST, "Another.\n", "Another.\n"),
        "asked again": (FIRST, FIRST, FIRST),
        "another run": (FIRST, FIRST.replace(": x", ": y"), "Objective: y\nThought:"),
        "a conversation": (CHAT, f"{CHAT}\n\n[user]\nObservation: a", "[user]\nObservation: a"),
    },
)
def test_shows_what_is_new(before: str, prompt: str, expected: str) -> None:
    assert new_part(before, prompt) == expected


@table_of(
    ("text", "expected"),
    {
        "nothing": ("", None),
        "empty lines": ("\n \n", None),
        "to the end": ("a\nb", "a\nb"),
        "to an empty line": ("\na\n\nb\n", "a"),
        "fence": ("Action: x\n```\na\n\nb\n```\n\nc\n", "Action: x\n```\na\n\nb\n```"),
        "here-document": (
            "Action: run\nAction Input: cat <<END\na\n\nb\nEND\n\nc\n",
            "Action: run\nAction Input: cat <<END\na\n\nb\nEND",
        ),
        "a context line of one space": ("@@\n-a\n \n+b\n\nc\n", "@@\n-a\n \n+b"),
        "block": (
            "<<<<<<< SEARCH\na\n\nb\n=======\n\n>>>>>>> REPLACE\n\nc\n",
            "<<<<<<< SEARCH\na\n\nb\n=======\n\n>>>>>>> REPLACE",
        ),
    },
)
def test_reads_a_reply(text: str, expected: str | None) -> None:
    lines = iter(text.splitlines(keepends=True))
    assert read_reply(lambda: next(lines, "")) == expected
