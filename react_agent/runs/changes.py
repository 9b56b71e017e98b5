"""What each step of a run changed in the work tree: git's diff, kept when the run ends.

The checkpoints go with the workspace, so what lies between them is written to `steps.diff` before.
Until then, and where that file is gone, it is asked of the workspace.
"""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from react_agent.errors import TranscriptError
from react_agent.loop import transcript as transcripts
from react_agent.loop.events import WROTE
from react_agent.loop.state import SHORT, START, STARTED_FROM, State, fold
from react_agent.loop.steps import Step
from react_agent.loop.transcript import Redact
from react_agent.parsers.repo.git_diff import StepDiff, read_step_diffs, write_step_diffs
from react_agent.parsers.secrets.redaction import Redaction
from react_agent.parsers.text.counted import counted
from react_agent.parsers.transcript.quoting import escape
from react_agent.runs.audit import Count, counts_in
from react_agent.runs.run_folder import RunFolder, write_whole
from react_agent.tools import disk
from react_agent.tools.git.tree_diffs import Pair, checkpoints_at, tree_diffs

_MOST_LINES = 5_000  # that a step may have changed, to be told line by line
_MOST_CHARS = 60_000  # of a step
_MOST_IN_ALL = 1_000_000  # characters of a run
_LARGEST = 8 * _MOST_IN_ALL  # bytes of a file of ours
_NAMED = 5  # files, where there is no more to say
_DEEPEST = 3  # runs within runs
SUB = "sub"
_NOTHING_KNOWN = Redaction()


class _Made(NamedTuple):
    """A step that left other files than it was made on."""

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
        found = self.counts
        more = f", and {counted(len(found) - _NAMED, 'other')}" if len(found) > _NAMED else ""
        named = ", ".join(escape(str(count)) for count in found[:_NAMED])
        return f"[{why}; {named}{more}]\n"


def changes(folder: RunFolder, state: State, redact: Redact = _NOTHING_KNOWN) -> Mapping[int, str]:
    """By the steps that changed something; where what is not known, a line says so."""
    made = list(_made(state))
    told = _told(folder, state, made, redact)
    texts = {one.step.number: _text_of(one, told) for one in made}
    return {number: text for number, text in texts.items() if text}


def _text_of(one: _Made, told: Mapping[Pair, str]) -> str:
    return told[one.files] if one.files in told else one.without_lines("not kept")


def keep_changes(folder: RunFolder, state: State, redact: Redact, depth: int = 0) -> None:
    """Into the folder of the run, and into those of the runs within it. Raises MachineError."""
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
        if name and depth < _DEEPEST:
            inner = RunFolder(folder.path / name)
            with contextlib.suppress(TranscriptError):
                entries = transcripts.read(inner.transcript).entries
                keep_changes(inner, fold(entries), redact, depth + 1)


def _made(state: State) -> Iterator[_Made]:
    start = state.header.get(STARTED_FROM) or state.header.get("base", "")
    trees, last = {START: start}, start
    for step in state.steps:
        before = trees.get(step.seen.facts.get("on", ""), last)
        if step.tree not in ("", before) and step.seen.facts.get(WROTE) != "":
            yield _Made(step, Pair(before, step.tree))
        last = step.tree or last
        trees[last[:SHORT]] = last


def _told(
    folder: RunFolder, state: State, made: Sequence[_Made], redact: Redact
) -> Mapping[Pair, str]:
    """By short names: a file of before the transcript was edited tells what still holds."""
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
    git = checkpoints_at(RunFolder(place).workspace) if asked else None
    found = tree_diffs(git, asked, state.header.get("base", "")) if git else {}
    return {**large, **known, **{pair: _shown(redact(text)) for pair, text in found.items()}}


def _shown(text: str) -> str:
    """Nothing in it that a terminal would obey; of a long one, its beginning."""
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
