import pytest
from check_rows import table_of

from react_agent.parsers.transcript.labels import ACTION, INPUT, THOUGHT
from react_agent.parsers.turn.automaton import Reading
from react_agent.parsers.turn.reply import Reply


def read(text: str) -> Reply:
    reply = Reply()
    reply.take_all(text.split("\n"))
    return reply


def texts(said: Reading | None) -> dict[str, str]:
    return {str(label): field.text for label, field in said.fields.items()} if said else {}


@table_of(
    ("text", "reasoned", "said"),
    {
        "in itself": (
            "<think>a\n<think>b</think>\nc</think>x",
            {THOUGHT: "a\n<think>b</think>\nc"},
            {THOUGHT: "x"},
        ),
        "a tag in the text behind it": (
            "<think>a</think>x <think>b",
            {THOUGHT: "a"},
            {THOUGHT: "x <think>b"},
        ),
        "the tag ends a line with a label": (
            "Action: a\nAction Input: b</think>\nx",
            {THOUGHT: "", ACTION: "a", INPUT: "b"},
            {THOUGHT: "x"},
        ),
    },
)
def test_parts_reasoning_from_what_is_said(
    text: str, reasoned: dict[str, str], said: dict[str, str]
) -> None:
    reply = read(text)
    assert (texts(reply.reasoned), texts(reply.said)) == (reasoned, said)


@table_of(
    ("before", "begins"),
    [
        pytest.param("  Thought: ", True, id="label behind blanks"),
        pytest.param("Thought: I write ", False, id="words behind the label"),
        pytest.param("Conclusion: ", False, id="another label"),
    ],
)
def test_reasoning_begins_a_line_or_a_thought(before: str, begins: bool) -> None:
    assert read(f"{before}<think>").depth == begins


@table_of(
    ("given", "open_ones"),
    [
        pytest.param("a <think> b <think> c", 2, id="twice"),
        pytest.param("a <think> b\n</think>", 0, id="and closed by a line"),
        pytest.param("a <think> b <think> c\n</think>", 1, id="twice, and closed once"),
    ],
)
def test_counts_the_tags_that_an_input_speaks_of(given: str, open_ones: int) -> None:
    assert read(f"Action: a\nAction Input: {given}").spoken_of == open_ones
