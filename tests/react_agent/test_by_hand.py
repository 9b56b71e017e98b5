"""An endpoint that a person answers, asked by the real SDKs."""

import http.client
import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from check_rows import table_of
from fake_caller import PROMPT, Caller, plain_http

from react_agent import loopback
from react_agent.by_hand import Desk, Folder, Shown, read_reply

REPLY = "I look.\nAction: list_files\n\u2028 é\nObservation: made up"
CUT = "I look.\nAction: list_files\n\u2028 é\n"
STOP = "Observation:"
APIS = ("chat", "completions")


@pytest.fixture(scope="module")
def sdk_http() -> Iterator[httpx2.Client]:
    with plain_http() as client:
        yield client


@contextmanager
def answered(*replies: str) -> Iterator[str]:
    """Its address; the replies are given in turn."""
    desk = Desk()

    def give() -> None:
        for reply in replies:
            desk.questions.get(timeout=10).replies.put(reply)

    giving = threading.Thread(target=give)
    with loopback.served(desk.answer) as port:
        giving.start()
        yield f"http://127.0.0.1:{port}"
        giving.join()


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("api", APIS)
def test_answers_with_what_was_written(sdk_http: httpx2.Client, api: str, stream: bool) -> None:
    with answered(REPLY) as url:
        heard = Caller(url, sdk_http).hear(api, stream, stop=STOP)
    assert (heard.text, heard.why) == (CUT, "stop")
    assert heard.usage is not None
    assert min(heard.usage) > 0


@pytest.mark.parametrize("api", APIS)
def test_shows_the_whole_prompt(sdk_http: httpx2.Client, api: str) -> None:
    desk, prompts = Desk(), list[str]()

    def give() -> None:
        question = desk.questions.get(timeout=10)
        prompts.append(question.prompt)
        question.replies.put("well")

    giving = threading.Thread(target=give)
    giving.start()
    with loopback.served(desk.answer) as port:
        Caller(f"http://127.0.0.1:{port}", sdk_http).hear(api)
    giving.join()
    assert prompts == [PROMPT if api == "completions" else f"[user]\n{PROMPT}"]


def test_says_that_it_is_still_there(sdk_http: httpx2.Client) -> None:
    """A person takes minutes: what waits for the first byte would have left by then."""
    desk = Desk(still_here=0.01)

    def give() -> None:
        question = desk.questions.get(timeout=10)
        threading.Timer(0.2, question.replies.put, ["well"]).start()

    impatient = httpx2.Timeout(0.1)
    for stream in (False, True):
        threading.Thread(target=give).start()
        with loopback.served(desk.answer) as port:
            caller = Caller(f"http://127.0.0.1:{port}", sdk_http)
            assert caller.hear("chat", stream, timeout=impatient).text == "well"


def test_notices_who_has_left(sdk_http: httpx2.Client) -> None:
    desk = Desk(still_here=0.01)
    with loopback.served(desk.answer) as port:
        body = {"model": "m", "prompt": "x", "stream": True}
        with sdk_http.stream(
            "POST", f"http://127.0.0.1:{port}/v1/completions", json=body
        ) as answer:
            assert next(answer.iter_raw()).startswith(b":")
        question = desk.questions.get(timeout=10)
        for _ in itertools.takewhile(lambda _: not question.is_left, range(500)):
            threading.Event().wait(0.01)
    assert question.is_left


