"""The picture of a run: as it is painted now, small, and nobody else's business."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from picture import COLUMNS, picture

PICTURE = Path(__file__).parents[2] / "docs/picture.svg"
_TEXT = "{http://www.w3.org/2000/svg}text"
pytestmark = pytest.mark.checkout


def test_it_is_current() -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture(), "run: ./dev tables"


def test_it_is_small_and_loads_nothing() -> None:
    text = PICTURE.read_text(encoding="utf-8")
    assert len(text.encode()) < 60_000
    assert re.findall(r"https?:[^\s\"]*|url\(|@import|@font-face|<script|<image|href", text) == [
        "http://www.w3.org/2000/svg"
    ]


def test_it_shows_a_run_to_its_branch() -> None:
    rows = ["".join(one.itertext()) for one in ET.parse(PICTURE).iter(_TEXT)]
    assert (rows[0], max(map(len, rows)) <= COLUMNS) == ("$ react-agent demo", True)
    for begins in ("Objective: ", "Thought: ", "Action: run", "Observation: ", "Conclusion: "):
        assert [row for row in rows if row.startswith(begins)]
    assert [row for row in rows if row.startswith("branch     react-agent/90-min-is-read")]
