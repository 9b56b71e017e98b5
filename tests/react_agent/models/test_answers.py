"""Answers with a status of 200 that are odd all the same."""

import gzip
import json
from dataclasses import dataclass, field
from typing import Any

import httpx2
import pytest
from fake_endpoint import KINDS, Reply
from loopback import Given, Loopback

from react_agent.errors import ModelError
from react_agent.models import sdk
from react_agent.models.contract import Begun, View, Why
from react_agent.models.wire import Pieces

TEXT = " look\nAction: b\nAction Input: c"
FICTION = f"{TEXT}\nObservation: it is\nThought: so"
GOOD = Reply(FICTION)
SAID = ("stop", TEXT)
FENCE = " see\nAction: create\nAction Input: a.md\n```\nx\nObservation: y\n```"
THOUGHT = "Hmm. " * 9


@dataclass(frozen=True)
class Case:
    kind: str
    replies: tuple[Reply, ...]
    said: tuple[str, str]  # why, and the text
    requests: int = 1
    learned: dict[str, str] = field(default_factory=dict)


def row(name: str, kinds: str, *replies: Reply, **expected: Any) -> list[Any]:
    return [
        pytest.param(Case(kind, replies, **expected), id=f"{name}-{kind}")
        for kind in (KINDS if kinds == "all" else kinds.split())
    ]


EMPTY = Reply("")
CIRCLE = "I should look at the file.\n"
REFUSED = Reply("", reason="content_filter", category="reasoning_extraction")
THIRD = {"requests": 3, "said": ("empty", "")}
NO_STOP = {"stop": "no"}
ROWS = [
    *row("good", "all", GOOD, said=SAID),
    *row("its own end", "all", Reply(" a\nConclusion: b"), said=("end", " a\nConclusion: b")),
    *row("stop in pieces", "all", Reply(chunks=tuple(FICTION)), said=SAID),
    *row("stop in one piece", "all", Reply(chunks=(FICTION,)), said=SAID),
    *row("goes in circles", "all", Reply(f" a\n{CIRCLE * 90}{TEXT}", drip=0.001),
         said=("repeats", f" a\n{CIRCLE}".rstrip())),
    *row("stop not honoured", "all", Reply(FICTION, enforce_stop=False), said=SAID),
    *row("stop left in", "all", Reply(FICTION, keep_stop=True), said=SAID),
    *row("stop told", "openai completions", Reply(FICTION, tell_stop=True), said=SAID),
    *row("a beginning of the stop", "openai completions", Reply(f"{TEXT}\nObserv"),
         said=("stop", f"{TEXT}\n")),
    *row("a beginning of the stop", "anthropic responses", Reply(f"{TEXT}\nObserv"),
         said=("end", f"{TEXT}\n")),
    *row("length", "all", Reply(TEXT, reason="length"), said=("length", TEXT)),
    *row("cut", "openai", Reply(TEXT, reason="insufficient_system_resource"), said=("cut", TEXT)),
    *row("window full", "anthropic", Reply(TEXT, reason="model_context_window_exceeded"),
         said=("context", TEXT)),
    *row("reasons", "anthropic openai responses", Reply(FICTION, reasoning=THOUGHT), said=SAID),
    *row("`reasoning`", "openai",
         Reply(FICTION, reasoning=THOUGHT, reasoning_field="reasoning"), said=SAID),
    *row("reasons about a stop", "anthropic openai responses",
         Reply(FICTION, reasoning="\nObservation: x\n"), said=SAID),
    *row("empty", "anthropic openai completions", EMPTY, GOOD, requests=2, said=SAID,
         learned=NO_STOP),
    *row("none", "openai", Reply(content_none=True), GOOD, requests=2, said=SAID, learned=NO_STOP),
    *row("empty ever", "responses", EMPTY, EMPTY, EMPTY, GOOD, **THIRD),
    *row("begins with the stop", "anthropic", Reply("\nObservation: x"), said=("empty", "")),
    *row("begins with the stop", "openai completions", *[Reply("\nObservation: x")] * 3,
         requests=2, said=("empty", "")),
    *row("refusal", "all", REFUSED, Reply(f" look{FICTION[5:]}".replace("Thought", "Note")),
         requests=2, said=SAID, learned={"note": "yes"}),
    *row("refusal on the way", "all", Reply(" look", reason="content_filter"), GOOD,
         requests=2, said=SAID, learned={"note": "yes"}),
    *row("refusal twice", "all", REFUSED, REFUSED, GOOD, requests=2, said=("refusal", "")),
    *row("refusal in words", "openai responses", *[Reply("", refusal="I won't.")] * 2, GOOD,
         requests=2, said=("refusal", "")),
    *row("no room left by reasoning", "all",
         Reply("", reasoning=THOUGHT, reason="length"), GOOD, requests=2, said=SAID,
         learned={"thinks": "yes"}),
    *row("no room ever", "all", *[Reply("", reasoning=THOUGHT, reason="length")] * 2, GOOD,
         requests=2, said=("length", "")),
    *row("cut in a fence", "anthropic openai", Reply(FENCE), Reply(FENCE), requests=2,
         said=("end", FENCE)),
    *row("cut in a fence", "completions", Reply(FENCE), Reply(" y\n```\nObservation: z"),
         requests=2, said=("stop", FENCE)),
    *row("not cut in a fence", "responses", Reply(FENCE), said=("end", FENCE)),
]  # fmt: skip

