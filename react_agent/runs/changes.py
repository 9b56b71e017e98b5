"""What each step of a run changed in the work tree: git's diff, kept when the run ends.

The checkpoints go with the workspace, so what lies between them is written to `steps.diff` before.
Until then, and where that file is gone, it is asked of the workspace.
"""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from react_agent.errors import TranscriptError
from react_agent.loop import transcript as transcripts
from react_agent.loop.noted import WROTE
from react_agent.loop.state import SHORT, START, STARTED_FROM, State, fold
from react_agent.loop.steps import Step
from react_agent.loop.transcript import Redact
from react_agent.parsers.secrets.redaction import Redaction
from react_agent.parsers.text.counted import counted
from react_agent.parsers.transcript.quoting import escape
from react_agent.parsers.transcript.step_diffs import StepDiff, read_step_diffs, write_step_diffs
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


def changes(folder: RunFolder, state: State, redact: Redact = _NOTHING_KNOWN) -> Mapping[int, str]:
    """By the steps that changed something; where what is not known, a line says so."""
    made = list(_made(state))
    told = _told(folder, state, made, redact)
    found = {one.step.number: told.get(one.files, _unknown(one)) for one in made}
    return {number: text for number, text in found.items() if text}


def keep_changes(folder: RunFolder, state: State, redact: Redact, depth: int = 0) -> None:
    """Into the folder of the run, and into those of the runs within it. Raises MachineError."""
    made = list(_made(state))
    told = _told(folder, state, made, redact)
    if told:
        texts = ((one, told.get(one.files, _unknown(one))) for one in made)
        found = (StepDiff(one.step.number, *_short(one.files), text) for one, text in texts)
        write_whole(folder.changes, write_step_diffs(_within(found)).encode())
    for name in {step.sub for step in state.steps}:
        if name and depth < _DEEPEST:
            _keep_inner(RunFolder(folder.path / name), redact, depth + 1)


def _keep_inner(folder: RunFolder, redact: Redact, depth: int) -> None:
    with contextlib.suppress(TranscriptError):
        entries = transcripts.read(folder.transcript).entries
        keep_changes(folder, fold(entries), redact, depth)


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
    kept = _kept(folder) if made else {}
    known = {one.files: redact(kept[key]) for one in made if (key := _short(one.files)) in kept}
    large = {one.files: _too_large(one) for one in made if _lines(one) > _MOST_LINES}
    asked = [one.files for one in made if one.files not in known.keys() | large.keys()]
    git = checkpoints_at(_workspace(folder)) if asked else None
    found = tree_diffs(git, asked, state.header.get("base", "")) if git else {}
    return {**large, **known, **{pair: _shown(redact(text)) for pair, text in found.items()}}


def _kept(folder: RunFolder) -> dict[Pair, str]:
    """By short names: a file of before the transcript was edited tells what still holds."""
    try:
        text = disk.start_of_regular(folder.changes, _LARGEST).decode(errors="replace")
    except OSError:
        return {}
    return {Pair(one.before, one.after): one.text for one in read_step_diffs(text)}


def _workspace(folder: RunFolder) -> Path:
    """A run within a run works on the files of the outer one."""
    path = folder.path.absolute()
    while path.parent.name == SUB:
        path = path.parent.parent
    return RunFolder(path).workspace


def _short(files: Pair) -> Pair:
    return Pair(files.before[:SHORT], files.after[:SHORT])


def _shown(text: str) -> str:
    """Nothing in it that a terminal would obey; of a long one, its beginning."""
    lines, room = list[str](), _MOST_CHARS
    given = text.removesuffix("\n").split("\n") if text else []
    for line in given:
        lines.append(escape(line))
        room -= len(lines[-1]) + 1
        if room < 0:
            lines[-1] = _more(len(given) - len(lines) + 1)
            break
    return "".join(f"{line}\n" for line in lines)


def _within(found: Iterable[StepDiff]) -> Iterator[StepDiff]:
    """As much as the file may hold; of the others, that they were left out."""
    room = _MOST_IN_ALL
    for one in found:
        room -= len(one.text)
        yield one if room >= 0 else replace(one, text=_more(one.text.count("\n")))


def _more(lines: int) -> str:
    return f"[left out: {counted(lines, 'line')}]\n"


def _lines(one: _Made) -> int:
    return sum(count.added + count.removed for count in _counts(one))


def _counts(one: _Made) -> list[Count]:
    return counts_in(one.step.seen.facts.get(WROTE, ""))


def _too_large(one: _Made) -> str:
    return f"[left out: {counted(_lines(one), 'line')}; {_files(one)}]\n"


def _unknown(one: _Made) -> str:
    return f"[not kept; {_files(one)}]\n"


def _files(one: _Made) -> str:
    found = _counts(one)
    more = f", and {counted(len(found) - _NAMED, 'other')}" if len(found) > _NAMED else ""
    return ", ".join(escape(str(count)) for count in found[:_NAMED]) + more
