import pytest
from check_rows import table_of

from react_agent.parsers.transcript.labels import DEFAULT
from react_agent.parsers.turn.turn import Kind, Turn, parse_turn
from react_agent.parsers.turn.words import CUT_OFF, filled
from react_agent.parsers.turn.words import EXPECTED as AS_WRITTEN

EXPECTED = filled(AS_WRITTEN, DEFAULT)


def malformed(thought: str, problem: str, *, fabricated: bool = False) -> Turn:
    return Turn(Kind.MALFORMED, thought, problem=problem, fabricated=fabricated)


def truncated(thought: str, problem: str) -> Turn:
    return Turn(Kind.MALFORMED, thought, truncated=True, problem=problem)


@table_of(
    ("text", "expected"),
    [
        pytest.param("", malformed("", f"the reply is empty: {EXPECTED}"), id="empty"),
    ],
)
def test_names_the_problem_of_a_malformed_reply(text: str, expected: Turn) -> None:
    assert parse_turn(text) == expected


@table_of(
    ("text", "why", "expected"),
    [
        pytest.param("Conclusion: y", "length", truncated("", CUT_OFF), id="cut conclusion"),
    ],
)
def test_runs_nothing_of_a_reply_that_was_cut(text: str, why: str | None, expected: Turn) -> None:
    assert parse_turn(text, why=why) == expected
