"""Runs that are right in what they deny, near as the names may be: nothing is taken back."""

import pytest
from back_world import DONE, Plays, grep, step, write

SOUND = [
    (grep("parse_data"), "There is no parse_data function."),
    (grep("expected_helper lib"), "expected_helper is not implemented, only the test calls it."),
    (grep("'class LongNames'"), "There is no LongNames class."),
    (grep("start_all"), "start_all isn't there yet, so I add it."),
    (step("x", "run", "grep -n start lib/main.py"), "There is no start function."),
    (step("x", "run", "grep -rn parse_date src"), "parse_date isn't in src. The rest comes next."),
    (step("x", "run", "ls src/dates.py"), "src/dates.py does not exist, so I make it."),
    (step("x", "run", "grep -rn DateParser src"), "If there is no DateParser, I write one."),
    (step("x", "run", "grep -rn DateParser src"), "The issue says DateParser does not exist."),
    (step("x", "grep", "parseDate"), "There is no parseDate, as the search says it is parse_date."),
    (step("x", "grep", "parse_date\npath: src/"), "There is no parse_date."),
]


@pytest.mark.parametrize(("look", "thought"), SOUND, ids=[row[1][:40] for row in SOUND])
def test_a_true_claim_stands(plays: Plays, look: str, thought: str) -> None:
    played = plays(look, write(thought), step("and", "read_file", "lib/dates.py"), DONE)
    assert played.back == []
    assert (played.root / "src/new.py").exists()


def test_what_is_asked_for_is_not_there(plays: Plays) -> None:
    replies = (grep("parseDate"), write("There is no parseDate."), DONE)
    assert plays(*replies, objective="Add a parseDate for other callers.").back == []


@pytest.mark.parametrize(
    ("then", "back"),
    [
        ("I see, parse_date is in lib/dates.py. I go on.", 0),  # it found that by itself
        ("As parse_date is not defined, I write it.", 1),
    ],
)
def test_what_is_claimed_again_takes_it_back(plays: Plays, then: str, back: int) -> None:
    played = plays(
        step("x", "run", "grep -rn parse_date src"),
        step("parse_date isn't defined. Let me read all.", "run", "cat lib/dates.py lib/main.py"),
        write(then),
        DONE,
    )
    assert ["steps=2-3" in line for line in played.back] == [True] * back
    assert (played.root / "src/new.py").exists() is not bool(back)
