"""What the house is said to be made of is there, and drawn as it is."""

import re
from fnmatch import filter as matching
from pathlib import Path

import pytest
from rooms import circle, drawing, drawn, redrawn

pytestmark = [pytest.mark.checkout, pytest.mark.check]

ROOT = Path(__file__).parents[2]
FOLDERS = ("parsers", "tools", "react_agent", "eval", "tests", "docs")
NAMED = re.compile(r"`([\w./*-]*\w\.(?:py|css|html|js|sh|sql|txt|yml))`")


@pytest.mark.parametrize("page", ["architecture.md", "threat-model.md"])
def test_every_file_that_it_names_is_there(page: str) -> None:
    named = set(NAMED.findall((ROOT / "docs" / page).read_text(encoding="utf-8")))
    paths = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.*")]
    there = {end for path in (*paths, *ROOT.glob("*.*")) for end in _ends(path)}
    missing = named - there
    assert [name for name in missing if "*" not in name or not matching(there, name)] == []


def test_the_rooms_are_drawn_as_they_import_each_other() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert drawn(page) == drawing(), "./dev tables draws them again"
    assert redrawn(page) == page
    assert len(drawing().splitlines()) > 30


def _ends(path: Path) -> list[str]:
    """`tools/git/door.py`, `git.py`"""
    parts = path.relative_to(ROOT).parts
    return ["/".join(parts[at:]) for at in range(len(parts))]


def test_no_rooms_of_the_agent_import_each_other_in_turn() -> None:
    """A run, what it makes of an issue and a procedure of runs are one subject in three rooms."""
    knot = {f"react_agent/{name}" for name in ("issue_to_pr", "procedure", "runs")}
    assert circle("react_agent", knot) == ()
