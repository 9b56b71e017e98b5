"""What a prompt still shows once it has reached its limit."""

from collections.abc import Callable
from typing import Any

import pytest

from react_agent.loop.state import State, fold
from react_agent.loop.steps import Shown
from react_agent.loop.stop import Stop
from react_agent.parsers.transcript.reader import read_transcript
from react_agent.profiles.profile import Budget
from react_agent.prompt.view import view

Play = Callable[..., Any]
SMALL = Budget(window=3000, reply=500)
LONG = "\n".join(f"{n:4}| def function_{n}(argument): return argument" for n in range(1, 41))
DONE = "Thought: done\nConclusion: it is done"


def call(tool: str, given: str, thought: str = "I look") -> str:
    return f"Thought: {thought}\nAction: {tool}\nAction Input: {given}\n"


def _shown(state: State) -> list[Shown]:
    return [step.shown for step in state.steps]


@pytest.fixture
def long_run(play: Play) -> Any:
    replies = [call("echo", f"part {n}\n{LONG}", f"thought {n}") for n in range(4)]
    return play(*replies, DONE, budget=SMALL)


def test_a_run_that_outgrows_its_window_goes_on(long_run: Any) -> None:
    assert long_run.stop is Stop.CONCLUDED


def test_the_file_alone_says_what_is_shown(long_run: Any) -> None:
    again = fold(read_transcript(long_run.text).entries)
    assert again == long_run.transcript.state
    assert view(again, "", 40) == view(long_run.transcript.state, "", 40)
    assert {Shown.WHOLE} < set(_shown(again))
