"""Profiles as text."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from check_rows import table_of
from own_profile import own_profile

from react_agent.errors import ConfigError
from react_agent.parsers.settings.hidden import Alias, Protocol, Redirect, Translated, filled
from react_agent.profiles.profile import GATE_CHECKS as CHECKS
from react_agent.profiles.profile import GUARDS, Budget, Profile, limits_of, with_limits
from react_agent.profiles.profile_file import NAMES, SECTIONS, find_profile, shipped
from react_agent.profiles.settings import Settings
from react_agent.profiles.toolbox import registry_for, with_settings
from react_agent.prompt.view import instructions
from react_agent.tools.context import Limits
from react_agent.tools.registry import names_in

SECTION_NAMES = ", ".join(
    f"[{name}]" for name in (*NAMES, *SECTIONS, "model PATTERN", "model PATTERN SECTION")
)
SMALL = """\
[profile]
name = small
tools = grep run
guards = budget
[budget]
steps = 7
money = 0.5
[prompt]
role = You search.
format =
    Use this:

    Thought: one of {tools}
[hidden]
rg = alias grep
vim = redirect No editor = no typing.
"""


def test_reads_a_profile(tmp_path: Path) -> None:
    assert own_profile(SMALL, tmp_path, "small") == Profile(
        name="small",
        summary="",
        tools=("grep", "run"),
        guards=("budget",),
        budget=Budget(steps=7, money=0.5),
        role="You search.",
        format="Use this:\n\nThought: one of {tools}",
        hidden={"rg": Alias("grep"), "vim": Redirect("No editor = no typing.")},
    )


@table_of(
    ("old", "new", "message"),
    [
        pytest.param("tools = grep run", "", "profile small: 'tools' is missing", id="no tools"),
        pytest.param(
            "[prompt]",
            "[talk]",
            f"profile small, line 8: expected one of {SECTION_NAMES}, found '[talk]'",
            id="no prompt",
        ),
        pytest.param(
            "[profile]",
            "name",
            "profile small, line 1: expected [SECTION] or NAME = VALUE, found 'name'",
            id="not a profile",
        ),
        pytest.param(
            "steps = 7",
            "steps = many",
            "profile small, line 6: [budget] steps must be a whole number from 1, not 'many'",
            id="word",
        ),
        pytest.param(
            "steps = 7",
            "steps = 0",
            "profile small, line 6: [budget] steps must be a whole number from 1, not '0'",
            id="0",
        ),
        pytest.param(
            "money = 0.5",
            "money = nan",
            "profile small, line 7: [budget] money must be a number greater than 0, not 'nan'",
            id="nan",
        ),
        pytest.param(
            "steps = 7",
            "paces = 7",
            "profile small, line 6: [budget] has no 'paces': there are steps, prompt_tokens, "
            "seconds, money, window, reply, malformed, overuse",
            id="unknown budget",
        ),
        pytest.param(
            "role =",
            "rule =",
            "profile small, line 9: expected one of role, opening, format, notes, monologue, "
            "more notes, found 'rule' (did you mean role?)",
            id="no part of a prompt",
        ),
        pytest.param(
            "guards = budget",
            "about = weather",
            "profile small, line 4: [profile] about must be some of environment, user, repo_map, "
            "issue, files, each once, not 'weather'",
            id="nothing that can be told",
        ),
        pytest.param(
            "[hidden]",
            "[gate]\nchecks = empty weather\n[hidden]",
            f"profile small, line 15: [gate] checks must be some of {', '.join(CHECKS)}, each "
            "once, not 'empty weather'",
            id="unknown check",
        ),
        pytest.param(
            "[hidden]",
            "[gate]\ncheck =\n[hidden]",
            "profile small, line 15: [gate] has no 'check' (did you mean checks?): "
            "there are checks",
            id="gate",
        ),
        pytest.param(
            "guards = budget",
            "gate = ajar",
            "profile small, line 4: [profile] gate must be yes or no, not 'ajar'",
            id="neither on nor off",
        ),
        pytest.param(
            "name = small",
            "based on = tiny",
            "profile small, line 2: 'tiny' is not a valid base profile",
            id="based on what is not shipped",
        ),
    ],
)
def test_says_what_is_wrong_with_a_profile(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        own_profile(SMALL.replace(old, new), tmp_path, "small")
    assert str(caught.value).replace(f"{tmp_path}/small.cfg", "small") == message


@table_of(
    ("old", "new", "message"),
    [
        pytest.param(
            "tools = grep run",
            "tools = grep fly",
            "profile small, line 3: there is no tool 'fly'",
            id="unknown tool",
        ),
        pytest.param(
            "guards = budget",
            "guards = dog",
            f"profile small, line 4: [profile] guards must be some of {', '.join(GUARDS)}, "
            "each once, not 'dog'",
            id="unknown guard",
        ),
        pytest.param(
            "alias grep",
            "alias read_file",
            "profile small, line 15: rg is an alias of read_file, which is not a tool here",
            id="alias of what is not offered",
        ),
        pytest.param(
            "rg = alias grep",
            "grep = redirect no",
            "profile small, line 15: grep can't be hidden: it is read as grep, which is a tool",
            id="hidden and offered",
        ),
    ],
)
def test_a_profile_names_what_there_is(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        registry_for(own_profile(SMALL.replace(old, new), tmp_path, "small"))
    assert str(caught.value).replace(f"{tmp_path}/small.cfg", "small") == message


def test_one_of_the_persons_own(tmp_path: Path) -> None:
    """It goes by the name of its file: a resume finds it by the name in the transcript."""
    (tmp_path / "careful.cfg").write_text("[profile]\nbased on = issue\nabout = repo_map\n")
    found, issue = find_profile("careful", tmp_path), shipped("issue")
    assert found == replace(issue, name="careful", about=("repo_map",))
    assert find_profile("issue", tmp_path) == issue


def test_an_unknown_profile_is_one_line() -> None:
    with pytest.raises(ConfigError, match=r"^there is no profile 'nosuch'$"):
        shipped("nosuch")


def test_limits_are_read_back() -> None:
    budget = Budget(steps=7, seconds=1.5, money=0.25)
    assert with_limits(Budget(), limits_of(budget)) == budget


def test_the_shipped_profile_offers_what_it_has_and_nothing_hidden() -> None:
    profile = shipped("issue")
    registry = registry_for(profile)
    text = instructions(profile, registry, Limits())
    assert names_in(text) == set(profile.tools) == set(registry.visible)
    assert not names_in(text) & set(registry.hidden)
    assert f"exactly one of [{', '.join(profile.tools)}]\n" in text
    assert "stopped after 120 seconds" in text
    assert not re.search(r"\{\w*\}", text)


def test_no_hidden_answer_names_a_hidden_tool() -> None:
    registry = registry_for(shipped("issue"))
    for entry in registry.hidden.values():
        if isinstance(entry, (Redirect, Protocol)):
            assert names_in(entry.text) <= set(registry.visible), entry
            assert "{" not in filled(entry.text, "x")


OWN = """\
[profile]
name = own
based on = issue
off = redirect code unoffered
tests after edit = yes
[limits]
window_lines = 30
command_seconds = 9
widen = no
[hidden]
peek = alias read_file
think =
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    (tmp_path / "own.cfg").write_text(OWN)
    return tmp_path


