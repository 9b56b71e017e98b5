"""Which tools a run has, after what a person adds, takes away and brings along."""

import sys
from pathlib import Path
from typing import Any

import pytest
from check_rows import table_of
from refusals import refusal

from react_agent.errors import ConfigError
from react_agent.parsers.settings.hidden import Hidden, HiddenKind
from react_agent.profiles.profile_file import shipped
from react_agent.profiles.settings import Settings
from react_agent.profiles.toolbox import registry_for, tool_named, with_settings
from react_agent.tools.context import Context
from react_agent.tools.registry import How, Registry

NONE = "but there is no such tool"
HEAD = """\
from react_agent.tools.observation import Observation
from react_agent.tools.registry import Kind, Tool
"""
GOOD = HEAD + (
    "def _call(text, context):\n"
    "    return Observation(str(1 // len(text))) if text != 'none' else None\n"
    "TICKETS = Tool('tickets', 'search the tickets', Kind.READ, _call)\n"
)


def registry(**options: Any) -> Registry:
    return registry_for(with_settings(shipped("issue"), Settings(**options)))


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: Any) -> None:
    """A distribution with a tool of its own, as if it were installed."""
    info = tmp_path / "tickets-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tickets\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[react_agent.tools]\ntickets = of_tickets:TICKETS\n")
    (tmp_path / "of_tickets.py").write_text(getattr(request, "param", GOOD))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "of_tickets", raising=False)


def test_what_is_added_and_taken_away() -> None:
    made = registry(offer=("update_file", "run"), withhold=("outline", "run_background"))
    assert [*made.visible] == [
        *(name for name in shipped("issue").tools if name != "outline"),
        "update_file",
    ]
    assert "run_background" not in made.names
    assert "list_symbols" not in made.hidden


def test_a_tool_that_is_gone_is_passed_over_and_its_name_still_answers() -> None:
    made = registry(
        offer=("find_file",), hidden={"search_names": Hidden(HiddenKind.ALIAS, "find_file")}
    )
    assert "search_names" not in made.names
    assert made.hidden["find_file"] == Hidden(HiddenKind.ALIAS, "list_files")


@table_of(
    ("options", "message"),
    {
        "offered": ({"offer": ("nosuch",)}, f"your settings offer 'nosuch', {NONE}"),
        "withheld": ({"withhold": ("read_fil",)}, f"your settings withhold 'read_fil', {NONE}"),
        "a hidden name": ({"offer": ("cat",)}, f"your settings offer 'cat', {NONE}"),
        "all of them": ({"withhold": shipped("issue").tools}, "profile issue: no tool is offered"),
    },
)
def test_a_mistake_is_one_line(options: dict[str, tuple[str, ...]], message: str) -> None:
    assert refusal(ConfigError, registry, **options) == message


@table_of(
    ("name", "given", "how", "text"),
    [
        ("bash", "cat ../x", How.ALIAS, "[read as read_file ../x]\n../x is outside"),
        ("bash", "make all", How.WISH, "No commands can be run here. The tools are: `list_files`"),
        ("run", "make all", How.WISH, "There is no tool with that name. The tools are:"),
        ("sudo", "make", How.REDIRECT, "No other permissions are available here."),
    ],
)
def test_without_commands(name: str, given: str, how: How, text: str, tmp_path: Path) -> None:
    answer = registry(withhold=("run",)).call(name, given, Context(tmp_path))
    assert (answer.how, answer.observation.text[: len(text)]) == (how, text)
    assert "`run`" not in answer.observation.text


@pytest.mark.usefixtures("package")
@table_of(
    ("given", "text"),
    [
        ("x", "1"),
        ("", "`tickets` is broken: ZeroDivisionError: integer division or modulo by zero"),
        ("none", "`tickets` is broken: AttributeError: 'NoneType' object has no attribute 'text'"),
    ],
)
def test_a_tool_of_a_package(given: str, text: str, tmp_path: Path) -> None:
    made = registry(offer=("tickets",))
    assert made.call("tickets", given, Context(tmp_path)).observation.text == text


@pytest.mark.parametrize(
    ("package", "message"),
    [
        pytest.param(
            "raise ValueError('one\\ntwo')",
            "the tool 'tickets' of of_tickets:TICKETS is broken: ValueError: one two",
            id="raises",
        ),
        pytest.param(
            GOOD.replace("'tickets'", "'other'"),
            "of_tickets:TICKETS does not define a tool named 'tickets'",
            id="another name",
        ),
    ],
    indirect=["package"],
)
def test_a_broken_package_is_one_line(package: None, message: str) -> None:
    assert refusal(ConfigError, tool_named, "tickets") == message
