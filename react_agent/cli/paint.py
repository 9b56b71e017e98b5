"""Entries of a transcript for the terminal: labels in colour, long observations folded."""

from collections.abc import Callable, Iterator, Mapping

from rich.text import Text

from react_agent.parsers.entries import Entry, Event, Objective, Said, Seen
from react_agent.parsers.facts import read_facts
from react_agent.parsers.labels import BOOKKEEPING, Label, strict
from react_agent.parsers.quoting import escape
from react_agent.parsers.transcript_writer import objective_text, observation_text, turn_text
from react_agent.steps import MAINTAINER, RETRACTED, reason_in
from react_agent.stuck.words import told
from react_agent.troubles import STUCK

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
_TOLD = (
    *("forked", MAINTAINER, RETRACTED, STUCK, "stop", "demote", "hint", "resumed", "torn", "note"),
    *("overflow", "open", "entered", "judged"),
)
_HOW = {
    "alias": "a hidden name of {tool}",
    "redirect": "a hidden tool answered",
    "protocol": "a hidden tool answered",
    "demoted": "this very call rests",
    "wish": "no such tool: a wish",
    "gate": "the Conclusion was not accepted yet",
}


def _taken_back(text: str) -> str:
    """Which steps, and why."""
    numbers, reason = read_facts(text).get("steps", ""), reason_in(text)
    steps = f"step {numbers}" if numbers.isdecimal() else f"steps {numbers}"
    return f"{steps} taken back{': ' if reason else ''}{reason}"


def _rests(text: str) -> str:
    facts = read_facts(text)
    return f"this call of {facts.get('tool', '')} rests until step {facts.get('until', '')}"


_SENTENCES: Mapping[str, Callable[[str], str]] = {
    RETRACTED: _taken_back,
    "demote": _rests,
    STUCK: lambda text: f"{STUCK}: {told(text)}",
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
            yield note(_SENTENCES[name](text) if name in _SENTENCES else f"{name}: {text}")


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
