import pytest
from check_rows import table_of

from react_agent.parsers.turn.turn import Kind, Turn, parse_turn
from react_agent.parsers.turn.words import CUT_OFF, EXPECTED

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
        pytest.param(" \n\t\n", malformed("", f"the reply is empty: {EXPECTED}"), id="blanks"),
        pytest.param("Thought:", malformed("", f"the reply is empty: {EXPECTED}"), id="bare label"),
        pytest.param(
            "I am done.", malformed("I am done.", f"no Action in the reply: {EXPECTED}"), id="prose"
        ),
        pytest.param(
            "So:\n```\nAction: ls\n```",
            malformed(
                "So:\n```\nAction: ls\n```", f"the labels of the reply are in a fence: {EXPECTED}"
            ),
            id="a quote in a fence",
        ),
        pytest.param(
            "x\nAction Input: y",
            malformed("x", f"`Action Input:` comes before any `Action:`: {EXPECTED}"),
            id="input first",
        ),
        pytest.param(
            "x\nObservation: y\nAction: a",
            malformed(
                "x", f"`Observation:` comes before any `Action:`: {EXPECTED}", fabricated=True
            ),
            id="observation first",
        ),
        pytest.param(
            "Objective: y\nAction: a",
            malformed("", f"`Objective:` comes before any `Action:`: {EXPECTED}"),
            id="objective first",
        ),
        pytest.param(
            "x\nAction:\nAction Input: y",
            malformed("x", "expected one tool name after `Action:`, found nothing"),
            id="no name",
        ),
        pytest.param(
            "Action: ``\nAction Input: y",
            malformed("", "expected one tool name after `Action:`, found nothing"),
            id="nothing in quotes",
        ),
        pytest.param(
            "Action: grep\nfor it\nAction Input: y",
            malformed("", "expected one tool name after `Action:`, found 'grep' and more lines"),
            id="more than a name",
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
            "Action: a\nAction Input: ```\ny\nObservation: z",
            "stop",
            truncated("", open_fence("Action Input")),
            id="a label in an open fence",
        ),
        pytest.param(
            "x\n~~~\nAction: a",
            None,
            truncated("x", open_fence("Action")),
            id="open fence in a thought",
        ),
        pytest.param(
            "Conclusion: x\n```",
            None,
            truncated("", open_fence("Conclusion")),
            id="open fence in a conclusion",
        ),
        pytest.param(
            "x\nAction: a\nAction Input: y", "length", truncated("x", CUT_OFF), id="cut input"
        ),
        pytest.param("x\nAction: a", "length", truncated("x", CUT_OFF), id="cut name"),
        pytest.param("Conclusion: y", "length", truncated("", CUT_OFF), id="cut conclusion"),
        pytest.param("x", "length", truncated("x", CUT_OFF), id="cut thought"),
        pytest.param("", "length", truncated("", CUT_OFF), id="nothing at all"),
        pytest.param(
            "Action: a\nAction Input: ```\ny",
            "length",
            truncated("", CUT_OFF),
            id="cut in a fence",
        ),
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
