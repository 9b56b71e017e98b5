"""Write entries as text for the transcript file or, without metadata, for the prompt."""

from collections.abc import Iterable, Iterator

from react_agent.parsers.transcript.entries import About, Close, Entry, Event, Objective, Said
from react_agent.parsers.transcript.facts import write_facts
from react_agent.parsers.transcript.labels import BOOKKEEPING, Label
from react_agent.parsers.transcript.quoting import escape, quote_own, quote_world
from react_agent.parsers.turn.turn import Kind, Turn


def write_transcript(entries: Iterable[Entry]) -> str:
    return "".join(write_entry(entry) for entry in entries)


def write_entry(entry: Entry) -> str:
    match entry:
        case Event(name, text):
            return _event(name, text)
        case Objective(text, facts):
            return objective_text(text) + _event(Close.OBJECTIVE, write_facts(facts))
        case Said(turn, raw, facts):
            about = "".join(_event(name, text) for name, text in _about(turn, raw))
            return turn_text(turn) + about + _event(Close.SAID, write_facts(facts))
        case _:
            return observation_text(entry.text) + _event(Close.SEEN, write_facts(entry.facts))


def objective_text(text: str) -> str:
    return _field(Label.OBJECTIVE, quote_world(text))


def observation_text(text: str) -> str:
    return _field(Label.OBSERVATION, quote_world(text))


def turn_text(turn: Turn) -> str:
    """Return the labelled lines of a turn, which are the same in the file and in the prompt."""
    text = _field(Label.THOUGHT, quote_own(turn.thought))
    if turn.kind is Kind.ACTION:
        action = _field(Label.ACTION, quote_own(turn.action))
        return text + action + _field(Label.INPUT, quote_own(turn.input))
    if turn.kind is Kind.CONCLUSION:
        return text + _field(Label.CONCLUSION, quote_own(turn.conclusion))
    return text


def _field(label: Label, quoted: str) -> str:
    space = "" if not quoted or quoted.startswith("\n") else " "
    return f"{label}:{space}{quoted}\n"


def _event(name: str, text: str) -> str:
    line = escape(text).replace("\n", "<U+000A>")
    return f"{BOOKKEEPING} {name}:{' ' if line else ''}{line}\n"


def _about(turn: Turn, raw: str | None) -> Iterator[tuple[str, str]]:
    yield from ((About.MENDED, repair) for repair in turn.repairs)
    if turn.problem:
        yield About.MALFORMED, turn.problem
    if turn.fabricated:
        yield About.FABRICATED, ""
    if turn.truncated:
        yield About.TRUNCATED, ""
    if raw is not None:
        yield from ((About.RAW, line) for line in raw.split("\n"))
