import pytest
from check_rows import table_of

from react_agent.parsers.text.fence import Fence
from react_agent.parsers.transcript.labels import DEFAULT, INPUT
from react_agent.parsers.turn.automaton import Field, Reading


@table_of(
    ("lines", "indent"),
    [
        pytest.param(["x"], "", id="none"),
        pytest.param([" x"], "", id="a blank: it stands behind the label of the prompt"),
        pytest.param(["  x"], "  ", id="two"),
        pytest.param(["\tx"], "\t", id="a tab"),
        pytest.param(["", "  x"], "  ", id="below an empty line"),
        pytest.param([" Action: x"], " ", id="a blank before a label"),
        pytest.param(["  x", "Action: y"], "", id="a label further out"),
        pytest.param(["  x", "  Action: y"], "  ", id="a label as far in"),
        pytest.param(["  Action: x", "Action Input: y"], "  ", id="the first label tells"),
        pytest.param([45 * " " + "x"], 40 * " ", id="not for ever"),
    ],
)
def test_knows_how_far_in_labels_may_stand(lines: list[str], indent: str) -> None:
    reading = Reading(DEFAULT)
    for line in lines:
        reading.take(line)
    assert reading.indent == indent


@table_of(
    ("lines", "fences"),
    [
        pytest.param(["x"], [], id="none"),
        pytest.param(["```"], [Fence("`", 3)], id="from the first line on"),
        pytest.param(["  ```"], [Fence("`", 3, 2)], id="the first line may be indented"),
        pytest.param(["x", "~~~"], [Fence("~", 3)], id="further down"),
        pytest.param(["x", "  ```"], [], id="one that is indented further down is text"),
        pytest.param(["--- a", "```"], [], id="in a diff a fence is text"),
        pytest.param(["```", "x"], [Fence("`", 3)], id="text in it"),
        pytest.param(["```", "--- a"], [Fence("`", 3, info="diff")], id="it holds a diff"),
        pytest.param(["```md", "--- a"], [Fence("`", 3, info="md")], id="it says what it holds"),
        pytest.param(["```", "--- a", " ```"], [Fence("`", 3, info="diff")], id="line of context"),
        pytest.param(["```", "x", " ```"], [], id="closed further in"),
    ],
)
def test_knows_which_fences_are_open_in_an_input(lines: list[str], fences: list[Fence]) -> None:
    field = Field(INPUT)
    for line in lines:
        field.take(line)
    assert field.fences == fences
