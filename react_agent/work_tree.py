"""The files of a run: written down after a step, and brought back as a step left them."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from react_agent.state import State
from react_agent.tools import changes, checkpoint, workspace
from react_agent.tools.context import Context
from react_agent.tools.registry import Registry
from react_agent.tools.workspace import Workspace


@dataclass(frozen=True, slots=True)
class WorkTree:
    workspace: Workspace
    cuts: Path
    registry: Registry
    context: Context
    tell: Callable[[str], None]

    def checkpoint(self) -> str:
        return checkpoint.take(self.workspace)

    def bring_back(self, state: State) -> None:
        """As after the last step: from its checkpoint, or by doing again the steps that wrote.

        What commands committed or staged by themselves is not kept, only the files."""
        place = self.workspace
        if not workspace.is_whole(place):
            workspace.remove(place)
            workspace.make(place.base, root=place.root, branch=place.branch, cuts=self.cuts)
        if not state.conclusion:  # else the branch may stand on our commit already
            changes.stand_on(place, place.base.commit)
        if not state.tree:
            checkpoint.restore(place, place.base.commit)
        elif checkpoint.holds(place, state.tree):
            checkpoint.restore(place, state.tree)
        else:
            self._do_again(state)

    def _do_again(self, state: State) -> None:
        checkpoint.restore(self.workspace, self.workspace.base.commit)
        for step in state.steps:
            expected = step.seen.facts.get("tree")
            if not expected:
                continue
            turn = step.said.turn
            self.registry.call(turn.action, turn.input, self.context)
            if self.checkpoint() != expected:
                self.tell(f"step {step.number}, done again, left other files than it did before")
