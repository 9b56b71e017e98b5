"""Entries of a transcript for the terminal: labels in colour, long observations folded."""

from collections.abc import Iterator

from rich.text import Text

from react_agent.parsers.entries import Entry, Event, Objective, Said, Seen
from react_agent.parsers.labels import BOOKKEEPING, Label, strict
from react_agent.parsers.quoting import escape
from react_agent.parsers.transcript_writer import objective_text, observation_text, turn_text

FOLD = 12  # lines of an observation
_STYLES = {
    Label.OBJECTIVE: "bold",
    Label.THOUGHT: "bold cyan",
    Label.ACTION: "bold green",
    Label.INPUT: "green",
    Label.OBSERVATION: "bold yellow",
    Label.CONCLUSION: "bold magenta",
}
_BODY = {Label.OBSERVATION: "dim", Label.INPUT: "green"}
_TOLD = ("stop", "demote", "hint", "resumed", "torn", "note", "overflow")
_HOW = {
    "alias": "a hidden name of {tool}",
    "redirect": "a hidden tool answered",
    "protocol": "a hidden tool answered",
    "demoted": "{tool} rests",
    "wish": "no such tool: a wish",
}


def painted(entry: Entry, fold: int | None = FOLD) -> Iterator[Text]:
    match entry:
        case Objective(text):
            yield from _lines(objective_text(text), fold)
        case Said(turn):
            yield from _lines(turn_text(turn), None)
            yield from (note(f"mended: {repair}") for repair in turn.repairs)
            if turn.problem:
                yield note(f"not readable: {turn.problem}")
        case Seen(text, facts):
            yield from _lines(observation_text(text), fold)
            if facts.get("how") in _HOW:
                yield note(_HOW[facts["how"]].format(tool=facts.get("tool", "the tool")))
            if "sub" in facts:
                yield note(f"its own steps are in {facts['sub']} of the run's folder")
        case Event(name, text) if name in _TOLD:
            yield note(f"{name}: {text}")


def note(text: str, style: str = "dim italic") -> Text:
    """A line of ours, of which no text in it can make two."""
    line = escape(text.replace("\n", " "))
    return Text(f"{BOOKKEEPING} {line}", style=style)


def _lines(text: str, fold: int | None) -> Iterator[Text]:
    lines = text.removesuffix("\n").split("\n")
    labelled = strict(lines[0])
    assert labelled is not None
    label = labelled.label
    for number, line in enumerate(lines):
        if fold is not None and number >= fold and len(lines) > fold + 1:
            yield note(f"{len(lines) - fold} more lines are in the transcript")
            return
        found = strict(line)
        label = found.label if found else label
        yield _line(line, label, starts=found is not None)


def _line(line: str, label: Label, *, starts: bool) -> Text:
    text = Text(line, style=_BODY.get(label, ""), no_wrap=False)
    if starts:
        text.stylize(f"not dim {_STYLES[label]}", 0, len(label) + 1)
    return text
