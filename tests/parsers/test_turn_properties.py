from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.payload import unfenced
from react_agent.parsers.transcript_writer import turn_text
from react_agent.parsers.turn import Kind, Turn, parse_turn

Calls = Callable[[Callable[[str], object], str], int]

FRAGMENTS = [
    *("Thought:", "Action: grep", "Action:", "Action Input: x", "Action Input:", "**Action:** x"),
    *("Observation: x", "Observation:", "Conclusion: x", "Final Answer:", "Objective: x"),
    *("```", "````python", "~~~", "", " ", "prose", "\r", "\x0c", "\ud800", "\x00", "\u2028"),
]
replies = st.text() | st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=9)).map("\n".join)
tool_names = st.none() | st.sets(st.sampled_from(["grep", "Grep", "x", "read_file", ""]))


@given(replies, tool_names, st.sampled_from([None, "stop", "length"]))
def test_any_text_is_a_turn(text: str, tools: set[str] | None, why: str | None) -> None:
    turn = parse_turn(text, tools=tools, why=why)
    is_malformed = turn.kind is Kind.MALFORMED
    assert bool(turn.action) is (turn.kind is Kind.ACTION)
    assert bool(turn.conclusion) is (turn.kind is Kind.CONCLUSION)
    assert (bool(turn.problem), bool(turn.repairs and is_malformed)) == (is_malformed, False)
    assert "\n" not in turn.action + turn.problem
    assert is_malformed or not turn.truncated


@given(replies.filter(lambda text: "```" not in text and "~~~" not in text))
def test_a_label_behind_a_whole_action_changes_nothing_before_it(text: str) -> None:
    whole = "Thought: x\nAction: grep\nAction Input: y\n"
    turn = parse_turn(f"{whole}Thought: {text}")
    assert (turn.thought, turn.action, turn.input) == ("x", "grep", "y")


def _is_plain(text: str) -> bool:
    """What a well-behaved model writes below a label: the transcript can show it as it is."""
    turn = parse_turn(text)
    shown = turn_text(Turn(Kind.MALFORMED, text)).removeprefix("Thought:").removesuffix("\n")
    return turn.thought == text == shown.removeprefix(" ") == unfenced(text) and not turn.truncated


plain = (
    st.text() | st.lists(st.text(max_size=9) | st.sampled_from(FRAGMENTS)).map("\n".join)
).filter(_is_plain)
well_behaved = st.one_of(
    st.builds(Turn, st.just(Kind.ACTION), plain, st.from_regex(r"[a-z_]+", fullmatch=True), plain),
    st.builds(Turn, st.just(Kind.CONCLUSION), plain, conclusion=plain.filter(bool)),
)


@given(well_behaved)
def test_reads_a_turn_as_it_stands_in_the_prompt(turn: Turn) -> None:
    assert parse_turn(turn_text(turn)) == turn


@pytest.mark.parametrize("before", ["", "Action: a\nAction Input:", "Conclusion: x\n"])
@pytest.mark.parametrize(
    "piece", ["\n", "Action: x\n", "Action 1", "```\n", "x\n", "Thought: x\n", "{", " \n", "**"]
)
def test_work_grows_with_the_length(calls: Calls, before: str, piece: str) -> None:
    short, long = (calls(parse_turn, before + piece * size) for size in (500, 1000))
    assert long <= 2 * short
