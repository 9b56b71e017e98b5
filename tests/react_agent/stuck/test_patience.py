"""The section of a profile that says how patient a run is."""

from pathlib import Path

import pytest
from check_rows import table_of

from react_agent.errors import ConfigError
from react_agent.profiles.profile_file import find_profile, shipped
from react_agent.stuck.patience import PATTERNS, Patience, read_patience
from react_agent.stuck.patterns import PATTERNS as TABLE
from react_agent.stuck.words import WHAT, told


def test_there_is_a_row_a_number_and_a_word_for_each() -> None:
    assert set(PATTERNS) == set(TABLE) == set(WHAT)
    assert [Patience().times(name, 3) for name in PATTERNS] == [3, 3, 3, 3, 3, 3]


def test_what_the_shipped_profiles_say() -> None:
    assert shipped("issue").patience == Patience()
    assert shipped("classic").patience.patterns == ("again",)
    assert shipped("classic").patience.ladder == ("demote",)
    assert "failing" not in shipped("update_file").patience.patterns
    assert all("stuck" in shipped(name).guards for name in ("issue", "classic", "update_file"))


def test_it_reads_what_is_given() -> None:
    given = {"patterns": "cycle again", "ladder": "hint stop", "cycle": "4", "thoughts": "0"}
    expected = Patience(("cycle", "again"), ("hint", "stop"), cycle=4, thoughts=0)
    assert read_patience(given) == expected


@table_of(
    ("given", "problem"),
    [
        ({"often": "3"}, "[stuck] has no 'often'"),
        ({"cycle": "many"}, "[stuck] cycle is a whole number up to 1000, not 'many'"),
        ({"cycle": "9" * 20}, f"[stuck] cycle is a whole number up to 1000, not '{'9' * 20}'"),
        ({"cycle": "1"}, "[stuck] cycle: what happens once is no repetition; 0 is off"),
        ({"ladder": "hint shout"}, "[stuck] ladder has no 'shout': there are hint, demote, back, "),
        ({"patterns": "again again"}, "[stuck] patterns names one twice: again again"),
    ],
)
def test_what_is_wrong_is_said(given: dict[str, str], problem: str) -> None:
    with pytest.raises(ValueError, match="stuck") as raised:
        read_patience(given)
    assert str(raised.value).startswith(problem)


def test_a_profile_of_ones_own_says_what_is_different(tmp_path: Path) -> None:
    place = tmp_path / "mine.cfg"
    place.write_text("[profile]\nname = mine\nbased on = issue\n[stuck]\nladder = hint\n")
    assert find_profile("mine", tmp_path).patience == Patience(ladder=("hint",))
    place.write_text("[profile]\nname = mine\nbased on = issue\n[stuck]\nladders = hint\n")
    with pytest.raises(ConfigError, match=r"\[stuck\] has no 'ladders'"):
        find_profile("mine", tmp_path)


@table_of(
    ("text", "line"),
    [
        (
            "pattern=cycle steps=4-9 answer=hint",
            "the same calls in turn, with the same results, steps 4-9: a hint",
        ),
        (
            "pattern=again steps=1-4 answer=demote",
            "the same call with the same result, steps 1-4: this call rests",
        ),
        ("pattern=mine steps=1 answer=hint", "pattern=mine steps=1 answer=hint"),
    ],
)
def test_a_person_reads(text: str, line: str) -> None:
    assert told(text) == line