@table_of(
    ("change", "expected"),
    [
        pytest.param({"headers": {"Host": "evil.example"}}, 403, id="rebound name"),
        pytest.param({"headers": {"Origin": "http://evil.example"}}, 403, id="page of the web"),
        pytest.param({"headers": {"Transfer-Encoding": "chunked"}}, 411, id="no length"),
        pytest.param({"headers": {"Content-Length": "99999999999"}}, 413, id="too long"),
        pytest.param({"content": b"{"}, 400, id="no JSON"),
        pytest.param({"content": b"[]"}, 400, id="no object"),
        pytest.param({"content": b'{"prompt": "x"}'}, 400, id="no model"),
        pytest.param({"content": b'{"model": "x"}'}, 400, id="no prompt"),
        pytest.param({"path": "/v1/else"}, 404, id="elsewhere"),
        pytest.param({"path": "/v1/messages"}, 404, id="gone"),
        pytest.param({"method": "DELETE"}, 404, id="another method"),
        pytest.param({"method": "GET", "path": "/v1/models/any"}, 200, id="a model"),
        pytest.param({"method": "GET", "path": "/v1/models"}, 200, id="its models"),
    ],
)
def test_refuses(change: dict[str, Any], expected: int) -> None:
    asked = {"method": "POST", "path": "/v1/completions", "content": b"{}", **change}
    with loopback.served(Desk().answer) as port:
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
        loopback.served(Desk().answer) as port,
        pytest.raises(loopback.CannotServe) as raised,
        loopback.served(Desk().answer, port),
    ):
        pass
    assert str(raised.value) == f"port {port} is in use: choose another one with --port"


FIRST = "Rules.\n" * 100 + "Objective: x\nThought:"
GROWN = FIRST + " I look.\nAction: ls\nObservation: a\nThought:"


@table_of(
    ("reply", "prompt", "expected"),
    {
        "grown": ("I look.\nAction: ls\n", GROWN, "Observation: a\nThought:"),
        "another reply than was given": (
            "something else",
            GROWN,
            "Thought: I look.\nAction: ls\nObservation: a\nThought:",
        ),
        "another prompt": ("x", "Another.\n", "Another.\n"),
        "asked again": ("x", FIRST, "Thought:"),
    },
)
def test_shows_what_is_new(reply: str, prompt: str, expected: str) -> None:
    shown = Shown()
    assert shown.new_in(FIRST) == FIRST
    shown.add(FIRST, reply)
    assert shown.new_in(prompt) == expected


def test_shows_no_line_of_a_conversation_again() -> None:
    shown, begun = Shown(), "[system]\n" + "Rules.\n" * 100 + "\n[user]\nObjective: x"
    shown.add(begun, "Action: ls")
    answer = "\n\n[assistant]\nAction: ls\n\n[user]\nObservation: a"
    assert shown.new_in(begun + answer) == "[user]\nObservation: a"


def test_two_runs_take_turns() -> None:
    shown = Shown()
    shown.add(FIRST, "I look.\nAction: ls")
    shown.add(FIRST.replace("Rules", "Roles"), "x")
    assert shown.new_in(GROWN) == "Observation: a\nThought:"


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


def test_answers_by_files(tmp_path: Path, sdk_http: httpx2.Client) -> None:
    (tmp_path / "006.prompt").write_text("of an earlier time")
    (tmp_path / "008.reply").write_text("as prepared\n")
    desk, folder, heard = Desk(), Folder(tmp_path), list[str]()

    def ask() -> None:
        caller = Caller(f"http://127.0.0.1:{port}", sdk_http)
        heard.extend(caller.hear("completions").text for _ in range(2))

    with loopback.served(desk.answer) as port:
        asking = threading.Thread(target=ask)
        asking.start()
        place = folder.take(desk.questions.get(timeout=10))
        assert (place.name, folder.answered()) == ("007.reply", [])
        place.write_text("")
        assert folder.answered() == []
        place.write_text("half")
        assert folder.answered() == []  # it may grow
        place.write_text("half and half\n")
        assert folder.answered() == []
        assert folder.answered() == [place]
        folder.take(desk.questions.get(timeout=10))
        assert [len(folder.answered()) for _ in range(2)] == [0, 1]
        asking.join()
    assert heard == ["half and half", "as prepared"]
    assert (tmp_path / "007.prompt").read_text() == f"{PROMPT}\n"
