import pytest
from check_rows import table_of

from react_agent.eval.sets.mined import is_fix, linked_issue, says_enough, statement


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


@table_of(
    ("message", "expected"),
    [
        pytest.param("Fix the sum", True, id="fix"),
        pytest.param("Sum of nothing\n\nIt raised an error", True, id="in its body"),
        pytest.param("Sum\n\nCloses #3", True, id="closes"),
        pytest.param("Add a prefix to totals", False, id="new"),
        pytest.param("", False, id="nothing"),
    ],
)
def test_tells_a_fix(message: str, expected: bool) -> None:
    assert is_fix(message) == expected


@table_of(
    ("text", "expected"),
    [("Fix the sum", True), ("fix", False), ("v1.2.3 (#12)", False), ("Der Fehler ist weg", True)],
)
def test_tells_what_says_enough(text: str, expected: bool) -> None:
    assert says_enough(text) == expected


ISSUES = ("docs/12.md", "issues/README.md", "issues/012-sum.md", "a/issues/sum.md", "issues/13.py")


@table_of(
    ("message", "expected"),
    [
        pytest.param("Fix the sum\n\nFixes #12", "issues/012-sum.md", id="by its number"),
        pytest.param(
            "Fix #12: see a/issues/sum.md", "a/issues/sum.md", id="a path before a number"
        ),
        pytest.param("Fix gh-12", "issues/012-sum.md", id="spoken"),
        pytest.param("Fix #120 and a#12", None, id="other numbers"),
        pytest.param("Fix #13", None, id="no issue"),
        pytest.param("Fix the sum", None, id="no link"),
    ],
)
def test_finds_the_issue_that_a_message_links_to(message: str, expected: str | None) -> None:
    assert linked_issue(message, ISSUES) == expected
