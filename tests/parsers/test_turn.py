from react_agent.parsers.turn.turn import Kind, Turn, parse_turn, to_the_letter

LOOK = "I look\nAction: grep\nAction Input: a"


def test_what_needed_no_repair_is_to_the_letter() -> None:
    turn = parse_turn(LOOK, tools=["grep"])
    assert to_the_letter(turn) == turn


def test_what_was_repaired_is_not_to_the_letter() -> None:
    turn = parse_turn(f"```\nThought: {LOOK}\n```", tools=["grep"])
    assert (turn.kind, turn.action) == (Kind.ACTION, "grep")
    assert to_the_letter(turn) == Turn(
        Kind.MALFORMED,
        "I look",
        problem="it is not in the format (the fence around the reply was removed)",
    )
