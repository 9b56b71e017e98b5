"""A model of yours: python own_model.py [COMMAND...]

Anything that makes text of text will do: here a command that reads a prompt and writes a reply,
such as `ollama run qwen3-coder`. Without one, a line of Python gives up.
"""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from react_agent import Completion, Entry, Event, Show, Solver, View, Why, make_repository

ISSUE = "`python3 -m stopwatch '90 min'` prints 1m30s, and should print 1h30m."
GIVES_UP = (sys.executable, "-c", "print('Conclusion: I give up because I am a line of Python.')")


@dataclass(frozen=True)
class Command:
    """A reply is read only up to its first Observation."""

    words: Sequence[str]

    def complete(
        self,
        view: View,
        *,
        stop: tuple[str, ...],
        max_output: int,
        deadline: float | None,
        show: Show,
    ) -> Completion:
        done = subprocess.run(self.words, input=view.text, stdout=subprocess.PIPE, text=True)
        show(done.stdout)
        return Completion(done.stdout, Why.END)


def show_events(entry: Entry) -> None:
    if isinstance(entry, Event):
        print(f"{entry.name}: {entry.text}")


def main(*words: str) -> None:
    place = Path(tempfile.mkdtemp(prefix="own-model-"))
    make_repository(place)
    solver = Solver(
        model=Command(words or GIVES_UP),
        budget={"steps": 20, "seconds": 1800},
        listen=show_events,
    )
    outcome = solver.solve(ISSUE, place)
    print(f"{outcome.stop}: {outcome.state.conclusion}")


main(*sys.argv[1:])
