import pytest
from check_rows import table_of

from react_agent.compress.policy import KNOWN, STAGES, Policy, read_policy
from react_agent.errors import ConfigError
from react_agent.profiles.profile_file import read_profile

BASED = "[profile]\nname = mine\nbased on = issue\n[compress]\n"


def test_what_is_not_said_is_as_it_is_shipped() -> None:
    assert read_policy({}) == Policy()
    assert Policy().stages == STAGES


def test_a_profile_orders_the_stages_and_sets_the_marks() -> None:
    given = {"stages": "all memory", "at": "8000", "to": "0.25", "enough": "0.5", "history": "10"}
    changed = Policy(("all", "memory"), at=8000, to=0.25, enough=0.5, history=10)
    assert read_policy(given) == changed


def test_a_stage_that_is_gone_is_left_out_and_named() -> None:
    profile = read_profile(f"{BASED}stages = superseded oldest all memory", "mine")
    assert profile.policy.stages == ("all", "memory")
    assert len(profile.gone) == 2
    assert (
        read_profile(f"{BASED}stages = oldest", "mine").policy == read_profile(BASED, "mine").policy
    )
    assert read_profile(f"{BASED}stages =", "mine").policy.stages == ()


@table_of(
    ("line", "told"),
    [
        pytest.param("stages = all some", f"there are {', '.join(KNOWN)}", id="stage"),
        pytest.param("stage = all", "[compress] has no 'stage'", id="name"),
        pytest.param("at = 8k", "at is a whole number, not '8k'", id="tokens"),
        pytest.param("at = ²", "at is a whole number, not '²'", id="another digit"),
        pytest.param("at = -1", "at is a whole number, not '-1'", id="below nothing"),
        pytest.param("to = 50", "to is a share of the room, as 0.5, not '50'", id="percent"),
        pytest.param("to = 0", "to is a share of the room, as 0.5, not '0'", id="nothing left"),
        pytest.param("enough = half", "enough is a share of the room", id="a word"),
        pytest.param("to = .9", "`to` can't be more than `enough`", id="marks in the wrong order"),
        pytest.param("to = ²", "to is a share of the room", id="a share in other digits"),
        pytest.param(f"at = {'9' * 5000}", "at is a whole number", id="too many digits"),
    ],
)
def test_what_makes_no_sense_is_told_in_a_line(line: str, told: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_profile(BASED + line, "mine")
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)
