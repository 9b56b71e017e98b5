"""The section of a profile on going back; what the guard costs where nothing is denied."""

import pytest
from check_rows import table_of

from react_agent.backtrack.policy import CHECKS, BackPolicy, read_back_policy
from react_agent.profiles.profile_file import shipped

THOUGHT = "I read the parser, and see how it takes the text apart; now for the tests. " * 6


def test_what_the_shipped_profiles_say() -> None:
    assert shipped("issue").back == BackPolicy()
    assert "backtrack" in shipped("issue").guards
    assert "backtrack" not in shipped("classic").guards


def test_what_a_profile_says() -> None:
    given = {"most": "1", "checks": "case tree", "contradictions": "no", "critic": "off"}
    expected = BackPolicy(1, ("tree", "case"), contradictions=False, critic=False)
    assert read_back_policy(given) == expected
    assert BackPolicy().checks == CHECKS


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
