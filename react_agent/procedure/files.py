"""Where procedures are: those that come with the package, and files of a person's own."""

from collections.abc import Iterable
from pathlib import Path

from react_agent.errors import ConfigError, UsageError
from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.settings.procedure import Procedure
from react_agent.parsers.settings.procedure_file import read_procedure
from react_agent.profiles.toolbox import tool_named
from react_agent.tools import disk
from react_agent.tools import package_data as data

_PLACE = "react_agent.procedures"
_ENDING = ".txt"


def shipped() -> list[str]:
    """Their names."""
    return sorted(data.names(_PLACE, _ENDING))


def find_procedure(named: str) -> Procedure:
    """A file, or a shipped one by its name."""
    path = Path(named)
    if path.is_file():
        return read_file(path)
    if named in shipped():
        return read(data.text(_PLACE, f"{named}{_ENDING}"), f"{named}{_ENDING}")
    raise UsageError(f"no procedure {named!r}: it is a file, or one of {', '.join(shipped())}")


def read_file(path: Path) -> Procedure:
    try:
        return read(disk.read_text(path, encoding="utf-8-sig"), str(path))
    except OSError as error:
        raise ConfigError(f"can't read {path}: {error.strerror}") from error
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is not text in UTF-8") from None


def read(text: str, source: str) -> Procedure:
    try:
        return read_procedure(text, source, lambda name: tool_named(name) is not None)
    except ParseError as error:
        raise ConfigError(str(error)) from error


def of_header(lines: Iterable[str]) -> Procedure | None:
    """The one that a run's transcript begins with."""
    text = "\n".join(lines)
    return read(text, "the procedure in the transcript") if text else None
