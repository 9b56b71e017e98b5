"""What may come next on a command line: for the shells, which ask at every press of a key.

So it is called without typer, and what would tell more than a list does is not imported.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from react_agent.cli import streams
from react_agent.cli.command_words import Asked, asked, read_table
from react_agent.places import runs_folder, settings_file
from react_agent.tools import package_data
from react_agent.tools.errors import ReactAgentError

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
