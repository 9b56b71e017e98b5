"""What was tried is listed by the tests that carry it."""

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
def test_the_site_gets_every_attack_fault_and_sandbox(tmp_path: Path) -> None:
    command = [sys.executable, "-P", ROOT / "tests/batteries/write.py", tmp_path]
    subprocess.run(command, check=True, capture_output=True, timeout=100)
    page, table = ((tmp_path / f"{name}.md").read_text() for name in ("batteries", "sandboxes"))
    assert set(re.findall(r"(?m)^### (\w+(?: \w+)?): ", page)) == set(WALLS)
    attacks, faults = map(int, re.findall(r"(?m)^## (\d+) ", page))
    assert attacks > 400
    assert faults > 80
    assert "| read ~/.ssh/id | yes | yes |  | **no** |\n" in table


@pytest.mark.checkout
def test_every_wall_is_explained() -> None:
    assert set(re.findall(r"(?m)^### (.+)", (DOCS / "threat-model.md").read_text())) == set(WALLS)
