"""A table of commands with what each takes, and what a line that is being typed asks of it.

react-agent hook                              a command, by the words that call it
  DO install status run uninstall             what it takes in turn: a name for it, and the
  HOOK post-commit pre-push post-receive      words it may be, where they are few
  --repo DIR                                  an option, with the name of its value
  --background
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

_INDENT = "  "


class Slot(NamedTuple):
    """Something to be filled in."""

    name: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Command:
    arguments: list[Slot] = field(default_factory=list)
    options: dict[str, Slot | None] = field(default_factory=dict)  # without: a switch


Table = Mapping[tuple[str, ...], Command]


class Asked(NamedTuple):
    """What may stand at the end of a line."""

    typed: str  # of it
    words: tuple[str, ...] = ()
    slot: Slot | None = None
    command: tuple[str, ...] = ()
    before: str = ""  # `--option=`, where that is typed in one word with its value


def write_table(table: Table) -> str:
    return "".join(f"{line}\n" for line in _written(table))


def _written(table: Table) -> Iterator[str]:
    for words, command in table.items():
        yield " ".join(words)
        for slot in command.arguments:
            yield _INDENT + " ".join((slot.name, *slot.words))
        for option, value in command.options.items():
            yield _INDENT + " ".join((option, value.name, *value.words) if value else (option,))


def read_table(text: str) -> Table:
    table, last = dict[tuple[str, ...], Command](), Command()
    for line in text.splitlines():
        first, *others = line.split()
        if not line.startswith(_INDENT):
            table[first, *others] = last = Command()
        elif first.startswith("-"):
            last.options[first] = Slot(others[0], tuple(others[1:])) if others else None
        else:
            last.arguments.append(Slot(first, tuple(others)))
    return table


def asked(table: Table, line: Sequence[str]) -> Asked:
    """Of the words of a line, the last of which is being typed, if only by an empty beginning."""
    *given, typed = line
    path = _command(table, given)
    command = table[path]
    taken = list(_arguments(given[len(path) :], command.options))
    last = command.options.get(given[-1]) if len(given) > len(path) else None
    if last and "--" not in given:
        return Asked(typed, last.words, last, path)
    if typed.startswith("-") and "--" not in given:
        return _option(typed, command, path)
    if below := _below(table, path):
        return Asked(typed, below, None, path)
    slots = command.arguments[min(len(taken), len(command.arguments) - 1) :][:1]
    return Asked(typed, slots[0].words, slots[0], path) if slots else Asked(typed, command=path)


def _command(table: Table, given: Sequence[str]) -> tuple[str, ...]:
    size = max(size for size in range(len(given) + 1) if not size or tuple(given[:size]) in table)
    return tuple(given[:size]) if size else next(iter(table))


def _arguments(given: Iterable[str], options: Mapping[str, Slot | None]) -> Iterator[str]:
    """Without options and their values."""
    words = iter(given)
    for word in words:
        if word == "--":
            yield from words
        elif not word.startswith("-"):
            yield word
        elif options.get(word):
            next(words, None)


def _option(typed: str, command: Command, path: tuple[str, ...]) -> Asked:
    name, equals, value = typed.partition("=")
    slot = command.options.get(name)
    if equals and slot:
        return Asked(value, slot.words, slot, path, before=f"{name}=")
    return Asked(typed, tuple(command.options), None, path)


def _below(table: Table, path: tuple[str, ...]) -> tuple[str, ...]:
    size = len(path)
    return tuple(one[size] for one in table if one[:size] == path and len(one) == size + 1)