STREAM = "text/event-stream"
PART = {"type": "text", "text": " so\nConclusion: it"}
THINKING = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}


@pytest.mark.parametrize("case", ROWS)
def test_makes_the_best_of_it(trial: Any, case: Case) -> None:
    endpoint = trial.serve(*case.replies)
    said = trial.ask(trial.model(case.kind, endpoint))
    assert len(endpoint.posts) == case.requests
    assert (said.why, said.text) == case.said
    assert trial.known() == case.learned
    assert trial.waits.slept == []


def test_a_shape_that_leaves_no_text_is_not_sent_again(trial: Any) -> None:
    """Where a model thinks, llama.cpp returns what has the shape as its reasoning."""
    endpoint = trial.serve(Reply("", reasoning=TEXT, reason="length"), GOOD)
    view = View("Rules.\n", "Objective: x\n", (), "Thought:", tools=("b",))
    assert trial.ask(trial.model("openai", endpoint), view).text == TEXT
    assert ["grammar" in request.body for request in endpoint.posts] == [True, False]


def test_goes_on_from_a_cut(trial: Any) -> None:
    """The second request begins with what came of the first, and has no stop."""
    endpoint = trial.serve(Reply(FENCE), Reply(" y\n```\nObservation: z", enforce_stop=True))
    trial.ask(trial.model("completions", endpoint))
    first, second = (request.body for request in endpoint.posts)
    begun = FENCE.partition("\nObservation:")[0] + "\nObservation:"
    assert second["prompt"] == first["prompt"] + begun
    assert ("stop" in first, "stop" in second) == (True, False)


def test_a_cut_is_gone_on_from_once(trial: Any) -> None:
    endpoint = trial.serve(Reply(FENCE), Reply(" y\nand no end"), "never")
    said = trial.ask(trial.model("completions", endpoint))
    assert (said.why, said.text) == (Why.END, FENCE.replace(" y\n```", " y\nand no end"))
    assert len(endpoint.posts) == 2


def test_a_fault_on_the_way_begins_again(trial: Any) -> None:
    endpoint = trial.serve(Reply(FENCE), Reply(" y", fault="cut"), Reply(FENCE))
    said = trial.ask(trial.model("completions", endpoint))
    assert (said.why, said.text.rstrip()) == (Why.END, FENCE)
    assert len(endpoint.posts) == 3


def test_a_thought_alone_is_gone_on_from_its_action(trial: Any) -> None:
    endpoint = trial.serve(Reply(" I look."), Reply(" b\nAction Input: c\nObservation: d"))
    said = trial.ask(trial.model("completions", endpoint))
    assert (said.why, said.text) == (Why.STOP, " I look.\nAction: b\nAction Input: c")
    note = "the reply ended after its thought, so the model was asked to continue from `Action:`"
    assert said.notes == (note,)
    first, second = (request.body["prompt"] for request in endpoint.posts)
    assert second == f"{first} I look.\nAction:"


@pytest.mark.parametrize(
    ("kind", "text", "requests"),
    [
        pytest.param("openai", " I look.", 1, id="no text can be gone on with"),
        pytest.param("completions", " a\nConclusion: b", 1, id="a conclusion"),
        pytest.param("completions", " a\n```diff\n+b\n```", 1, id="an edit"),
        pytest.param("completions", ' a {"tool": "b"}', 1, id="a call in another format"),
        pytest.param("completions", " I look.", 2, id="once, and no more"),
    ],
)
def test_what_is_not_gone_on_from(trial: Any, kind: str, text: str, requests: int) -> None:
    endpoint = trial.serve(Reply(text), Reply(""), "never")
    trial.ask(trial.model(kind, endpoint))
    assert len(endpoint.posts) == requests


@pytest.mark.parametrize("kind", KINDS)
def test_rewords_after_a_refusal(trial: Any, kind: str) -> None:
    endpoint = trial.serve(REFUSED, Reply(" Note: look\nAction: b\nAction Input: c"), GOOD)
    model = trial.model(kind, endpoint)
    said = trial.ask(model, View("Write a Thought.\n", "Objective: x\n", (), "Thought:"))
    assert said.text == " Thought: look\nAction: b\nAction Input: c"
    first, second = (request.prompt for request in endpoint.posts)
    assert second.endswith("Note:" if kind == "completions" else "Objective: x")
    assert ("Thought" in first, "Thought" in second, "Write a Note." in second) == (1, 0, 1)
    trial.ask(model)
    assert "Thought" not in endpoint.posts[2].prompt
    assert not trial.memory.path.exists()  # another run begins as this one did


