"""What a search that finds nothing says: where it looked, and the nearest that there is."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from check_rows import table_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from react_agent.tools.context import Context, Limits
from react_agent.tools.files.grep import GREP
from react_agent.tools.files.list_files import LIST_FILES
from react_agent.tools.files.outline import OUTLINE
from react_agent.tools.files.read_file import READ_FILE
from react_agent.tools.registry import Tool

FILES = {
    ".gitignore": "*.log\n/build/\n",
    "README.md": "# Dates\n",
    "src/dates/parse_date.py": "def parse_date_range(text): ...\n",
    "src/dates/calendar_view.py": "class CalendarView: ...\n",
    "src/server/http_handler.py": "MAX_CONNECTIONS = 7\n",
    "docs/user-guide.md": "How to install\n",
    "tests/test_calendar_view.py": "def test_renders_weeks(): ...\n",
    "build/settings_local.py": "",
}
NAMES = ("parse_date_range", "CalendarView", "MAX_CONNECTIONS", "test_renders_weeks")
PATHS = tuple(name for name in FILES if "/" in name and not name.startswith("build/"))


@pytest.fixture
def root(planted: Callable[..., Path]) -> Path:
    return planted({name: text.encode() for name, text in FILES.items()})


def said(tool: Tool, text: str, root: Path) -> str:
    return tool.call(text, Context(root)).text


ROWS = [
    pytest.param(GREP, "parseDateRange", "7 files", "parse_date_range", id="grep"),
    pytest.param(GREP, "How to\npath: src", "3 files (path: src)", "How to", id="grep, where"),
    pytest.param(GREP, "http_handler.py", "7 files", "src/server/http_handler.py", id="grep, file"),
    pytest.param(GREP, "x\npath: scr", "no file matches path: scr", "src", id="grep, folder"),
    pytest.param(LIST_FILES, "src/date", "does not exist", "src/dates", id="list_files"),
    pytest.param(
        READ_FILE, "src/parse_date.py", "does not exist", "src/dates/parse_date.py",
        id="read_file",
    ),
    pytest.param(
        OUTLINE, "src/dates/parse_dates.py", "does not exist",
        "src/dates/parse_date.py", id="outline",
    ),
]  # fmt: skip


@table_of(("tool", "text", "scope", "nearest"), ROWS)
def test_it_says_where_it_looked_and_what_is_nearest_unless_it_is_not_to_widen(
    root: Path, tool: Tool, text: str, scope: str, nearest: str
) -> None:
    seen = said(tool, text, root)
    assert [part for part in (scope, nearest) if part not in seen] == [], seen
    seen = tool.call(text, Context(root, Limits(widen=False))).text
    found = seen.replace(text, "").replace(text.split("\n")[0], "")
    assert nearest not in found, seen


def _otherwise_joined(name: str, between: str) -> str:
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)
    if not between:
        return "".join(word.capitalize() for word in words)
    return between.join(word.lower() for word in words)


WAYS: dict[str, Callable[[str, int], str]] = {
    "other case": lambda name, at: name.swapcase(),
    "snake": lambda name, at: _otherwise_joined(name, "_"),
    "kebab": lambda name, at: _otherwise_joined(name, "-"),
    "camel": lambda name, at: _otherwise_joined(name, ""),
    "dropped": lambda name, at: name[:at] + name[at + 1 :],
    "doubled": lambda name, at: name[:at] + name[at] + name[at:],
    "swapped": lambda name, at: name[:at] + name[at : at + 2][::-1] + name[at + 2 :],
}


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(NAMES), st.sampled_from(sorted(WAYS)), st.integers(0, 30))
def test_a_distorted_name_is_found_in_the_files(root: Path, name: str, way: str, at: int) -> None:
    seen = said(GREP, WAYS[way](name, at % len(name)), root)
    assert name in seen, seen


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    path=st.sampled_from(PATHS),
    way=st.sampled_from([*sorted(WAYS), "no extension", "wrong folder"]),
    at=st.integers(0, 30),
    tool=st.sampled_from([READ_FILE, OUTLINE, LIST_FILES]),
    whole=st.booleans(),
)
def test_a_distorted_path_leads_to_the_file(
    root: Path, path: str, way: str, at: int, tool: Tool, *, whole: bool
) -> None:
    if way == "no extension":
        asked = path.rpartition(".")[0]
    elif way == "wrong folder":
        asked = f"lib/{path.rpartition('/')[2]}"
    else:
        folder, _, last = path.rpartition("/")
        stem, _, extension = last.rpartition(".")
        asked = f"{folder}/{WAYS[way](stem, at % len(stem))}.{extension}"
    seen = said(tool, asked if whole else asked.rpartition("/")[2], root)
    assert path.rpartition("/")[2] in seen, seen
