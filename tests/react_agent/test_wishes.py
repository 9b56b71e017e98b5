"""What agents asked for, counted over runs."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from react_agent.runs.report import NOTHING, Wish, wishes

END = "Thought: done\nConclusion: done"


def call(tool: str, given: str = "x") -> str:
    return f"Thought: try\nAction: {tool}\nAction Input: {given}"


def test_counts_wishes_and_what_came_then(play: Callable[..., Any]) -> None:
    first = play(call("fly", "to the moon"), call("echo"), call("fly", "home"), call("fly"), END)
    second = play(call("swim"), call("fly"), call("touch"), END)
    fly, swim = wishes([first.transcript.state, second.transcript.state])
    assert (fly.name, fly.times, fly.runs) == ("fly", 4, {0, 1})
    assert fly.inputs == ["to the moon", "home", "x"]
    assert dict(fly.then) == {"echo": 1, NOTHING: 2, "touch": 1}
    assert (swim.name, swim.times, dict(swim.then)) == ("swim", 1, {"touch": 1})


def test_what_is_no_name_of_a_setting_becomes_none() -> None:
    assert Wish("x = y", 1, then=Counter({NOTHING: 1})).entry == ""
