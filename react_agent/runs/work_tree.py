"""The files of a run: written down after a step, and brought back as a step left them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from react_agent.errors import MachineError, ReactAgentError
from react_agent.loop import transcript as transcripts
from react_agent.loop.events import WROTE
from react_agent.loop.state import REDONE, STARTED_FROM, State, astray, fold, on_which
from react_agent.loop.steps import Step
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import write_facts, write_list
from react_agent.tools.context import Context
from react_agent.tools.git import checkpoint, workspace
from react_agent.tools.git.tree_diffs import line_counts
from react_agent.tools.git.workspace import Workspace
from react_agent.tools.observation import Status
from react_agent.tools.registry import CHANGES_FILES, Registry
from react_agent.tools.shell.run import running

_OF_FILES = ("on", "tree", WROTE)  # facts of a step


@dataclass(slots=True)
class WorkTree:
    workspace: Workspace
    cuts: Path
    registry: Registry
    context: Context
    tell: Callable[[str], None]
    folder: Path | None = None  # of its transcript, where that is not beside the workspace
    note: Callable[[State, Sequence[Event]], None] = lambda state, events: None
    listed: str = ""  # the last checkpoint, where it holds just the files that there are

    def checkpoint(self, wrote: Sequence[str] | None = None, last: str = "") -> str:
        """Without looking at any other file, where only these have changed since the last one."""
        last = last or self.listed  # before the first step, the base
        was_complete, goes_on = self.listed == last, bool(running(self.context))
        self.listed = ""
        tree = None if wrote is None else checkpoint.take_again(self.workspace, last, wrote)
        if tree is None:
            taken = checkpoint.take(self.workspace)
            tree, was_complete = taken.tree, not taken.left_out
        self.listed = tree if was_complete and not goes_on else ""
        return tree

    def wrote(self, state: State, tree: str) -> Mapping[str, str]:
        """Nothing where git can't tell."""
        objects, base = self.workspace.store, self.workspace.base.commit
        before = state.tree or self._start(state)
        found = line_counts(objects, before, tree, ends_count=before != base)
        return {} if found is None else {WROTE: write_list(found)}

    def bring_back(self, state: State) -> None:
        """As after the last step that stands: from its checkpoint, or by doing again what wrote.

        What commands committed by themselves is not kept, only the files."""
        place, self.listed = self.workspace, ""
        if workspace.is_whole(place):
            try:
                self._brought_back(state)
            except MachineError:
                raise
            except ReactAgentError as error:  # a machine that lost its power may have damaged it
                self.tell(f"the workspace is made anew: {error}")
            else:
                return
        workspace.remove(place)
        workspace.make(
            place.base, root=place.root, branch=place.branch, cuts=self.cuts, built=place.built
        )
        self._brought_back(state)

    def _brought_back(self, state: State) -> None:
        place = self.workspace
        first = astray(state, self._may_have_written)
        tree = state.tree or self._start(state)
        if first is None and checkpoint.holds(place, tree):
            checkpoint.restore(place, tree)
        else:
            self._do_again(state, first)
        workspace.renew_commands_git(place, state.tree or tree)

    def _do_again(self, state: State, first: Step | None) -> None:
        """All that wrote; or, where a person has changed what came before, from that step on."""
        tree, again = self._before(state, first)
        checkpoint.restore(self.workspace, tree)
        self.note(state, self._steps_again(state, self.folder or self.workspace.root.parent, again))
        if self.context.background:
            self.context.background.close()

    def _start(self, state: State) -> str:
        return state.header.get(STARTED_FROM, self.workspace.base.commit)

    def _before(self, state: State, first: Step | None) -> tuple[str, int]:
        """Where to begin: the files, and the step that is the first to be done."""
        start = self._start(state)
        if first is None:
            return start, 1
        before = (step for step in reversed(state.standing) if step.number < first.number)
        last = next((step.tree for step in before if step.tree), start)
        return (last, first.number) if checkpoint.holds(self.workspace, last) else (start, 1)

    def _steps_again(self, state: State, folder: Path, again: int = 1) -> list[Event]:
        """The standing ones from this number on; what is otherwise than it was."""
        so_far, otherwise = State(header=dict(state.header)), list[Event]()
        for step in state.standing:
            facts = dict(step.seen.facts)
            if step.number >= again and (step.tree or self._may_have_written(step)):
                facts.update(self._left_by(step, so_far, folder))
            if facts != step.seen.facts:
                changed = {name: facts[name] for name in _OF_FILES if name in facts}
                otherwise.append(Event(REDONE, write_facts({"n": str(step.number), **changed})))
            so_far.take(step.said)
            so_far.take(replace(step.seen, facts=facts))
        return otherwise

    def _may_have_written(self, step: Step) -> bool:
        """Nothing tells: a person has written it, or has taken away what the file said of it."""
        tool = self.registry.tool(step.said.turn.action)
        return not step.seen.facts and tool is not None and tool.kind in CHANGES_FILES

    def _left_by(self, step: Step, so_far: State, folder: Path) -> dict[str, str]:
        """The files that it is done again on, and those that it leaves."""
        self._step_again(step, so_far, folder)
        tree = self.checkpoint()
        if not step.tree:
            self.tell(f"step {step.number} was done, as the transcript does not say what it left")
        elif tree != step.tree:
            self.tell(f"step {step.number}, done again, left other files than it did before")
        on = {"on": on_which(so_far)} if "on" in step.seen.facts or tree != step.tree else {}
        wrote = self.wrote(so_far, tree) if tree != step.tree else {}
        return {**on, "tree": tree, **wrote}

    def _step_again(self, step: Step, so_far: State, folder: Path) -> None:
        if "sub" in step.seen.facts:
            if step.sub and step.status is Status.OK:  # else nothing of it was kept
                inner = transcripts.read(folder / step.sub / transcripts.NAME)
                self._steps_again(fold(inner.entries), folder / step.sub)
            return
        turn = step.said.turn
        context = replace(self.context, cwd=so_far.cwd, last_edit=so_far.last_edit, tree="")
        self.registry.call(turn.action, turn.input, context)
