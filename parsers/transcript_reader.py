"""A run as text: the one file that is the truth about it.

    file       = entry*
    entry      = event | objective | said | seen
    event      = "%% " name ": " text NEWLINE                (one line, whatever the text)
    objective  = "Objective: " text "%% started: " facts
    said       = "Thought: " text [action | "Conclusion: " text] about* "%% turn: " facts
    action     = "Action: " text "Action Input: " text
    about      = "%% mended: " | "%% malformed: " | "%% fabricated:" | "%% truncated:" | "%% raw: "
    seen       = "Observation: " text "%% step: " facts

The writer closes each entry with a `%%` line and appends it whole, so an entry without one at the
end of a file is torn: it is left out, and given back as text. Further up a person may have taken
such lines away; there the next entry closes the one before.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from react_agent.parsers.entries import (
    HEADER,
    VERSION,
    Close,
    Entry,
    Event,
    Facts,
    Objective,
    Reading,
    Said,
    Seen,
)
from react_agent.parsers.errors import ParseError, parse_error
from react_agent.parsers.facts import read_facts
from react_agent.parsers.labels import BOOKKEEPING, Label, strict
from react_agent.parsers.quoting import unescape, unquote_own, unquote_world
from react_agent.parsers.turn import Kind, Turn


def read_transcript(text: str) -> Reading:
    """Any prefix of a written file reads as a prefix of its entries. Raises ParseError."""
    whole = text[: text.rfind("\n") + 1]
    reader = _Reader()
    offset = safe = 0
    for number, line in enumerate(whole.split("\n")[:-1], 1):
        reader.take(line.removesuffix("\r"), number)
        offset += len(line) + 1
        if not reader.is_open:
            safe = offset
    return Reading(tuple(reader.entries), text[safe:])


@dataclass(slots=True)
class _Reader:
    entries: list[Entry] = field(default_factory=list)
    fields: dict[Label, list[str]] = field(default_factory=dict)
    about: list[Event] = field(default_factory=list)
    in_field: Label | None = None  # where a line without a label goes

    @property
    def is_open(self) -> bool:
        return bool(self.fields)

    def take(self, line: str, number: int) -> None:
        if line.startswith(BOOKKEEPING):
            self.in_field = None
            self._take_event(_read_event(line), number)
        elif labelled := strict(line):
            self._take_label(labelled.label, labelled.rest, number)
        elif self.in_field:
            self.fields[self.in_field].append(line)
        elif line.strip():
            raise parse_error(number, "a label or `%%` at the start of the line", line)

    def _take_event(self, event: Event, number: int) -> None:
        if not self.fields:
            if not self.entries:
                _check_header(event, number)
            self.entries.append(event)
        elif event.name in tuple(Close):
            self._close(read_facts(event.text))
        else:
            self.about.append(event)

    def _take_label(self, label: Label, rest: str, number: int) -> None:
        if not self.entries:
            raise parse_error(number, f"`%% {HEADER}: {VERSION}` as the first line", label)
        if self.fields and not _continues(self.fields, label):
            self._close({})
        self.in_field = label
        self.fields[label] = [rest]

    def _close(self, facts: Facts) -> None:
        texts = {label: "\n".join(lines) for label, lines in self.fields.items()}
        self.entries.append(_entry(texts, self.about, facts))
        self.fields, self.about, self.in_field = {}, [], None


def _continues(fields: dict[Label, list[str]], label: Label) -> bool:
    """Whether this label belongs to the entry that is open."""
    match label:
        case Label.ACTION | Label.CONCLUSION:
            return set(fields) == {Label.THOUGHT}
        case Label.INPUT:
            return Label.ACTION in fields and Label.INPUT not in fields
        case _:
            return False


def _read_event(line: str) -> Event:
    name, colon, text = line.removeprefix(BOOKKEEPING).removeprefix(" ").partition(":")
    if not colon:
        return Event("note", unescape(name))
    return Event(name, unescape(text.removeprefix(" ")))


def _check_header(event: Event, number: int) -> None:
    if event.name != HEADER:
        raise parse_error(number, f"`%% {HEADER}: {VERSION}` as the first line", event.name)
    if event.text != VERSION:
        raise ParseError(f"a transcript of version {event.text}; this program reads {VERSION}")


def _entry(texts: Mapping[Label, str], about: list[Event], facts: Facts) -> Entry:
    if Label.OBJECTIVE in texts:
        return Objective(unquote_world(texts[Label.OBJECTIVE]), facts)
    if Label.OBSERVATION in texts:
        return Seen(unquote_world(texts[Label.OBSERVATION]), facts)
    raw = [event.text for event in about if event.name == "raw"]
    return Said(_turn(texts, about), "\n".join(raw) if raw else None, facts)


def _turn(texts: Mapping[Label, str], about: list[Event]) -> Turn:
    own = {label: unquote_own(text) for label, text in texts.items()}
    noted = [event.name for event in about]
    return Turn(
        _kind(texts),
        own.get(Label.THOUGHT, ""),
        own.get(Label.ACTION, ""),
        own.get(Label.INPUT, ""),
        own.get(Label.CONCLUSION, ""),
        repairs=tuple(event.text for event in about if event.name == "mended"),
        fabricated="fabricated" in noted,
        truncated="truncated" in noted,
        problem=next((event.text for event in about if event.name == "malformed"), ""),
    )


def _kind(texts: Mapping[Label, str]) -> Kind:
    if Label.ACTION in texts:
        return Kind.ACTION
    return Kind.CONCLUSION if Label.CONCLUSION in texts else Kind.MALFORMED
