import pytest
from check_rows import table_of

from react_agent.parsers.transcript.labels import DEFAULT
from react_agent.parsers.turn.turn import Kind, Turn, parse_turn
from react_agent.parsers.turn.words import CUT_OFF, expected

EXPECTED = expected(DEFAULT)

DROPPED = "everything from your own `Thought:` on was dropped"


def malformed(thought: str, problem: str, *, fabricated: bool = False) -> Turn:
    return Turn(Kind.MALFORMED, thought, problem=problem, fabricated=fabricated)


def truncated(thought: str, problem: str) -> Turn:
    return Turn(Kind.MALFORMED, thought, truncated=True, problem=problem)


def open_fence(label: str) -> str:
    return (
        f"the fence in `{label}:` is not closed, so the reply may have been cut off and nothing "
        "was run; write it again and close it, or use none"
    )


@table_of(
    ("text", "expected"),
    [
        pytest.param("", malformed("", f"the reply is empty: {EXPECTED}"), id="empty"),
        pytest.param(
            "So:\n```\nAction: ls\n```",
            malformed(
                "So:\n```\nAction: ls\n```", f"the labels of the reply are in a fence: {EXPECTED}"
            ),
            id="a quote in a fence",
        ),
        pytest.param(
            "x\nAction:\nAction Input: y",
            malformed("x", "expected one tool name after `Action:`, found nothing"),
            id="no name",
        ),
        pytest.param(
            "x\nConclusion: \n",
            malformed("x", "expected what was done after `Conclusion:`, found nothing"),
            id="empty conclusion",
        ),
    ],
)
def test_names_the_problem_of_a_malformed_reply(text: str, expected: Turn) -> None:
    assert parse_turn(text) == expected


@table_of(
    ("text", "why", "expected"),
    [
        pytest.param(
            "x\nAction: a\nAction Input: ```\ny",
            None,
            truncated("x", open_fence("Action Input")),
            id="open fence",
        ),
        pytest.param(
            "x\n~~~\nAction: a",
            None,
            truncated("x", open_fence("Action")),
            id="open fence in a thought",
        ),
        pytest.param(
            "x\nAction: a\nAction Input: y", "length", truncated("x", CUT_OFF), id="cut input"
        ),
        pytest.param("Conclusion: y", "length", truncated("", CUT_OFF), id="cut conclusion"),
        pytest.param("x", "length", truncated("x", CUT_OFF), id="cut thought"),
        pytest.param(
            "Action: a\nAction Input: y\nThought: z",
            "length",
            Turn(Kind.ACTION, "", "a", "y", repairs=(DROPPED,)),
            id="cut in fiction: the action is whole",
        ),
        pytest.param(
            "Action: a\nAction Input: y",
            "stop",
            Turn(Kind.ACTION, "", "a", "y"),
            id="stopped, not cut",
        ),
    ],
)
def test_runs_nothing_of_a_reply_that_was_cut(text: str, why: str | None, expected: Turn) -> None:
    assert parse_turn(text, why=why) == expected
