"""Profiles that lack something: what is written is read back, and is nothing else."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from check_rows import table_of
from own_profile import own_profile
from refusals import refusal

from react_agent.errors import UsageError
from react_agent.eval.task import Arm
from react_agent.eval.without import PARTS, arms, profile_without
from react_agent.profiles.profile import Profile
from react_agent.profiles.profile_file import find_profile, shipped
from react_agent.profiles.settings import Settings
from react_agent.profiles.toolbox import registry_for, with_settings

PLANNER = "planner"


@pytest.fixture
def left(tmp_path: Path) -> Callable[..., Profile]:
    def read(profile: str, *without: str) -> Profile:
        return own_profile(profile_without(profile, without), tmp_path, profile)

    return read


def test_says_what_is_different_and_nothing_else() -> None:
    assert profile_without("issue", ("gate", "repair", "stuck", "hints")) == (
        "[profile]\n"
        "based on = issue\n"
        "summary = without gate repair stuck hints\n"
        "guards = budget malformed backtrack compress remind\n"
        "repair = no\n"
        "gate = no\n"
        "[stuck]\n"
        "ladder = demote back stop\n"
    )


@table_of("part", [*PARTS])
def test_each_part_is_taken_away(left: Callable[..., Profile], part: str) -> None:
    whole = shipped(PLANNER)
    assert left(PLANNER, part) == replace(
        PARTS[part](whole), summary=f"without {part}", hidden=left(PLANNER, part).hidden
    )
    assert left(PLANNER, part) != whole


def test_a_tool_goes_with_its_other_names(left: Callable[..., Profile]) -> None:
    profile = left("issue", "grep", "undo")
    assert {"grep", "undo"}.isdisjoint((*profile.tools, *profile.unoffered))
    assert {"rg", "undo_edit"}.isdisjoint(profile.hidden)
    assert "grep" not in registry_for(with_settings(profile, Settings())).names
    plain = registry_for(with_settings(left("issue", "hidden"), Settings()))
    assert (dict(plain.hidden), plain.names) == ({}, set(shipped("issue").tools))


def test_a_profile_of_ones_own(tmp_path: Path) -> None:
    mine = tmp_path / "mine.cfg"
    mine.write_text("[profile]\nbased on = small\ngate = off\n")
    assert profile_without("mine", ("stuck",), tmp_path).split("\n")[1] == f"based on = {mine}"
    (tmp_path / "less.cfg").write_text(profile_without(str(mine), ("stuck",)))
    less = find_profile(str(tmp_path / "less.cfg"), tmp_path)
    kept = tuple(name for name in shipped("small").guards if name != "stuck")
    assert (less.gate, less.guards) == (False, kept)


@table_of(("profile", "without"), [("issue", "plan"), ("classic", "gate"), ("issue", "lookup")])
def test_what_is_not_there_can_not_be_taken(profile: str, without: str) -> None:
    """An arm that is the same as the plain one would only cost money."""
    told = f"profile {profile} has no {without}, so none can be taken from it"
    assert refusal(UsageError, profile_without, profile, (without,)) == told


ARM = Arm("openai/gpt-6", budget={"steps": "9"})


def test_an_arm_for_each_and_one_with_all() -> None:
    parts = ("hidden", "repair", "grep")
    found = arms(ARM, ["hidden, repair", "grep", "repair,,"], Path("/nonexistent"))
    assert found == [ARM, *(replace(ARM, name=f"no-{part}", without=(part,)) for part in parts)]
