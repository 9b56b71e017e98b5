"""What an endpoint has seen stays as it was: all but the last block is the next one's beginning."""

import itertools
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from check_rows import table_of
from fake_endpoint import KINDS, Reply, Request
from hypothesis import given
from hypothesis import strategies as st

from react_agent.models.contract import View, fingerprint
from react_agent.models.wire import Message, messages, prompt
from react_agent.parsers.transcript.writer import objective_text, observation_text, turn_text
from react_agent.parsers.turn.turn import Kind, Turn, parse_turn

SYSTEM = "You are told what to do.\n\n"
TEXT = " look\nAction: b\nAction Input: c\n"
LABELS = (
    "Thought: ",
    "Action: ",
    "Action Input: ",
    "Observation: ",
    "\\Observation:",
    "Objective:",
)
texts = st.lists(
    st.sampled_from([*LABELS, "\n", "\n\n", " ", "x", "```\n", "\r", "%% a: b", "</b>", "é"])
    | st.text(max_size=5)
).map("".join)


def views() -> Iterator[View]:
    """Six steps of a conversation, with a hint now and then."""
    turns: tuple[str, ...] = ()
    for step in range(6):
        hint = f"(hint {step})\n" if step % 2 else ""
        yield View(SYSTEM, objective_text("do it\nThought: now\n"), turns, f"{hint}Thought:")
        reply = f" look at {step}\nAction: read\nAction Input:\n```\nObservation: {step}\n\n```\n"
        turn = turn_text(parse_turn(reply, tools=("read",)))
        turns += (turn + observation_text(f"line {step}\nObservation: no\n\n  "),)


def texts_of(request: Request) -> list[str]:
    """Roles and texts, in the order in which a model reads them."""
    body = request.body
    if "prompt" in body:
        return [body["prompt"]]
    found = [body.get("instructions", ""), json.dumps(body.get("system", ""))]
    for message in body.get("messages") or body["input"]:
        content = message["content"]
        blocks = [content] if isinstance(content, str) else [one["text"] for one in content]
        found += [message["role"], *blocks]
    return found


def asked(trial: Any, kind: str, **section: str) -> list[Request]:
    """For all of them, in a conversation."""
    endpoint = trial.serve(*[Reply(TEXT)] * 6)
    model = trial.model(kind, endpoint, **section)
    for view in views():
        trial.ask(model, view)
    return list(endpoint.posts)


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_seen_stays(trial: Any, kind: str) -> None:
    seen = [texts_of(request) for request in asked(trial, kind)]
    for before, after, view in zip(seen, seen[1:], views(), strict=False):
        hint = view.tail.removesuffix("Thought:").strip()
        stays = "\0".join(before).removesuffix("Thought:").rstrip()
        stays = stays.removesuffix(hint).rstrip("\0\n")
        assert "\0".join(after).startswith(stays)


@pytest.mark.parametrize("kind", KINDS)
def test_no_message_is_empty_or_ends_in_a_blank(trial: Any, kind: str) -> None:
    for request in asked(trial, kind, prefill="yes"):
        told, *others = texts_of(request)
        assert kind == "completions" or others
        assert all(text == text.strip() != "" for text in others)
        assert told == told.rstrip()


def test_marks_what_stays_for_the_cache(trial: Any) -> None:
    for request in asked(trial, "anthropic"):
        *_, last = request.body["messages"]
        marked = [
            block["text"]
            for message in request.body["messages"]
            for block in message["content"]
            if "cache_control" in block
        ]
        assert marked == [last["content"][0]["text"]]
        assert "cache_control" in request.body["system"][0]


def test_no_instructions_are_no_empty_text(trial: Any) -> None:
    """A guided run asks for a function without any."""
    endpoint = trial.serve(Reply(TEXT))
    trial.ask(trial.model("anthropic", endpoint), View("", "Objective: x\n", (), "Thought:"))
    [request] = endpoint.posts
    assert "system" not in request.body


SHAPE = """\
line (action | conclusion)
line ::= " "? [^ \\n] [^\\n]* "\\n"
action ::= "Action:" " " ("grep" | "run") "\\n" "Action Input:" text
conclusion ::= "Conclusion:" text
text ::= ([^\\n] | "\\n")*"""


