"""The section of a profile on going back; what the guard costs where nothing is denied."""

import pytest
from check_rows import table_of

from react_agent.backtrack.policy import CHECKS, BackPolicy, read_back_policy
from react_agent.profiles.profile_file import read_profile, shipped

THOUGHT = "I read the parser, and see how it takes the text apart; now for the tests. " * 6


def test_what_the_shipped_profiles_say() -> None:
    assert shipped("issue").back == BackPolicy()
    assert "backtrack" in shipped("issue").guards
    assert "backtrack" not in shipped("classic").guards


def test_what_a_profile_says() -> None:
    given = {"most": "1", "checks": "case tree", "critic": "off"}
    expected = BackPolicy(1, ("tree", "case"), critic=False)
    assert read_back_policy(given) == expected
    assert BackPolicy().checks == CHECKS


def test_what_is_gone_of_it_is_named() -> None:
    text = "[profile]\nname = mine\nbased on = issue\n"
    text += "[backtrack]\nchecks = contents case\ncontradictions = no\n"
    profile = read_profile(text, "mine")
    assert profile.back == BackPolicy(checks=("case",))
    assert [line.partition(" is gone")[0] for line in profile.gone] == [
        "'contents' of [backtrack]",
        "'contradictions' of [backtrack]",
    ]
    everything = read_profile(text.replace("contents case", "scope"), "mine")
    assert everything.back == BackPolicy()


@table_of(
    ("given", "error"),
    [
        pytest.param({"mots": "1"}, "[backtrack] has no 'mots'", id="name"),
        pytest.param({"most": "x"}, "[backtrack] most is a whole number, not 'x'", id="number"),
        pytest.param({"critic": "2"}, "[backtrack] critic is yes or no, not '2'", id="switch"),
        pytest.param(
            {"checks": "case cases"},
            f"[backtrack] has no check 'cases': there are {', '.join(CHECKS)}",
            id="check",
        ),
    ],
)
def test_what_it_can_not_say(given: dict[str, str], error: str) -> None:
    with pytest.raises(ValueError, match="backtrack") as raised:
        read_back_policy(given)
    assert str(raised.value) == error
