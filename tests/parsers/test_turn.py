import pytest
from check_rows import table_of

from react_agent.parsers.transcript.labels import Label, dialect
from react_agent.parsers.turn.turn import Kind, Turn, parse_turn, to_the_letter


def action(
    thought: str, name: str, given: str = "", *repairs: str, fabricated: bool = False
) -> Turn:
    return Turn(Kind.ACTION, thought, name, given, repairs=repairs, fabricated=fabricated)


def dropped(label: str) -> str:
    return f"everything from your own `{label}:` on was dropped"


def test_says_nothing_of_an_input_that_is_not_needed() -> None:
    assert parse_turn("Action: ls", no_argument_tools=["ls"]) == action("", "ls")


GERMAN = dialect(
    dict(zip(Label, ("Ziel", "Idee", "Tat", "Mit", "Echo", "Fazit"), strict=True)),
)


def test_reads_another_dialect() -> None:
    text = "Idee: ich suche\nTat: grep\nMit: Action: x\nEcho: gefunden"
    assert parse_turn(text, dialect=GERMAN) == action(
        "ich suche", "grep", "Action: x", dropped("Echo"), fabricated=True
    )


LOOK = "I look\nAction: grep\nAction Input: a"


@table_of(
    "reply",
    [
        pytest.param(LOOK, id="to the letter"),
    ],
)
def test_what_needed_no_repair_is_to_the_letter(reply: str) -> None:
    turn = parse_turn(reply, tools=["grep"])
    assert to_the_letter(turn) == turn


def test_what_was_repaired_is_not_to_the_letter() -> None:
    turn = parse_turn(f"```\nThought: {LOOK}\n```", tools=["grep"])
    assert (turn.kind, turn.action) == (Kind.ACTION, "grep")
    assert to_the_letter(turn) == Turn(
        Kind.MALFORMED,
        "I look",
        problem="it is not in the format (the fence around the reply was removed)",
    )
