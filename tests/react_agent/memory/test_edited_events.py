"""A person may write anything into the file of a run: it is folded, and makes a prompt."""

from itertools import product

import pytest
from check_rows import table_of

from react_agent.parsers.transcript.entries import Entry, Event, Objective, Said, Seen
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.state.state import State, fold
from react_agent.state.steps import COMPRESSED, CONDENSED, CUT, SHELVED

LONG = "\n".join(f"{n:4}| read_{n}(text)" for n in range(60))
NAMES = (COMPRESSED, CUT, CONDENSED, SHELVED)


def _run(*events: Event) -> State:
    entries: list[Entry] = [Objective("do it")]
    for n in range(4):
        turn = Turn(Kind.ACTION, f"thought {n}", "read_file", f"part_{n}.py")
        entries += [Said(turn), Seen(f"part {n}\n{LONG}")]
    return fold([*entries, *events])


NO_STEPS = (
    *("", " | ", "steps=", "steps=0", "steps=9", "steps=7-99999999999", "steps=x", "step=1"),
    *("1", "steps=-1", "steps=²", "why=x", "=1", "steps=%"),
)


@table_of(("name", "text"), product(NAMES, NO_STEPS))
def test_what_names_no_step_changes_nothing(name: str, text: str) -> None:
    assert _run(Event(name, text)) == _run()


@pytest.mark.parametrize("name", [COMPRESSED, CUT])
@pytest.mark.parametrize(
    ("before", "number"), [(CONDENSED, 2), (CONDENSED, 1), (SHELVED, 1), (COMPRESSED, 1)]
)
def test_what_is_out_already_stays_as_it_is(name: str, before: str, number: int) -> None:
    first = Event(before, "steps=1-2 | in short")
    assert _run(first, Event(name, f"steps={number}")) == _run(first)


def test_a_line_stands_where_an_observation_was() -> None:
    assert _run(Event(COMPRESSED, "steps=2 recall=yes")).steps[1].text == (
        "Thought: thought 1\nAction: read_file\nAction Input: part_1.py\n"
        "Observation: [left out: part 1 (61 lines, with read_0, read_1, read_2, read_3);"
        " `recall` 2 shows it]\n"
    )


def test_of_a_command_the_line_has_its_end() -> None:
    said = Said(Turn(Kind.ACTION, "test", "run", "make test"))
    seen = Seen("exit code 1\nrunning\n3 failed, 12 passed\n")
    state = fold([Objective("do it"), said, seen, Event(COMPRESSED, "steps=1")])
    assert state.steps[0].text.endswith(
        "Observation: [left out: exit code 1 … 3 failed, 12 passed (4 lines)]\n"
    )
