import pytest
from check_rows import table_of

from react_agent.parsers.transcript.labels import DEFAULT
from react_agent.parsers.turn.automaton import Reading


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
