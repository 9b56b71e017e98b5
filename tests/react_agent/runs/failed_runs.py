"""Runs that came to nothing, played or made up, for what is told of them."""

from pathlib import Path
from typing import Any

from replies import replaced

from react_agent.parsers.transcript.entries import Objective, Said, Seen
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.runs.report import Outcome
from react_agent.runs.run_folder import RunFolder
from react_agent.state.state import State, Stop, fold

WHY = "It fails because the title is in lower case."
CHANGE = replaced("README.md", "# stopwatch", "# Stopwatch", WHY)
CALLS = (
    " The unit is read in parsing.py.\nAction: read_file\nAction Input: stopwatch/parsing.py\n",
    " again\nAction: read_file\nAction Input: stopwatch/parsing.py\n",
    CHANGE,
    " test\nAction: run\nAction Input: python3 -m unittest -q tests.test_printing\n",
    " go\nAction: fly\nAction Input: on\n",
)


def step(number: int, action: str, paths: str = "", thought: str = "", **facts: str) -> list[Any]:
    turn = Turn(Kind.ACTION, thought, action, facts.pop("input", ""))
    told = {"n": str(number), "tool": action, "status": "ok", "paths": paths, **facts}
    return [Said(turn), Seen(facts.get("seen", "seen"), told)]


def state_of(*steps: list[Any], objective: str = "do it", then: tuple[Any, ...] = ()) -> State:
    return fold([Objective(objective), *(entry for one in steps for entry in one), *then])


def outcome_of(state: State, **options: Any) -> Outcome:
    return Outcome(Stop.OUT_OF_STEPS, RunFolder(Path("/runs/a-run")), state, **options)


def read(number: int, path: str, thought: str = "") -> list[Any]:
    return step(number, "read_file", path, thought, kind="read")
