"""A small repository with names to get wrong, and what is played on it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from react_agent.parsers.transcript.entries import Seen
from react_agent.runs.run_folder import RunFolder
from react_agent.state.state import State, Stop

FILES = {
    "lib/dates.py": (
        '"""Dates."""\n\nLONG_NAMES = True\n\n\ndef parse_date(text):\n    return text\n\n\n'
        "class DateParser:\n    def normalise_timezone(self, zone):\n        return zone\n"
    ),
    "lib/receive.py": "def receive_order(order):\n    return order\n",
    "lib/main.py": "from lib.dates import parse_date\n\nx = parse_date('a')\n",
    "src/app.py": "def start():\n    return 1\n",
    ".ci/limits.yml": "request_timeout: 3\n",
    "docs/guide.md": "The `parse_dates` of old is gone; `load_all` was never there.\n",
    "tests/test_it.py": "def test_it():\n    expected_helper()\n",
    ".gitignore": "gen/\n",
    ".react-agent.cfg": "[react_agent]\ntest = true\n",
}
DONE = " all is done\nConclusion: it is done"


def step(thought: str, tool: str, given: str) -> str:
    return f" {thought}\nAction: {tool}\nAction Input: {given}\n"


def grep(pattern: str, thought: str = "look") -> str:
    return step(thought, "run", f"grep -rn {pattern} .")


def write(thought: str) -> str:
    return step(thought, "write_file", "src/new.py\nVALUE = 1\n")


@dataclass
class Played:
    state: State
    stop: Stop
    text: str
    place: Any
    seen: list[Any]  # views
    root: Any

    @property
    def back(self) -> list[str]:
        return [line for line in self.text.split("\n") if line.startswith("%% retracted:")]

    @property
    def checks(self) -> list[str]:
        return [line.partition("check=")[2].split()[0] for line in self.back]

    @property
    def ours(self) -> list[Seen]:
        return [step.seen for step in self.state.steps if step.said.facts.get("by") == "backtrack"]


Plays = Callable[..., Played]


def replayed(desk: Any, played: Played) -> None:
    """Done again, with no difference."""
    desk.told.clear()
    outcome = desk.replay(RunFolder(played.place))
    assert desk.told == []
    assert [s.text for s in outcome.state.steps] == [s.text for s in played.state.steps]
    assert outcome.state.dead_ends == played.state.dead_ends
    assert outcome.stop is played.stop