@pytest.mark.parametrize("kind", KINDS)
def test_tells_of_silent_truncation(trial: Any, kind: str) -> None:
    endpoint = trial.serve(GOOD, truncates=3000)
    if kind == "responses":  # it has no stop, and what is cut by us has no count
        endpoint = trial.serve(" a\nConclusion: b", truncates=3000)
    long = View("You are it.\n", "Objective: x\n" + "a word or two\n" * 2000, (), "Thought:")
    said = trial.ask(trial.model(kind, endpoint, stream="no"), long)
    assert said.window == 3000 + said.usage.reply
    [note] = said.notes
    assert note.endswith("give it a longer one (Ollama: OLLAMA_CONTEXT_LENGTH)")
    assert "silently dropped about" in note
    assert len(endpoint.posts) == 1


ODD = [
    pytest.param({"choices": [{"message": None, "delta": None, "text": None}]}, id="nothing said"),
    pytest.param({"choices": None, "content": None, "output": None}, id="nulls"),
    pytest.param({"choices": "no", "content": "no", "output": "no"}, id="texts"),
    pytest.param({}, id="nothing"),
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("stream", ["yes", "no"])
@pytest.mark.parametrize("body", ODD)
def test_what_is_not_of_this_api_is_asked_for_again(
    trial: Any, kind: str, stream: str, body: dict[str, Any]
) -> None:
    endpoint = trial.serve(Reply(fault="error200", error_body=body), GOOD)
    said = trial.ask(trial.model(kind, endpoint, stream=stream))
    assert (said.why, said.text) == SAID
    assert len(endpoint.posts) == 2


BEGUN = Begun(" ok\nAction: replace\nAction Input: a.py\n", "```python\ndef f():\n", "```", 100)
ASKED = View("long", "", (), "Thought:", instead=View("", "Fix it.\n\n", (), "Thought:", 0, BEGUN))
BODY = "    return 1\n"


@pytest.mark.parametrize(
    ("kind", "section", "reply", "text"),
    [
        pytest.param("completions", {}, f"{BODY}```\nSo", f"{BEGUN.text}{BODY}```", id="fence"),
        pytest.param("completions", {}, f"{BODY}\nx = 1\n", f"{BEGUN.text}{BODY}```", id="code"),
        pytest.param("completions", {}, "", BEGUN.text, id="nothing more"),
        pytest.param("openai", {"prefill": "yes"}, BODY, f"{BEGUN.text}{BODY}```", id="chat"),
        pytest.param("openai", {}, f"{BEGUN.code}{BODY}```", f"{BEGUN.code}{BODY}```", id="asked"),
    ],
)
def test_goes_on_from_what_was_begun(
    trial: Any, kind: str, section: dict[str, str], reply: str, text: str
) -> None:
    endpoint = trial.serve(Reply(reply, enforce_stop=False), "never")
    assert trial.ask(trial.model(kind, endpoint, **section), ASKED).text == text
    (request,) = endpoint.posts
    if kind == "completions":
        assert request.body["prompt"] == f"Fix it.\n\nThought:{BEGUN.text}"
        assert request.body["max_tokens"] == BEGUN.room
    else:
        roles = ["user", "assistant"] if section else ["user"]
        assert [one["role"] for one in request.body["messages"]] == roles
        assert request.body["messages"][-1]["content"] == (BEGUN.code if section else "Fix it.")


def test_comments_that_were_begun_are_left_out() -> None:
    begun = Begun("", "def f():\n    # Fixed:", "```", 100, lead="# Fixed:")
    reply = f"{begun.text} it\n    x = 1  # Fixed: no\n    # so\n    # Fixed: y\n    return x"
    assert begun.closed(reply) == "def f():\n    x = 1  # Fixed: no\n    # so\n    return x\n```"


@pytest.mark.parametrize(
    ("contents", "text"),
    [
        pytest.param([[THINKING], [PART]], " so\nConclusion: it", id="parts, as of Mistral"),
        pytest.param([5], None, id="a number"),
    ],
)
def test_a_content_that_is_no_text(trial: Any, contents: list[Any], text: str | None) -> None:
    deltas = [{"content": content} for content in contents]
    chunks = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    lines = "".join(f"data: {json.dumps({'id': '1', **chunk})}\n\n" for chunk in chunks)
    given = Given(f"{lines}data: [DONE]\n\n".encode(), headers={"Content-Type": STREAM})
    with Loopback({"POST /{path*}": lambda asked, path: given}) as server:
        model = trial.model("openai", server.url)
        if text is None:
            with pytest.raises(ModelError):
                trial.ask(model)
        else:
            assert trial.ask(model).text == text


@pytest.mark.attack("an answer without end: {id}", by="endpoint", wall="limits")
@pytest.mark.parametrize("kind", [STREAM, "application/json"])
def test_an_answer_that_unpacks_to_too_much(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(sdk, "_LARGEST", 1 << 21)
    packed = gzip.compress(b"data: x\n" * (1 << 20))
    headers = {"Content-Type": kind, "Content-Encoding": "gzip"}
    answer = httpx2.Response(200, headers=headers, content=iter([packed]))
    with pytest.raises(ValueError, match="the answer is longer than 2 MB"):
        list(sdk.pieces_of(answer, streamed=_no_pieces, whole=_no_pieces))


def _no_pieces(_: object) -> Pieces:
    yield from ()
