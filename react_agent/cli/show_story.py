"""A run on a screen: its steps under their numbers, all of each or what is looked for."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from rich.text import Text

from react_agent.cli.paint import FOLD, note, painted, painted_diff
from react_agent.loop.steps import Shown, Step
from react_agent.parsers.text.counted import counted
from react_agent.parsers.transcript.entries import Event, Objective, Said
from react_agent.parsers.transcript.labels import Label, strict
from react_agent.runs.history import Call, Kind, Scene, Story, kinds_of
from react_agent.tools.observation import Status

_LATER = {
    Shown.CUT: "cut later",
    Shown.LEFT_OUT: "left out later",
    Shown.CONDENSED: "condensed later",
    Shown.MERGED: "condensed later",
    Shown.SHELVED: "left out later",
    Shown.RETRACTED: "taken back later",
}
_PARTS: Mapping[Kind, Collection[Label]] = {
    Kind.THOUGHTS: (Label.THOUGHT, Label.CONCLUSION),
    Kind.ACTIONS: (Label.ACTION, Label.INPUT),
}
_OF_A_CHANGE = (Label.THOUGHT, Label.ACTION)
_A_WHILE = 1.0  # seconds: what took less is not told


class Line(NamedTuple):
    step: int  # that it is of, or that comes next
    text: Text


@dataclass(frozen=True, slots=True)
class Look:
    """What of a run is shown."""

    fold: int | None = FOLD  # lines of an Observation
    only: frozenset[Kind] = frozenset()  # none: all there is
    changes: Mapping[int, str] | None = None  # of the files, by step: they are what is looked for

    def labels(self, kinds: Collection[Kind]) -> Collection[Label]:
        """The parts of a step that has these."""
        found = [kind for kind in kinds if kind in self.only]
        if self.is_all or any(kind not in _PARTS for kind in found):
            return tuple(Label)
        return [label for kind in found for label in _PARTS[kind]]

    @property
    def is_all(self) -> bool:
        return not self.only and self.changes is None

    def change(self, step: Step) -> str:
        return (self.changes or {}).get(step.number, "")


def story_lines(told: Story, look: Look) -> Iterator[Line]:
    if look.is_all:
        yield from (Line(0, line) for line in _beginning(told))
    for scene in told.scenes:
        yield from (Line(scene.step.number, line) for line in _scene_lines(scene, look))
    yield from (Line(len(told.scenes) + 1, line) for line in _ending(told, look))


def _beginning(told: Story) -> Iterator[Text]:
    header = told.header
    about = (
        ("run", header.get("run")),
        ("began", told.began.partition("+")[0].replace("T", " ")),
        ("profile", header.get("profile")),
        ("model", header.get("model")),
    )
    if shown := ", ".join(f"{name} {value}" for name, value in about if value):
        yield note(shown)
    for name, value in header.items():
        yield from painted(Event(name, value))
    yield from painted(Objective(told.objective), None)
    yield Text()


def _scene_lines(scene: Scene, look: Look) -> Iterator[Text]:
    if look.is_all:
        yield from _between(scene.before)
    labels, change = look.labels(scene.kinds), look.change(scene.step)
    if change and not labels:
        labels = _OF_A_CHANGE
    if not labels:
        return
    yield note(_heading(scene))
    yield from _within(painted(_said(scene.step)), labels)
    yield from _within(painted(scene.step.seen, look.fold), labels)
    yield from painted_diff(change)
    yield Text()


def _said(step: Step) -> Said:
    """Without what was mended in it, if the Observation says that."""
    told = step.seen.text.partition("\n")[0]
    turn = step.said.turn
    if all(repair in told for repair in turn.repairs):
        turn = turn._replace(repairs=())
    return replace(step.said, turn=turn)


def _ending(told: Story, look: Look) -> Iterator[Text]:
    """What is said and not answered, and what came last."""
    if look.is_all:
        yield from _between(told.before)
    said = told.pending
    if said and (labels := look.labels(kinds_of(said.turn))):
        yield note(", ".join((f"step {len(told.scenes) + 1}", *_prompt(told.call))))
        yield from _within(painted(said), labels)
    if look.is_all:
        yield from _between(told.end)
        if told.is_torn:
            yield note("the last entry is torn and not shown")


def _between(events: Collection[Event]) -> Iterator[Text]:
    for event in events:
        yield from painted(event)


def _within(lines: Iterator[Text], labels: Collection[Label]) -> Iterator[Text]:
    """What stands under these labels; foreign text is quoted, so a label is ours."""
    is_wanted = False
    for line in lines:
        if found := strict(line.plain):
            is_wanted = found.label in labels
        if is_wanted:
            yield line


def _heading(scene: Scene) -> str:
    """With what `fork --at` calls it."""
    step, seconds = scene.step, _seconds(scene.step)
    by = step.said.facts.get("by")
    parts = (
        f"step {step.number}",
        f"written by {by}" if by else "",
        *_prompt(scene.call),
        f"{seconds:.1f} s" if seconds >= _A_WHILE else "",
        str(Status.FAILED) if step.status is Status.FAILED else "",
        _LATER.get(step.shown, ""),
    )
    return ", ".join(filter(None, parts))


def _prompt(call: Call | None) -> Iterator[str]:
    if call and (tokens := call.spent.prompt_tokens):
        yield f"prompt of {'' if call.is_counted else 'about '}{counted(tokens, 'token')}"


def _seconds(step: Step) -> float:
    """Of the model and of the tool, as far as it was written down."""
    return sum(map(_number, (step.said.facts.get("seconds"), step.seen.facts.get("seconds"))))


def _number(written: str | None) -> float:
    """A person may have edited it."""
    try:
        return float(written or 0)
    except ValueError:
        return 0.0
