"""The work tree of a run: record it after a step, and restore it to the state after a step."""

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from react_agent.errors import MachineError, ReactAgentError, TranscriptError
from react_agent.parsers.repo.git_diff import StepDiff, read_step_diffs, write_step_diffs
from react_agent.parsers.text.counted import counted, first_few
from react_agent.parsers.transcript.entries import Event
from react_agent.parsers.transcript.facts import write_facts, write_list
from react_agent.parsers.transcript.quoting import escape
from react_agent.runs.audit import DEEPEST, Count, counts_in
from react_agent.runs.run_folder import RunFolder, write_whole
from react_agent.state import transcript as transcripts
from react_agent.state.events import WROTE
from react_agent.state.state import (
    REDONE,
    SHORT,
    START,
    STARTED_FROM,
    State,
    astray,
    fold,
    on_which,
)
from react_agent.state.steps import Step
from react_agent.state.transcript import Redact, Transcript
from react_agent.tools import disk
from react_agent.tools.context import Context
from react_agent.tools.git import checkpoint, workspace
from react_agent.tools.git.tree_diffs import Pair, line_counts, tree_diffs
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
    transcript: Transcript | None = None  # of the run, for what repeated steps left
    listed: str = ""  # the last checkpoint, where it holds just the files that there are

    def checkpoint(self, wrote: Sequence[str] | None = None, last: str = "") -> str:
        """Record a checkpoint. If `wrote` is given, look only at the files that it lists."""
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
        """Return the line counts of the changes up to `tree`, or an empty dict if git fails."""
        objects, base = self.workspace.store, self.workspace.base.commit
        before = state.tree or self._start(state)
        found = line_counts(objects, before, tree, ends_count=before != base)
        return {} if found is None else {WROTE: write_list(found)}

    def bring_back(self, state: State) -> None:
        """Restore the files to their state after the last step that was not retracted.

        The files come from its checkpoint, or else the steps are executed again. Commits that
        commands made are lost.
        """
        place, self.listed = self.workspace, ""
        if workspace.is_whole(place):
            try:
                self._brought_back(state)
            except MachineError:
                raise
            except ReactAgentError as error:  # a machine that lost its power may have damaged it
                self.tell(f"the workspace is created again: {error}")
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
        if first is None and place.store.has(tree):
            checkpoint.restore(place, tree)
        else:
            # After an edit by a person, only the steps from there on are done again.
            tree, again = self._before(state, first)
            checkpoint.restore(place, tree)
            folder = self.folder or place.root.parent
            events = self._steps_again(state, folder, again)
            if events and self.transcript and state is self.transcript.state:  # of no sub-agent
                self.transcript.append(*events)
            if self.context.background:
                self.context.background.close()
        workspace.renew_commands_git(place, state.tree or tree)

    def _start(self, state: State) -> str:
        return state.header.get(STARTED_FROM, self.workspace.base.commit)

    def _before(self, state: State, first: Step | None) -> tuple[str, int]:
        """Return the tree to start from, and the number of the first step to execute again."""
        start = self._start(state)
        if first is None:
            return start, 1
        before = (step for step in reversed(state.standing) if step.number < first.number)
        last = next((step.tree for step in before if step.tree), start)
        return (last, first.number) if self.workspace.store.has(last) else (start, 1)

    def _steps_again(self, state: State, folder: Path, again: int = 1) -> list[Event]:
        """Execute the steps again, starting with number `again`. Return events for differences."""
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
        """Return whether a step without recorded facts may have changed files."""
        tool = self.registry.tool(step.said.turn.action)
        return not step.seen.facts and tool is not None and tool.kind in CHANGES_FILES

    def _left_by(self, step: Step, so_far: State, folder: Path) -> dict[str, str]:
        """Execute the step again if it wrote, and return facts about the files before and after."""
        facts, turn = step.seen.facts, step.said.turn
        if facts.get(WROTE) == "":
            pass  # it changed nothing
        elif "sub" not in facts:
            context = replace(self.context, cwd=so_far.cwd, last_edit=so_far.last_edit, tree="")
            self.registry.call(turn.action, turn.input, context)
        elif step.sub and step.status is Status.OK:  # else nothing of it was kept
            inner = transcripts.read(folder / step.sub / transcripts.NAME)
            self._steps_again(fold(inner.entries), folder / step.sub)
        tree = self.checkpoint()
        if not step.tree:
            self.tell(f"step {step.number} was repeated: the transcript does not record its files")
        elif tree != step.tree:
            self.tell(f"step {step.number} now leaves different files than before")
        on = {"on": on_which(so_far)} if "on" in facts or tree != step.tree else {}
        wrote = self.wrote(so_far, tree) if tree != step.tree else {}
        return {**on, "tree": tree, **wrote}


