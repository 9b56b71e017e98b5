"""The whole instructions of each shipped profile, as they were last read by a person.

To write them anew: python tests/react_agent/test_golden_prompts.py
"""

import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from check_rows import table_of
from own_profile import own_profile
from replies import DONE, LOOK
from tool_names import names_in

from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.profiles.profile import Profile
from react_agent.profiles.profile_file import BASED_ON, SECTIONS, shipped, shipped_names
from react_agent.profiles.settings import Settings
from react_agent.profiles.toolbox import registry_for, with_settings
from react_agent.prompt.view import instructions

GOLDEN = Path(__file__).parents[1] / "data" / "prompts"
ABOUT = ("Python 3.13.0 (the Python on PATH).", "Tests: python -m pytest -q (configured).")


def prompt_of(profile: Profile) -> str:
    profile = with_settings(profile, Settings())
    about = ABOUT if profile.about else ()
    return instructions(profile, registry_for(profile), profile.limits, about)


@table_of("name", shipped_names())
def test_the_prompt_is_the_one_that_was_read(name: str) -> None:
    assert prompt_of(shipped(name)) == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8"), __doc__


def test_there_is_no_other() -> None:
    assert sorted(file.stem for file in GOLDEN.iterdir()) == shipped_names()


@table_of("name", shipped_names())
def test_a_prompt_offers_what_there_is(name: str) -> None:
    profile = with_settings(shipped(name), Settings())
    text = prompt_of(profile)
    assert names_in(text) == set(profile.tools)
    assert not re.search(r"\{\w*\}", text)
    assert profile.summary


def test_the_prompt_of_small_is_short() -> None:
    small, issue = (estimate_tokens(prompt_of(shipped(name))) for name in ("small", "issue"))
    assert small < 0.65 * issue


@table_of(("window", "is_there"), [(100_000, True), (3_200, True), (2_000, False), (800, False)])
def test_an_opening_takes_no_tenth_of_the_window(window: int, is_there: bool) -> None:
    profile = shipped("monologue")
    profile = replace(profile, budget=replace(profile.budget, window=window))
    assert ("I exist" in prompt_of(profile)) == is_there
    assert estimate_tokens(profile.monologue) < 0.1 * 3_200


def test_an_opening_is_switched_off(tmp_path: Path) -> None:
    off = own_profile("[profile]\nbased on = monologue\n[prompt]\nmonologue =\n", tmp_path)
    assert "I exist" not in prompt_of(off)
    before = prompt_of(off).removesuffix("Begin!\n\n")
    assert before != prompt_of(off)
    assert prompt_of(shipped("monologue")).startswith(before)
    assert prompt_of(off) == prompt_of(replace(shipped("monologue"), monologue=""))


@pytest.mark.parametrize("hosts", [(), ("docs.python.org",)], ids=["no web", "web"])
def test_browse_is_offered_where_the_web_may_be_read(hosts: tuple[str, ...]) -> None:
    profile = with_settings(shipped("monologue"), Settings(web=hosts))
    assert ("browse" in profile.tools) == bool(hosts)
    assert ("browse" in profile.unoffered) == (not hosts)
    assert ("`browse` showed" in prompt_of(shipped("monologue"))) is False
    assert "browse" in with_settings(shipped("issue"), Settings(offer=("browse",))).tools


@table_of("name", ["classic", "monologue", "small"])
def test_a_switch_changes_what_is_declared_and_nothing_else(name: str) -> None:
    """With what it says itself set back, it is the one that it is based on."""
    profile, issue = shipped(name), shipped("issue")
    said = {key for key, place in profile.places.items() if place.source == name}
    declared = {
        SECTIONS[section] if section in SECTIONS else key.replace(" ", "_")
        for section, key in said
        if key != BASED_ON
    }
    different = {
        one.name
        for one in fields(Profile)
        if one.compare and getattr(profile, one.name) != getattr(issue, one.name)
    }
    assert different - {"hidden"} <= declared  # other names of a tool go with it
    assert prompt_of(replace(profile, **{one: getattr(issue, one) for one in different})) == (
        prompt_of(issue)
    )


@table_of(
    ("text", "model"),
    {
        "switch": ("[prompt]\nmore notes = Be brief.\n", "script"),
        "amendment": ("[model qwen*]\nmore notes = Be brief.\n", "openai/qwen3"),
    },
)
def test_one_declared_line_is_one_line_of_a_whole_run(
    desk: Any, tmp_path: Path, text: str, model: str
) -> None:
    plain, brief = tmp_path / "plain.cfg", tmp_path / "brief.cfg"
    plain.write_text("[profile]\nbased on = issue\ngate = off\n")
    brief.write_text(f"[profile]\nbased on = plain\n{text}")
    one_run, other_run = (
        desk.watched(LOOK, DONE, profile=str(file), model=model)[1] for file in (plain, brief)
    )
    assert len(one_run) == len(other_run) == 2
    for one, other in zip(one_run, other_run, strict=True):
        assert other.system.replace("Be brief.\n", "", 1) == one.system != other.system
        assert (one.task, one.turns, one.tail) == (other.task, other.turns, other.tail)


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for shipped_name in shipped_names():
        text = prompt_of(shipped(shipped_name))
        (GOLDEN / f"{shipped_name}.txt").write_text(text, encoding="utf-8")
