"""docs/repair.md shows what the command says."""

import re
from pathlib import Path

import pytest

from react_agent.cli.repair import main

pytestmark = pytest.mark.checkout
REFUSED = (5,)
PAGE = Path(__file__).parents[3] / "docs" / "repair.md"


def _blocks(text: str) -> list[str]:
    found = re.findall(r"(?:^ {4}.*\n|^\n(?= {4}))+", text, re.MULTILINE)
    return [re.sub("^ {4}", "", block.strip("\n"), flags=re.MULTILINE) + "\n" for block in found]


def _section(title: str) -> str:
    return PAGE.read_text().partition(f"\n## {title}\n")[2].partition("\n## ")[0]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files that the page speaks of, and its patches."""
    refused = _blocks(_section("What it refuses"))
    examples, given = _section("What it reads").split("Given this")
    patches = [*_blocks(examples), *refused[1::2]]
    texts = {
        "src/x.py": "one\ntwo\nthree\n",
        "src/stores.py": refused[0],
        "reply.txt": _blocks(given)[0],
        **{f"page/{number:02}.patch": patch for number, patch in enumerate(patches)},
    }
    for name, text in texts.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    monkeypatch.chdir(tmp_path)


def test_it_says_what_the_page_shows(place: None, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["reply.txt"]) == 0
    assert capfd.readouterr().err == _blocks(_section("What it reads"))[-1]


@pytest.mark.parametrize("number", range(6))
def test_its_examples_are_read(place: None, capfd: pytest.CaptureFixture[str], number: int) -> None:
    assert main([f"page/{number:02}.patch"]) == int(number in REFUSED)
