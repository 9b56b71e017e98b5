"""A run as rows: what is called in each step, and what the world answers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from react_agent.models.contract import View
from react_agent.parsers.transcript.entries import Event
from react_agent.state.state import State
from react_agent.tools.context import Context
from react_agent.tools.observation import Observation, Status
from react_agent.tools.registry import Kind

KINDS = {
    "look": Kind.READ,
    "find": Kind.SEARCH,
    "edit": Kind.WRITE,
    "run": Kind.RUN,
    "test": Kind.TEST,
}
DONE = "I know enough.\nConclusion: it is done"


@dataclass(frozen=True)
class Row:
    """One step: what is called, and what the world answers."""

    tool: str  # none: the reply can't be read
    given: str = "x"
    seen: str = "seen"
    status: str = "ok"
    tree: str = ""  # what the files are from now on
    facts: dict[str, str] = field(default_factory=dict)


def failed(tool: str, given: str, seen: str = "no", **facts: str) -> Row:
    return Row(tool, given, seen, "failed", facts=facts)


@dataclass
class Played:
    state: State
    entries: Sequence[Any]
    tails: list[str]

    @property
    def stuck(self) -> list[str]:
        return [one.text for one in self.entries if isinstance(one, Event) and one.name == "stuck"]

    def events(self, name: str) -> list[str]:
        return [one.text for one in self.entries if isinstance(one, Event) and one.name == name]


@dataclass
class World:
    """Tools and files that answer as the row says whose turn it is."""

    row: Row = Row("look")
    tree: str = ""
    listed: str = ""

    def answer(self, given: str, context: Context) -> Observation:
        self.tree = self.row.tree or self.tree
        paths = ("a.py",) if self.row.tool == "edit" else ()
        return Observation(self.row.seen, Status(self.row.status), paths, facts=self.row.facts)

    def checkpoint(self, wrote: Sequence[str] | None = None, last: str = "") -> str:
        return self.tree

    def bring_back(self, state: State) -> None:
        self.tree = state.tree

    def wrote(self, state: State, tree: str) -> dict[str, str]:
        return {}

    def says(self, row: Row) -> Callable[[View], str]:
        def reply(view: View) -> str:
            self.row = row
            thought = f" thought {row.given}"
            call = f"{thought}\nAction: {row.tool}\nAction Input: {row.given}\n"
            return call if row.tool else " I only wonder."

        return reply
