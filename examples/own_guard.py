"""A guard of yours: python own_guard.py [MODEL [REPOSITORY]]

A guard reads what a run has come to, before each call of the model, and returns events: a hint for
the next prompt, or the end of the run. Without a model, replies are made up.
"""

import sys
import tempfile
from pathlib import Path

from react_agent import (
    Event,
    Means,
    ScriptedModel,
    Solver,
    State,
    Stop,
    make_repository,
    stop_event,
)

ISSUE = "Say under which licence this is."
OURS = ("LICENSE", "README.md")  # that no agent is to write
ENOUGH = 2  # steps without a change
REPLIES = (
    "Let me see.\nAction: list_files\n",
    "Is there a word on it?\nAction: grep\nAction Input: licen[cs]e\n",
    "There is none.\nAction: write_file\nAction Input: LICENSE\nMIT\n",
)


def hurry(state: State, means: Means) -> list[Event]:
    if len(state.steps) != ENOUGH or state.wrote:
        return []
    return [Event("hint", "you have seen enough: change something, or say why not")]


def keep_out(state: State, means: Means) -> list[Event]:
    touched = sorted(state.wrote.intersection(OURS))
    return [stop_event(Stop.STUCK, f"it writes {', '.join(touched)}")] if touched else []


def main(model: str = "", repository: str = "") -> None:
    place = Path(repository or tempfile.mkdtemp(prefix="own-guard-"))
    if not repository:
        make_repository(place)
    solver = Solver(model=model or ScriptedModel(REPLIES), guards=[hurry, keep_out])
    outcome = solver.solve(ISSUE, place)
    print(f"{outcome.stop}: {outcome.state.stop_reason}")


main(*sys.argv[1:])
