"""Procedures: what is written is read, and what is wrong is said with its line."""

import contextlib

from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.settings.procedure import (
    END,
    Controller,
    Phase,
    Procedure,
    Role,
    Sharing,
    read_procedure,
)

WHOLE = """\
# of a person
procedure: whole
  profile: turn
  environment type: competitive
  summary every: 1
  relevant history: 0
  show demonstrations: yes

state: talk
  environment:
    Two talk.

      Indented.
  role ann:
    name: Ann B.
    task: Ask.
      # not a remark, but text
    rule: Be short.
    rule: Be kind.
    style: dry
    demonstration: Ann: hello
    last: Remember.
    tools: grep, read_file
    maximum steps: 3
    model: openai/other
  # a remark
  role bob:
  begin role: bob
  begin query: What is it?
  controller: rule
  choose: Whoever was asked.
  maximum turns: 4
  judge: Answer 1 when they agree.
  summary prompt: In one line.
  next: 0 talk, 1 end_state
state: end_state
"""
ANN = Role(
    "ann",
    "Ann B.",
    task="Ask.\n# not a remark, but text",
    rules=("Be short.", "Be kind."),
    style="dry",
    demonstrations=("Ann: hello",),
    last="Remember.",
    tools=("grep", "read_file"),
    steps=3,
    model="openai/other",
)
TALK = Phase(
    "talk",
    (ANN, Role("bob", "bob")),
    ("talk", END),
    environment="Two talk.\n\n  Indented.",
    begin_role="bob",
    begin_query="What is it?",
    controller=Controller.RULE,
    choose="Whoever was asked.",
    maximum_turns=4,
    judge="Answer 1 when they agree.",
    summary_prompt="In one line.",
)


def test_reads_all_there_is() -> None:
    assert read_procedure(WHOLE) == Procedure(
        "whole", (TALK,), "turn", Sharing.COMPETITIVE, 1, 0, shows_demonstrations=True
    )


def test_the_least_there_can_be() -> None:
    read = read_procedure("procedure: least\nstate: do\n  role one:\n  next: end_state\n")
    assert read == Procedure("least", (Phase("do", (Role("one", "one"),), (END,)),))
    assert read.only_phase == read.phases[0]


KEYS = [
    "procedure: p",
    "state: a",
    "  role b:",
    "  next: a",
    "  next: 0 a, 1 end_state",
    "    task: x",
]


@given(st.text() | st.lists(st.sampled_from(KEYS) | st.text(max_size=9)).map("\n".join))
def test_any_text_is_a_procedure_or_a_parse_error(text: str) -> None:
    with contextlib.suppress(ParseError):
        procedure = read_procedure(text)
        assert read_procedure(procedure.text) == procedure
