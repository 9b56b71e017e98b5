"""docs/repair.md shows what the command says."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from react_agent.cli.repair import main

pytestmark = pytest.mark.checkout
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


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(
    ("arguments", "section"),
    [
        pytest.param(["--explain", "reply.txt"], "What it reads", id="explain"),
        pytest.param(["--stats", "page"], "Many of them", id="stats"),
    ],
)
def test_it_says_what_the_page_shows(
    capfdbinary: pytest.CaptureFixture[bytes], arguments: Sequence[str], section: str
) -> None:
    assert main(arguments) == 0
    shown = _blocks(_section(section))[-1]
    assert shown.encode() in capfdbinary.readouterr()
    assert max(map(len, shown.split("\n"))) <= 80