_MOST_LINES = 5_000  # that a step may have changed, to be told line by line
_MOST_CHARS = 60_000  # of a step
_MOST_IN_ALL = 1_000_000  # characters of a run
_LARGEST = 8 * _MOST_IN_ALL  # bytes of a file of ours
_NAMED = 5  # files, where there is no more to say
SUB = "sub"


class _Made(NamedTuple):
    """A step that changed files, with the git trees before and after the step."""

    step: Step
    files: Pair

    @property
    def short(self) -> Pair:
        return Pair(self.files.before[:SHORT], self.files.after[:SHORT])

    @property
    def counts(self) -> list[Count]:
        return counts_in(self.step.seen.facts.get(WROTE, ""))

    @property
    def lines(self) -> int:
        return sum(count.added + count.removed for count in self.counts)

    def without_lines(self, why: str) -> str:
        named = first_few([escape(str(count)) for count in self.counts], _NAMED)
        return f"[{why}; {named}]\n"


def changes(
    folder: RunFolder, state: State, redact: Redact = transcripts.NOTHING_KNOWN
) -> Mapping[int, str]:
    """Return the diff of each step that changed files, or a line that says why it is not known."""
    made = list(_made(state))
    told = _told(folder, state, made, redact)
    texts = {one.step.number: _text_of(one, told) for one in made}
    return {number: text for number, text in texts.items() if text}


def _text_of(one: _Made, told: Mapping[Pair, str]) -> str:
    return told[one.files] if one.files in told else one.without_lines("not kept")


def keep_changes(folder: RunFolder, state: State, redact: Redact, depth: int = 0) -> None:
    """Write the diffs into the folders of the run and its nested runs. Raises MachineError."""
    made, found, room = list(_made(state)), list[StepDiff](), _MOST_IN_ALL
    told = _told(folder, state, made, redact)
    for one in made if told else ():
        text = _text_of(one, told)
        room -= len(text)
        kept = text if room >= 0 else _left_out(text.count("\n"))
        found.append(StepDiff(one.step.number, *one.short, kept))
    if told:
        write_whole(folder.changes, write_step_diffs(found).encode())
    for name in {step.sub for step in state.steps}:
        if name and depth < DEEPEST:
            inner = RunFolder(folder.path / name)
            with contextlib.suppress(TranscriptError):
                entries = transcripts.read(inner.transcript).entries
                keep_changes(inner, fold(entries), redact, depth + 1)


def _made(state: State) -> Iterator[_Made]:
    trees, last = {START: state.start}, state.start
    for step in state.steps:
        before = trees.get(step.seen.facts.get("on", ""), last)
        if step.tree not in ("", before) and step.seen.facts.get(WROTE) != "":
            yield _Made(step, Pair(before, step.tree))
        last = step.tree or last
        trees[last[:SHORT]] = last


def _told(
    folder: RunFolder, state: State, made: Sequence[_Made], redact: Redact
) -> Mapping[Pair, str]:
    """Return the diff of each pair of trees. Saved diffs stay valid if the transcript is edited."""
    kept = dict[Pair, str]()
    if made:
        with contextlib.suppress(OSError):
            text = disk.start_of_regular(folder.changes, _LARGEST).decode(errors="replace")
            kept = {Pair(one.before, one.after): one.text for one in read_step_diffs(text)}
    known = {one.files: redact(kept[one.short]) for one in made if one.short in kept}
    large = {
        one.files: one.without_lines(f"left out: {counted(one.lines, 'line')}")
        for one in made
        if one.lines > _MOST_LINES
    }
    asked = [one.files for one in made if one.files not in known.keys() | large.keys()]
    place = folder.path.absolute()
    while place.parent.name == SUB:  # a run within a run works on the files of the outer one
        place = place.parent.parent
    found = tree_diffs(RunFolder(place).workspace, asked, state.header.get("base", ""))
    return {**large, **known, **{pair: _shown(redact(text)) for pair, text in found.items()}}


def _shown(text: str) -> str:
    """Return the text escaped for a terminal, and truncated if it is long."""
    lines, room = list[str](), _MOST_CHARS
    given = text.removesuffix("\n").split("\n") if text else []
    for line in given:
        lines.append(f"{escape(line)}\n")
        room -= len(lines[-1])
        if room < 0:
            lines[-1] = _left_out(len(given) - len(lines) + 1)
            break
    return "".join(lines)


def _left_out(lines: int) -> str:
    return f"[left out: {counted(lines, 'line')}]\n"
