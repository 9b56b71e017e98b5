"""Format transcript entries for the terminal, with coloured labels and folded observations."""

from collections.abc import Iterator

from rich.text import Text

from react_agent.parsers.text.counted import counted, size_of
from react_agent.parsers.transcript.entries import Entry, Event, Objective, Said, Seen
from react_agent.parsers.transcript.labels import BOOKKEEPING, Label, strict
from react_agent.parsers.transcript.quoting import escape, quote_world
from react_agent.parsers.transcript.writer import objective_text, observation_text, turn_text
from react_agent.runs.history import how_answered
from react_agent.state.events import sentence
from react_agent.state.findings import STUCK
from react_agent.state.state import VIEW
from react_agent.state.steps import MAINTAINER, RETRACTED
from react_agent.tools.clip import clip_line
from react_agent.tools.observation import Status
from react_agent.tools.registry import CHECKED, THEN

FOLD = 12  # rows of an observation
_ROW = 120  # characters of a row, on any terminal
_NOTE = "dim italic"
_MENDED, _HIDDEN, _WRONG = "yellow", "magenta", "red"
_STYLES = {
    Label.OBJECTIVE: "bold",
    Label.THOUGHT: "bold cyan",
    Label.ACTION: "bold green",
    Label.INPUT: "green",
    Label.OBSERVATION: "bold yellow",
    Label.CONCLUSION: "bold magenta",
}
_FAILED = "bold red"  # an Observation that says what went wrong
_BODY = {Label.ACTION: "bold", Label.OBSERVATION: "dim", Label.INPUT: "green"}
_DIFF = {"+": "green", "-": "red", "@": "cyan", "d": "bold"}
_TOLD = (
    *("forked", MAINTAINER, RETRACTED, STUCK, "stop", "demote", "hint", "resumed", "torn", "note"),
    *("overflow", "open", "entered", "judged", *VIEW),
)
_MARKED = {RETRACTED: _WRONG, STUCK: _MENDED, "demote": _HIDDEN, "stop": "bold"}


def painted(entry: Entry, fold: int | None = FOLD) -> Iterator[Text]:
    match entry:
        case Objective(text):
            yield from _lines(objective_text(text), text, fold)
        case Said(turn):
            yield from _lines(turn_text(turn))
            yield from (note(f"mended: {repair}", _MENDED) for repair in turn.repairs)
            if turn.problem:
                yield note(f"not readable: {turn.problem}", _WRONG)
        case Seen(text, facts):
            starts = _FAILED if facts.get("status") == Status.FAILED else ""
            edit, mark, check = text.partition(CHECKED) if THEN in facts else (text, "", "")
            yield from _lines(observation_text(edit), edit, fold, starts)
            if mark:  # it is folded on its own
                yield from _lines(quote_world(f"{mark}{check}"[1:]), check, fold)
            if how := how_answered(facts):
                yield note(how, _HIDDEN)
            if "sub" in facts:
                yield note(f"its own steps are in {facts['sub']} of the run's folder")
        case Event(name) if name in _TOLD:
            if said := sentence(entry):
                yield note(str(said), _MARKED.get(name, _NOTE))


def painted_diff(diff: str) -> Iterator[Text]:
    for line in diff.removesuffix("\n").split("\n") if diff else ():
        yield Text(line, _DIFF.get(line[:1], "dim"))


def note(text: str, style: str = _NOTE) -> Text:
    """Return a line with a note by the agent itself. A line break in it becomes a space."""
    line = escape(text.replace("\n", " "))
    return Text(f"{BOOKKEEPING} {line}", style=style)


def _lines(
    written: str, text: str = "", fold: int | None = None, starts: str = ""
) -> Iterator[Text]:
    """Yield the coloured lines of an entry. `starts` replaces the usual style of labels."""
    lines = written.removesuffix("\n").split("\n")
    shown = lines if fold is None else _first_rows(lines, fold)
    label = Label.OBSERVATION
    for line in shown:
        found = strict(line)
        label = found.label if found else label
        shown_line = Text(line, style=_BODY.get(label, ""), no_wrap=False)
        if found:
            shown_line.stylize(f"not dim {starts or _STYLES[label]}", 0, len(label) + 1)
        yield shown_line
    if shown is not lines:
        more = len(lines) - len(shown)
        yield note(f"{counted(more, 'more line') if more else 'cut'} ({size_of(text)})")


def _first_rows(lines: list[str], fold: int) -> list[str]:
    """Return the first rows, or the whole list if only one row would be left out."""
    rows = [1 + max(len(line) - 1, 0) // _ROW for line in lines]
    if sum(rows) <= fold + 1:
        return lines
    shown: list[str] = []
    for line, taken in zip(lines, rows, strict=True):
        shown.append(clip_line(line, fold * _ROW))
        fold -= taken
        if fold <= 0:
            break
    return shown
