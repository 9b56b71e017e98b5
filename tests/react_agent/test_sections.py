"""Sections of settings with one rule for yes or no, numbers, words and unknown names."""

from pathlib import Path
from typing import Any

from check_rows import table_of
from own_profile import own_profile
from refusals import refusal

from react_agent.errors import ConfigError
from react_agent.guards.stuck import FINDS
from react_agent.loop.guards import GUARDS as TABLE
from react_agent.profiles.profile import GUARDS, HINTS, PATTERNS, BackPolicy, Patience, Policy
from react_agent.profiles.profile_file import shipped
from react_agent.prompt.view import ENDING
from react_agent.prompt.view import RULES as HINT_RULES
from react_agent.state.events import PATTERNS as WORDS

BASED = "[profile]\nname = mine\nbased on = issue\n"


@table_of(
    ("text", "field", "expected"),
    {
        "nothing said": ("[compress]", "policy", Policy()),
        "words, numbers and shares": (
            "[compress]\nstages = all memory\nat = 8000\nto = 0.25\nenough = 0.5\nhistory = 10",
            "policy",
            Policy(("all", "memory"), at=8000, to=0.25, enough=0.5, history=10),
        ),
        "0 is off": (
            "[stuck]\npatterns = cycle again\nladder = hint stop\ncycle = 4\nthoughts = 0",
            "patience",
            Patience(("cycle", "again"), ("hint", "stop"), cycle=4, thoughts=0),
        ),
        "a switch": (
            "[backtrack]\nmost = 1\nchecks = tree case\ncritic = off",
            "back",
            BackPolicy(1, ("tree", "case"), critic=False),
        ),
    },
)
def test_a_profile_says_what_is_different(
    tmp_path: Path, text: str, field: str, expected: Any
) -> None:
    assert getattr(own_profile(BASED + text, tmp_path), field) == expected


@table_of(
    ("text", "gone", "field", "expected"),
    {
        "stages": (
            "[compress]\nstages = superseded oldest all memory",
            ["'superseded' of [compress]", "'oldest' of [compress]"],
            "policy",
            Policy(("all", "memory")),
        ),
        "nothing is left": (
            "[backtrack]\nchecks = scope",
            ["'scope' of [backtrack]"],
            "back",
            BackPolicy(),
        ),
        "a pattern and its number": (
            "[stuck]\npatterns = noise cycle\nnoise = 4",
            ["'noise' of [stuck]"],
            "patience",
            Patience(("cycle",)),
        ),
    },
)
def test_what_is_gone_is_left_out_and_named(
    tmp_path: Path, text: str, gone: list[str], field: str, expected: Any
) -> None:
    profile = own_profile(BASED + text, tmp_path)
    assert getattr(profile, field) == expected
    assert [line.partition(" is gone")[0] for line in profile.gone] == gone


@table_of(
    ("text", "problem"),
    {
        "word": ("[compress]\nstages = all some", "stages must be some of all,"),
        "twice": ("[stuck]\npatterns = again again", "each once, not 'again"),
        "name": ("[compress]\nstage = all", "[compress] has no 'stage' (did you mean stages?): "),
        "hint": ("hints = nosuch", "[profile] hints must be some of thinking, plan, failures,"),
        "8k": ("[compress]\nat = 8k", "at must be a whole number from 0, not"),
        "percent": ("[compress]\nto = 50", "to must be a number greater than 0 and"),
        "once": ("[stuck]\ncycle = 1", "from 2, or 0 for off, not '1'"),
        "switch": ("[backtrack]\ncritic = 2", "critic must be yes or no, not '2'"),
    },
)
def test_a_mistake_is_told_in_a_line(tmp_path: Path, text: str, problem: str) -> None:
    told = refusal(ConfigError, own_profile, BASED + text, tmp_path)
    assert problem in told
    line = 3 + text.count("\n") + 1
    assert told.startswith(f"profile {tmp_path / 'mine.cfg'}, line {line}: ")
    assert "\n" not in told


def test_what_the_shipped_profiles_say() -> None:
    issue, classic = shipped("issue"), shipped("classic")
    assert (issue.policy, issue.patience, issue.back) == (Policy(), Patience(), BackPolicy())
    assert (classic.patience.patterns, classic.patience.ladder) == (("again",), ("demote",))
    assert (classic.policy.stages, classic.policy.at) == (("everything",), 8000)
    assert "failing" not in shipped("update_file").patience.patterns
    assert "backtrack" not in classic.guards
    assert shipped("planner").hints == ("thinking", "plan", "failures", "actions")
    assert {shipped(name).patience.thoughts for name in ("planner", "monologue")} == {5}
    assert issue.hints == classic.hints == ()


def test_there_is_a_row_a_number_and_a_word_for_each_pattern() -> None:
    assert set(PATTERNS) == set(FINDS) == set(WORDS)
    assert [Patience().times(name, 3) for name in PATTERNS] == [3] * len(PATTERNS)


def test_a_profile_may_name_every_guard_and_hint_there_is() -> None:
    assert set(GUARDS) == set(TABLE)
    assert (*(kind for kind, _ in HINT_RULES), ENDING) == HINTS
