"""Replies that had to be mended, refused."""

import pytest
from check_rows import table_of

from react_agent.parsers.turn.turn import Kind, Turn, parse_turn
from react_agent.parsers.turn.unmended import to_the_letter

LOOK = "I look\nAction: grep\nAction Input: a"


@table_of(
    "reply",
    [
        pytest.param(LOOK, id="to the letter"),
        pytest.param(f"{LOOK}\nObservation: found", id="what was imagined is cut"),
        pytest.param("done\nConclusion: it is done", id="a conclusion"),
        pytest.param("nothing", id="unreadable anyway"),
    ],
)
def test_stays_as_it_is(reply: str) -> None:
    turn = parse_turn(reply, tools=["grep"])
    assert to_the_letter(turn) == turn


def test_what_was_mended_is_no_action() -> None:
    turn = parse_turn(f"```\nThought: {LOOK}\n```", tools=["grep"])
    assert (turn.kind, turn.action) == (Kind.ACTION, "grep")
    assert to_the_letter(turn) == Turn(
        Kind.MALFORMED,
        "I look",
        problem="it is not in the format (the fence around the reply was taken away)",
    )