def test_a_profile_of_ones_own_says_what_is_different(own: Path) -> None:
    profile, base = find_profile("own", own), shipped("issue")
    assert (profile.name, profile.tools, profile.format) == ("own", base.tools, base.format)
    assert profile.limits == Limits(command_seconds=9.0, widen=False)
    assert profile.gone == (
        "'tests after edit' of [profile] is gone: no recorded run needed it",
        "'window_lines' of [limits] is gone: the model's window decides how much is shown: "
        "see `window` in [budget]",
    )
    assert find_profile("issue", own) == base


def test_kinds_of_hidden_tools_are_switched_off(own: Path) -> None:
    registry = registry_for(with_settings(find_profile("own", own), Settings()))
    assert not registry.unoffered
    kinds = {type(entry) for entry in registry.hidden.values()}
    assert kinds == {Alias, Protocol, Translated}
    assert "python" not in registry.hidden
    assert "think" not in registry.hidden
    assert registry.hidden["peek"] == Alias("read_file")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("[limits]\nwindow = 3", "has no 'window': there are", id="name"),
        pytest.param("[budget]\nsteps = 0", "a whole number from 1", id="nothing"),
        pytest.param("[limits]\nwiden = 3", "widen must be yes or no, not '3'", id="no switch"),
        pytest.param(
            "[profile]\nbased on = nosuch", "'nosuch' is not a valid base profile", id="base"
        ),
        pytest.param(
            "[profile]\nbased on = issue\ngate = 3",
            "own.cfg, line 3: .profile. gate must be yes or no, not '3'",
            id="switch",
        ),
    ],
)
def test_says_what_is_wrong_with_ones_own(tmp_path: Path, text: str, message: str) -> None:
    whole = text if text.startswith("[profile]") else f"[profile]\nbased on = issue\n{text}"
    (tmp_path / "own.cfg").write_text(whole)
    with pytest.raises(ConfigError, match=message):
        find_profile("own", tmp_path)
