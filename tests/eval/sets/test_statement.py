import pytest
from check_rows import table_of

from react_agent.eval.sets.mined import statement


@table_of(
    ("message", "expected"),
    [
        pytest.param("Fix the sum (#12)\n", "Fix the sum", id="numbered by a forge"),
        pytest.param(
            "Fix the sum\n\nIt was off.\n\nSigned-off-by: A <a@b>\nCo-authored-by: B <b@c>\n",
            "Fix the sum\n\nIt was off.",
            id="trailers",
        ),
        pytest.param(
            "Merge pull request #12 from a/b\n\nThe sum is off\n\nBy one.",
            "The sum is off\n\nBy one.",
            id="a merge with words",
        ),
        pytest.param("Merge branch 'fix'", "", id="a merge without"),
        pytest.param("Fix it\n\nAgent: fix issues/1.md", "Fix it", id="what asked us"),
        pytest.param("Fixes #3: note: a", "Fixes #3: note: a", id="no trailer"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_tells_what_a_message_says(message: str, expected: str) -> None:
    assert statement(message) == expected
