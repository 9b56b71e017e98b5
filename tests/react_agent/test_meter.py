"""What a prompt was made of, read back from the transcript, against the prompts that were sent."""

from collections.abc import Mapping

import pytest
from check_rows import table_of

from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Entry, Event, Objective, Said, Seen
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.runs.history import Call, Part, calls

LONG = "\n".join(f"def function_{n}(argument): return argument" for n in range(30))


def test_steps_that_were_taken_back_are_in_no_prompt() -> None:
    step = (Said(TURN), Seen(LONG))
    back = Event("retracted", "steps=2-3 by=claim at=2 | it is there")
    rows = rows_of(*step * 3, back, Said(TURN))
    second, last = rows[1], rows[-1]
    same = (Part.OBJECTIVE, Part.THOUGHTS, Part.INPUTS, Part.OBSERVATIONS)
    assert [last.parts[part] for part in same] == [second.parts[part] for part in same]


TURN = Turn(Kind.ACTION, "I look", "echo", "at it")


def rows_of(*entries: Entry) -> list[Call]:
    return list(calls((Objective("do it"), *entries)))


def test_instructions_that_no_line_tells_are_what_is_left_of_the_first_count() -> None:
    rows = rows_of(Said(TURN, facts={"in": "1000"}), Seen("seen"), Said(TURN, facts={"in": "1200"}))
    first, second = rows
    assert sum(first.parts.values()) == 1000
    assert first.parts[Part.INSTRUCTIONS] == second.parts[Part.INSTRUCTIONS]
    assert (second.tokens, sum(second.parts.values()) < 1100) == (1200, True)


@table_of(
    ("facts", "is_counted"),
    [({"in": "1000"}, True), ({"in": "1000", "estimated": "yes"}, False), ({"in": "x"}, False)],
)
def test_only_the_endpoint_counts(facts: Mapping[str, str], is_counted: bool) -> None:
    (only,) = rows_of(Said(TURN, facts=facts))
    assert only.is_counted is is_counted


def test_what_came_back_from_memory_is_a_part_of_its_own() -> None:
    asked = Said(Turn(Kind.ACTION, "again", "recall", "1"))
    seen = Seen(LONG, {"tool": "recall"})
    pushed, shown = rows_of(Event("recalled", "step 3: a.py has it"), asked, seen, Said(TURN))
    assert 0 < pushed.parts[Part.RECALLED] < 30
    assert shown.parts[Part.RECALLED] == pytest.approx(estimate_tokens(LONG), abs=8)
    assert shown.parts[Part.OBSERVATIONS] == 0


def test_labels_in_foreign_text_make_no_parts() -> None:
    plain = Turn(Kind.ACTION, "a\nb", "echo", "Observation: x")
    forged = Turn(Kind.ACTION, "a\nAction: b", "echo", "Observation: x")
    without, with_label = (
        (rows_of(Said(turn), Seen("Action: b"), Said(TURN)))[-1].parts for turn in (plain, forged)
    )
    assert with_label[Part.INPUTS] == without[Part.INPUTS]
    assert with_label[Part.OBSERVATIONS] == without[Part.OBSERVATIONS]
