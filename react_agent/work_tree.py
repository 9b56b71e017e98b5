"""The files of a run: written down after a step, and brought back as a step left them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from react_agent import transcript as transcripts
from react_agent.state import STARTED_FROM, State, Step, fold
from react_agent.tools import changes, checkpoint, workspace
from react_agent.tools.context import Context
from react_agent.tools.observation import Status
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
        start = state.header.get(STARTED_FROM, self.workspace.base.commit)
        checkpoint.restore(self.workspace, start)
        self._steps_again(state)
        if self.context.background:
            self.context.background.close()

    def _steps_again(self, state: State) -> None:
        so_far = State(header=dict(state.header))
        for step in state.steps:
            if expected := step.seen.facts.get("tree"):
                self._step_again(step, so_far)
                if self.checkpoint() != expected:
                    what = "left other files than it did before"
                    self.tell(f"step {step.number}, done again, {what}")
            so_far.take(step.said)
            so_far.take(step.seen)

    def _step_again(self, step: Step, so_far: State) -> None:
        if name := step.seen.facts.get("sub"):
            if step.status is Status.OK:  # else nothing of it was kept
                place = self.workspace.root.parent / name / transcripts.NAME
                self._steps_again(fold(transcripts.read(place).entries))
            return
        turn = step.said.turn
        context = replace(self.context, cwd=so_far.cwd, last_edit=so_far.last_edit)
        self.registry.call(turn.action, turn.input, context)
