"""The page that lists what was tried is what the tests carry."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from marked_rows import WALLS

pytestmark = pytest.mark.check

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


@pytest.mark.checkout
def test_the_page_is_current(tmp_path: Path) -> None:
    place = tmp_path / "page"
    command = [ROOT / "tests/batteries/write.py", place]
    subprocess.run([sys.executable, "-P", *command], check=True, capture_output=True, timeout=100)
    assert (DOCS / "batteries.md").read_text() == place.read_text(), "run: ./dev tables"


@pytest.mark.checkout
def test_every_wall_is_explained() -> None:
    page = (DOCS / "threat-model.md").read_text()
    assert set(re.findall(r"(?m)^### (.+)", page)) == set(WALLS)