@table_of(
    ("kind", "section", "shape"),
    {
        "a chat": ("openai", {}, f'root ::= "Thought:" {SHAPE}'),
        "a chat whose reply is begun": ("openai", {"prefill": "yes"}, f"root ::= {SHAPE}"),
        "a growing text": ("completions", {}, f"root ::= {SHAPE}"),
        "not wanted": ("openai", {"grammar": "no"}, None),
        "other labels": ("openai", {"note": "yes"}, None),
        "no such field": ("responses", {}, None),
        "no such field at Anthropic": ("anthropic", {}, None),
    },
)
def test_the_shape_of_a_turn(
    trial: Any, kind: str, section: dict[str, str], shape: str | None
) -> None:
    endpoint = trial.serve(*[Reply(TEXT)] * 2)
    model = trial.model(kind, endpoint, **section)
    for tools in (("grep", "run"), ()):
        trial.ask(model, View(SYSTEM, "Objective: do it\n", (), "Thought:", tools=tools))
    assert [request.body.get("grammar") for request in endpoint.posts] == [shape, None]


@table_of(
    ("tail", "begun", "expected"),
    {
        "first": ("Thought:", "", (Message("user", "Objective: x"),)),
        "hints": ("(a)\n(b)\nThought:", "", (Message("user", "Objective: x", "(a)\n(b)"),)),
        "prefill": (
            "(a)\nThought:",
            "Thought: ",
            (Message("user", "Objective: x", "(a)"), Message("assistant", "Thought:")),
        ),
    },
)
def test_lays_out(tail: str, begun: str, expected: tuple[Message, ...]) -> None:
    assert messages(View(SYSTEM, "Objective: x\n", (), tail), begun) == expected


def test_what_a_person_said_is_no_text_of_the_model() -> None:
    """Of a step that is not shown any more, only that is left."""
    told, turn = "(from the maintainer: hurry)\n", "Thought: a\nAction: b\nObservation: d\n"
    assert messages(View(SYSTEM, "Objective: x\n", (told, turn, told, told), "Thought:")) == (
        Message("user", f"Objective: x\n{told.strip()}"),
        Message("assistant", "Thought: a\nAction: b"),
        Message("user", f"Observation: d\n{told}{told.strip()}"),
    )


@given(texts, texts, texts, st.sampled_from([Kind.ACTION, Kind.CONCLUSION, Kind.MALFORMED]))
def test_turns_are_parted_exactly(said: str, given: str, seen: str, kind: Kind) -> None:
    """Whatever a model says and a tool answers: no line of it passes for an observation."""
    turn = Turn(kind, thought=said, action="read", input=given, conclusion=given)
    model, world = turn_text(turn), observation_text(seen)
    _, assistant, user = messages(View("", "Objective: x\n", (model + world,), "Thought:"))
    assert assistant == Message("assistant", model.rstrip())
    assert user == Message("user", world.strip())
    assert assistant.text.startswith("Thought:")
    assert user.text.startswith("Observation:")


@given(st.lists(st.tuples(texts, texts), max_size=4), texts)
def test_a_prompt_is_one_growing_string(steps: list[tuple[str, str]], begun: str) -> None:
    turns = tuple(
        turn_text(Turn(Kind.ACTION, thought=said, action="read")) + observation_text(seen)
        for said, seen in steps
    )
    shown = [View(SYSTEM, "Objective: x\n", turns[:n], "Thought:") for n in range(len(turns) + 1)]
    for before, after in itertools.pairwise(shown):
        assert prompt(after).startswith(prompt(before))
    assert prompt(shown[-1], begun) == shown[-1].text + begun


def test_any_prompt_has_a_fingerprint() -> None:
    """A transcript that somebody edited may hold half a character."""
    view = View("Begin!", "", (), "Thought: \ud800")
    assert fingerprint(view) == fingerprint(replace(view, task="Objective: x"))
    assert fingerprint(view) != fingerprint(replace(view, tail="Thought: \ud801"))
