"""A check that is to be run: with what, and on which files."""

from dataclasses import dataclass, field
from typing import TypeAlias

from react_agent.parsers.settings.file_checks import OwnCheck


@dataclass(frozen=True, slots=True)
class Command:
    """A program and its arguments; names of files follow."""

    argv: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Own:
    """Ours, in place of a hook that is known."""

    check: OwnCheck
    args: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Forbidden:
    """Files that are chosen are wrong by that alone."""

    text: str


@dataclass(frozen=True, slots=True)
class Not:
    """It can't be run here."""

    why: str


How: TypeAlias = Command | Own | Forbidden | Not


@dataclass(frozen=True, slots=True)
class Choice:
    """Which files a check is about: what pre-commit calls files, exclude and types."""

    found_in: tuple[str, ...] = ()  # patterns
    not_in: tuple[str, ...] = ()
    types: frozenset[str] = frozenset()
    types_or: frozenset[str] = frozenset()
    not_types: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Planned:
    name: str
    how: How
    choice: Choice = field(default_factory=Choice)
    takes_names: bool = True
    runs_always: bool = False
