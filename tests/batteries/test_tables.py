"""The page that lists what was tried is what the tests carry."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from marked_rows import WALLS

pytestmark = pytest.mark.check

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


@pytest.mark.checkout
def test_the_pages_are_current(tmp_path: Path) -> None:
    pages = ("batteries.md", "threat-model.md")
    for page in pages:
        shutil.copy(DOCS / page, tmp_path)
    command = [ROOT / "tests/batteries/write.py", tmp_path / "batteries.md"]
    subprocess.run([sys.executable, "-P", *command], check=True, capture_output=True, timeout=100)
    for page in pages:
        assert (DOCS / page).read_text() == (tmp_path / page).read_text(), "run: ./dev tables"


@pytest.mark.checkout
def test_every_wall_is_explained() -> None:
    page = (DOCS / "threat-model.md").read_text()
    assert set(re.findall(r"(?m)^### (.+)", page)) == set(WALLS)
