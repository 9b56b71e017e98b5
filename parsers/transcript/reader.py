"""Read a run from its transcript file, which is the only authoritative record of the run.

    file       = entry*
    entry      = event | objective | said | seen
    event      = "%% " name ": " text NEWLINE                (one line, whatever the text)
    objective  = "Objective: " text "%% started: " facts
    said       = "Thought: " text [action | "Conclusion: " text] about* "%% turn: " facts
    action     = "Action: " text "Action Input: " text
    about      = "%% mended: " | "%% malformed: " | "%% fabricated:" | "%% truncated:" | "%% raw: "
    seen       = "Observation: " text "%% step: " facts

The writer ends each entry with a `%%` line and appends the entry at once. So an entry without a
`%%` line at the end of a file is incomplete: it is left out and returned as text. A person may have
removed `%%` lines elsewhere in the file. There, an entry ends where the next one begins. Editors
may add CRs and a BOM.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from react_agent.parsers.settings.errors import ParseError, parse_error
from react_agent.parsers.transcript.entries import (
    HEADER,
    VERSION,
    About,
    Close,
    Entry,
    Event,
    Facts,
    Objective,
    Reading,
    Said,
    Seen,
)
from react_agent.parsers.transcript.facts import read_facts
from react_agent.parsers.transcript.labels import BOOKKEEPING, Label, Labelled, strict
from react_agent.parsers.transcript.quoting import unescape, unquote_own, unquote_world
from react_agent.parsers.turn.turn import Kind, Turn


def read_transcript(text: str) -> Reading:
    """Read a transcript. A prefix of a file yields a prefix of its entries. Raises ParseError."""
    reader = _Reader()
    offset = safe = 0
    for number, line in enumerate(text.split("\n")[:-1], 1):
        reader.take((line if offset else line.removeprefix("\ufeff")).removesuffix("\r"), number)
        offset += len(line) + 1
        if not reader.fields:
            safe = offset
    return Reading(tuple(reader.entries), text[safe:])


@dataclass(slots=True)
class _Reader:
    entries: list[Entry] = field(default_factory=list)
    fields: dict[Label, list[str]] = field(default_factory=dict)  # of the open entry
    about: list[Event] = field(default_factory=list)
    in_field: Label | None = None  # the field that a line without a label belongs to

    def take(self, line: str, number: int) -> None:
        if not self.entries:
            _check_header(line, number)
        if line.startswith(BOOKKEEPING):
            self._take_event(_read_event(line))
        elif labelled := strict(line):
            self._take_label(labelled, line, number)
        elif self.in_field:
            self.fields[self.in_field].append(line)
        elif line.strip():
            raise parse_error(number, "a label or `%%` at the start of the line", line)

    def _take_event(self, event: Event) -> None:
        self.in_field = None
        closing = Close.SAID if self.fields else None
        closing = Close.SEEN if Label.OBSERVATION in self.fields else closing
        closing = Close.OBJECTIVE if Label.OBJECTIVE in self.fields else closing
        if event.name == closing:
            self._close(read_facts(event.text))
        elif closing is Close.SAID and event.name in tuple(About):
            self.about.append(event)
        else:
            self._close({})
            self.entries.append(event)

    def _take_label(self, labelled: Labelled, line: str, number: int) -> None:
        label = labelled.label
        if not _continues(self.fields, label):
            if label is Label.INPUT:
                raise parse_error(number, "`Action:` before `Action Input:`", line)
            self._close({})
        self.in_field = label
        self.fields[label] = [labelled.rest]

    def _close(self, facts: Facts) -> None:
        """Add the open entry, if there is one."""
        if self.fields:
            texts = {label: "\n".join(lines) for label, lines in self.fields.items()}
            self.entries.append(_entry(texts, self.about, facts))
        self.fields, self.about, self.in_field = {}, [], None


def _continues(fields: Collection[Label], label: Label) -> bool:
    """Return whether this label continues the open entry."""
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


def _check_header(line: str, number: int) -> None:
    event = _read_event(line)
    if not line.startswith(BOOKKEEPING) or event.name != HEADER:
        raise parse_error(number, f"`{BOOKKEEPING} {HEADER}: {VERSION}`", line)
    if event.text != VERSION:
        raise ParseError(f"a transcript of version {event.text}; this program reads {VERSION}")


def _entry(texts: Mapping[Label, str], about: list[Event], facts: Facts) -> Entry:
    if Label.OBJECTIVE in texts:
        return Objective(unquote_world(texts[Label.OBJECTIVE]), facts)
    if Label.OBSERVATION in texts:
        return Seen(unquote_world(texts[Label.OBSERVATION]), facts)
    raw = [event.text for event in about if event.name == About.RAW]
    return Said(_turn(texts, about), "\n".join(raw) if raw else None, facts)


def _turn(texts: Mapping[Label, str], about: list[Event]) -> Turn:
    own = {label: unquote_own(text) for label, text in texts.items()}
    noted = [event.name for event in about]
    kind = Kind.CONCLUSION if Label.CONCLUSION in texts else Kind.MALFORMED
    kind = Kind.ACTION if Label.ACTION in texts else kind
    return Turn(
        kind,
        own.get(Label.THOUGHT, ""),
        own.get(Label.ACTION, ""),
        own.get(Label.INPUT, ""),
        own.get(Label.CONCLUSION, ""),
        repairs=tuple(event.text for event in about if event.name == About.MENDED),
        fabricated=About.FABRICATED in noted,
        truncated=About.TRUNCATED in noted,
        problem=next((event.text for event in about if event.name == About.MALFORMED), ""),
    )
