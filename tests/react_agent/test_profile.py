"""Profiles as text."""

from pathlib import Path

import pytest
from check_rows import table_of
from own_profile import own_profile
from tool_names import names_in

from react_agent.errors import ConfigError
from react_agent.parsers.settings.hidden import TRANSLATED, Hidden, HiddenKind, filled
from react_agent.profiles.profile import Budget, Profile
from react_agent.profiles.profile_file import NAMES, SECTIONS, find_profile, shipped
from react_agent.profiles.settings import Settings
from react_agent.profiles.toolbox import registry_for, with_settings
from react_agent.tools.context import Limits

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
        hidden={
            "rg": Hidden(HiddenKind.ALIAS, "grep"),
            "vim": Hidden(HiddenKind.REDIRECT, "No editor = no typing."),
        },
    )


@table_of(
    ("old", "new", "message"),
    {
        "no tools": ("tools = grep run", "", "profile small: 'tools' is missing"),
        "no prompt": (
            "[prompt]",
            "[talk]",
            f"profile small, line 8: expected one of {SECTION_NAMES}, found '[talk]'",
        ),
        "not a profile": (
            "[profile]",
            "name",
            "profile small, line 1: expected [SECTION] or NAME = VALUE, found 'name'",
        ),
        "no part of a prompt": (
            "role =",
            "rule =",
            "profile small, line 9: [prompt] has no 'rule' (did you mean role?): there are role, "
            "opening, format, notes, monologue",
        ),
        "based on what is not shipped": (
            "name = small",
            "based on = tiny",
            "profile small, line 2: 'tiny' is not a valid base profile",
        ),
        "unknown tool": (
            "tools = grep run",
            "tools = grep fly",
            "profile small, line 3: there is no tool 'fly'",
        ),
        "alias of what is not offered": (
            "alias grep",
            "alias read_file",
            "profile small, line 15: rg is an alias of read_file, which is not a tool here",
        ),
        "hidden and offered": (
            "rg = alias grep",
            "grep = redirect no",
            "profile small, line 15: grep can't be hidden: it is read as grep, which is a tool",
        ),
    },
)
def test_says_what_is_wrong_with_a_profile(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        registry_for(own_profile(SMALL.replace(old, new), tmp_path, "small"))
    assert str(caught.value).replace(f"{tmp_path}/small.cfg", "small") == message


def test_no_hidden_answer_names_a_hidden_tool() -> None:
    registry = registry_for(shipped("issue"))
    for entry in registry.hidden.values():
        if entry.kind in (HiddenKind.REDIRECT, HiddenKind.PROTOCOL):
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
    kinds = {entry.kind for entry in registry.hidden.values()}
    assert kinds == {HiddenKind.ALIAS, HiddenKind.PROTOCOL, *TRANSLATED} - {HiddenKind.CODE}
    assert "python" not in registry.hidden
    assert "think" not in registry.hidden
    assert registry.hidden["peek"] == Hidden(HiddenKind.ALIAS, "read_file")
