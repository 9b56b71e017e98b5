"""What may come next on a command line: for the shells, which ask at every press of a key.

So it is called without typer, and what would tell more than a list does is not imported.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from react_agent.cli import streams
from react_agent.places import runs_folder, settings_file
from react_agent.tools import package_data
from react_agent.tools.errors import ReactAgentError

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


NAME, TABLE = "react-agent", "commands.txt"
_PLAIN = re.compile(r"[\w@%+=:,./-]+", re.ASCII)  # what no shell reads otherwise than it stands
_Source: TypeAlias = Callable[[], Iterable[str]]


def main(arguments: Sequence[str]) -> int:
    """A line for each; where none is known, a shell takes names of files."""
    table = read_table(package_data.text("react_agent.cli", TABLE))
    wanted = asked(table, (NAME, *(arguments or ("",))))
    found = (word for word in _words(wanted) if word.startswith(wanted.typed))
    lines = (f"{wanted.before}{word}\n" for word in found if _PLAIN.fullmatch(word))
    streams.give("".join(lines).encode())
    return 0


def _words(wanted: Asked) -> Iterable[str]:
    if wanted.words or wanted.slot is None:
        return wanted.words
    source = _SOURCES.get(wanted.slot.name)
    try:
        return source() if source else ()
    except (ReactAgentError, OSError):  # it is no time to complain
        return ()


def _runs() -> Iterable[str]:
    folder = runs_folder()
    names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    return sorted((name for name in names if not name.startswith(".")), reverse=True)


def _profiles() -> Iterable[str]:
    own = settings_file().parent / "profiles"
    found = {file.stem for file in list(own.glob("*.cfg"))} if own.is_dir() else set()
    return sorted({*package_data.names("react_agent.profiles", ".cfg"), *found})


def _procedures() -> Iterable[str]:
    return sorted(package_data.names("react_agent.procedures", ".txt"))


def _models() -> Iterable[str]:
    from react_agent.profiles.settings import read_settings  # takes as long as all the rest

    settings = read_settings(settings_file())
    return sorted({*settings.models, *filter(None, (settings.model,))})


_SOURCES: Mapping[str, _Source] = {
    "RUN": _runs,
    "PROFILE": _profiles,
    "PROCEDURE": _procedures,
    "MODEL": _models,
}
