"""The examples that the idea was first shown with, in the profile `classic`: done again, the same.

To record them anew, with the same words: python tests/react_agent/cli/test_textbook.py
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from react_agent.demo.record import without_local_paths
from react_agent.demo.repository import make_repository
from react_agent.state.state import fold
from react_agent.state.transcript import read

BOOK = Path(__file__).parents[2] / "data" / "textbook"


@pytest.mark.parametrize(
    ("name", "tools", "last", "conclusion"),
    [
        pytest.param(
            "olivia-wilde",
            ["lookup", "lookup", "calculator"],
            "2.169459462491557",
            "29^0.23 is 2.169459462491557",
            id="a power of an age",
        ),
        pytest.param(
            "eurovision",
            ["lookup", "lookup", "calculator"],
            "165",
            "the average height is hers, 165 cm",
            id="an average height",
        ),
    ],
)
def test_replays_with_no_difference(
    cli: Any, repository: Path, name: str, tools: list[str], last: str, conclusion: str
) -> None:
    state = fold(read(BOOK / f"{name}.txt").entries)
    assert [step.seen.facts["tool"] for step in state.steps] == tools
    assert state.steps[-1].seen.text == last
    assert conclusion in state.conclusion
    answer = cli("replay", str(BOOK / f"{name}.txt"), "--repo", str(repository))
    assert answer.code == 0, answer.out
    assert answer.out.endswith("3 steps, ended as concluded: every prompt as recorded\n")


def _recorded(words: Path, folder: Path) -> str:
    """A run of these words, in places of its own."""
    make_repository(folder / "repository")
    state = fold(read(words).entries)
    command = [str(Path(sys.executable).with_name("react-agent")), "solve", state.objective or ""]
    command += ["--repo", str(folder / "repository"), "--profile", "classic"]
    places = dict.fromkeys(("XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"), str(folder))
    environment = {**os.environ, **places}
    subprocess.run([*command, "--model", f"replay/{words}"], env=environment, check=False)
    [made] = folder.glob("react-agent/runs/*/transcript.txt")
    return without_local_paths(made.read_text(encoding="utf-8"))


if __name__ == "__main__":
    for recording in BOOK.glob("*.txt"):
        with tempfile.TemporaryDirectory() as place:
            text = _recorded(recording, Path(place))
        recording.write_text(text, encoding="utf-8")
