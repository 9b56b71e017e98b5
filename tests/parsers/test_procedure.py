"""Procedures: what is written is read, and what is wrong is said with its line."""

import contextlib

import pytest
from check_rows import table_of
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


START = "procedure: p\n"
DO = "state: do\n  role one:\n  next: end_state\n"
TWO = "state: do\n  role one:\n  judge: J\n  next: 0 do, 1 end_state\n"


@table_of(
    ("text", "said"),
    {
        "empty": ("", "1: `procedure: NAME` first, found 'nothing'"),
        "no state": (START, "1: a `state: NAME` after it, found none"),
        "name": (
            "procedure: a b\n",
            "1: a name of letters, digits and - after `procedure:`, found 'a b'",
        ),
        "competive": (
            f"{START}  environment type: competive\n{DO}",
            "2: cooperative or competitive, found 'competive' (did you mean competitive?)",
        ),
        "number": (
            f"{START}  summary every: often\n{DO}",
            "2: a whole number from 0 on after `summary every:`, found 'often'",
        ),
        "twice": (f"{START}{DO}  next: end_state\n", "5: one `next:`, found a second one"),
        "section": (f"{START}stat: do\n", "2: `state: NAME`, found `stat:` (did you mean state?)"),
        "no key": (f"{START}{DO}hello\n", "5: `KEY: VALUE`, found 'hello'"),
        "no role": (
            f"{START}state: do\n  next: end_state\n",
            "2: a `role NAME:` in do, found none",
        ),
        "no next": (
            f"{START}state: do\n  role one:\n",
            "2: `next: STATE`, or several as in `next: 0 STATE, 1 STATE` in do, found none",
        ),
        "numbers of edges": (
            TWO.replace("1 end", "2 end").replace("state", START + "state", 1),
            "5: `next: STATE`, or several as in `next: 0 STATE, 1 STATE`, "
            "found '0 do, 2 end_state'",
        ),
        "next state": (
            f"{START}{DO}".replace("end_state", "nowhere"),
            "4: an existing state, found 'nowhere'",
        ),
        "no judge": (
            START + TWO.replace("  judge: J\n", ""),
            "4: a `judge:` line, because there is a choice, found none",
        ),
        "way out": (
            START + TWO.replace("0 do, 1 end_state", "0 end_state, 1 do"),
            "5: another state as the last one, which is the way out, found 'do'",
        ),
        "begin role": (f"{START}{DO}  begin role: two\n", "5: a role of do: one, found 'two'"),
        "state twice": (f"{START}{DO}{DO}", "5: each state once, found 'do' again"),
        "role twice": (
            START + TWO.replace("  judge", "  role one:\n  judge"),
            "3: each role of a state once, found 'one' again",
        ),
        "end": (
            f"{START}{DO}state: end_state\n  role x:\n",
            "6: nothing in end_state, found `role x:`",
        ),
        "tool": (
            f"{START}state: do\n  role one:\n    tools: grep grepp\n  next: end_state\n",
            "4: names of tools (`react-agent inspect tools` lists them), found 'grepp'",
        ),
    },
)
def test_says_what_is_wrong_and_where(text: str, said: str) -> None:
    with pytest.raises(ParseError) as error:
        read_procedure(text, "f", lambda name: name == "grep")
    number, _, what = said.partition(": ")
    assert str(error.value) == f"f:{number}: expected {what}"


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
