"""What an event does to the world, beside what it does to the prompt.

The event is written first, then carried out here, so what a kill cuts off is done when the run is
taken up: files are brought back to the last checkpoint then, and nothing of it runs any more.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from react_agent.loop.events import started_in
from react_agent.loop.spent import whole_number
from react_agent.loop.state import State
from react_agent.loop.steps import RETRACTED
from react_agent.parsers.transcript.entries import Entry, Event
from react_agent.tools.shell.background import Background


class Files(Protocol):
    listed: str  # the last checkpoint, where it holds just the files that there are

    def checkpoint(self, wrote: Sequence[str] | None = None, last: str = "") -> str:
        """Write the work tree down; the id of its git tree."""
        ...

    def wrote(self, state: State, tree: str) -> Mapping[str, str]:
        """A fact of a step that left this tree: which files it changed, and by how many lines."""
        ...

    def bring_back(self, state: State) -> None:
        """Make the work tree what it was after the last step that stands."""
        ...


Effect = Callable[[State, Files, Background | None], None]


def carry_out(
    entries: Iterable[Entry], state: State, files: Files, background: Background | None
) -> None:
    """Of entries that have been written; done twice, it is as done once."""
    names = (entry.name for entry in entries if isinstance(entry, Event))
    for name in dict.fromkeys(names):
        if effect := EFFECTS.get(name):
            effect(state, files, background)


def _go_back(state: State, files: Files, background: Background | None) -> None:
    if background:
        taken_back = (step for step in state.steps if not step.stands)
        for number in filter(None, map(whole_number, started_in(state, taken_back))):
            background.kill(number)
    files.bring_back(state)


EFFECTS: Mapping[str, Effect] = {RETRACTED: _go_back}
