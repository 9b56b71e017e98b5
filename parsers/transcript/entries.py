"""The kinds of entries in a run's transcript."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from react_agent.parsers.turn.turn import Turn

VERSION = "2"
HEADER = "react-agent transcript"

Facts = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Event:
    name: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Objective:
    text: str
    facts: Facts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Said:
    turn: Turn
    raw: str | None = None  # the reply itself, if the turn does not contain all of it
    facts: Facts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Seen:
    text: str
    facts: Facts = field(default_factory=dict)


Entry = Event | Objective | Said | Seen


@dataclass(frozen=True, slots=True)
class Reading:
    entries: tuple[Entry, ...]
    torn: str = ""  # the text after the last whole entry


class About(StrEnum):
    """The `%%` lines that belong to a turn."""

    MENDED = "mended"
    MALFORMED = "malformed"
    FABRICATED = "fabricated"
    TRUNCATED = "truncated"
    RAW = "raw"


class Close(StrEnum):
    """The `%%` line that ends an entry of several lines."""

    OBJECTIVE = "started"
    SAID = "turn"
    SEEN = "step"
