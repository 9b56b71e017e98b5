"""Whether a file of a known format can be read, and where not."""

import json
import tomllib
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from posixpath import splitext

_LARGEST = 1_000_000  # bytes; a parser takes seconds for more


@dataclass(frozen=True, slots=True)
class Flaw:
    line: int | None  # none: the parser does not say
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}" if self.line else self.reason


def is_checked(name: str, data: bytes) -> bool:
    """Whether files of this name are read by a parser, and it does not take too long."""
    return splitext(name)[1].lower() in _BY_SUFFIX and len(data) <= _LARGEST


def flaw_of(name: str, data: bytes) -> Flaw | None:
    """What keeps a file that is checked from being read."""
    try:
        return _BY_SUFFIX[splitext(name)[1].lower()](data)
    except UnicodeDecodeError as error:
        return Flaw(data.count(b"\n", 0, error.start) + 1, "it is not UTF-8")
    except (MemoryError, RecursionError):
        return Flaw(None, "it is nested too deeply")


def _python(data: bytes) -> Flaw | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(data, "<file>", "exec", dont_inherit=True)
        except SyntaxError as error:
            return Flaw(error.lineno, error.msg)
        except ValueError as error:  # a NUL, in some versions
            return Flaw(None, str(error))
    return None


def _json(data: bytes) -> Flaw | None:
    try:
        json.loads(data)
    except json.JSONDecodeError as error:
        return Flaw(error.lineno, error.msg)
    except UnicodeDecodeError:
        raise
    except ValueError as error:  # a number of too many digits
        return Flaw(None, str(error))
    return None


def _toml(data: bytes) -> Flaw | None:
    try:
        tomllib.loads(data.decode())
    except tomllib.TOMLDecodeError as error:
        reason, _, place = str(error).partition(" (at line ")
        number = place.partition(",")[0]
        return Flaw(int(number) if number.isdigit() else None, reason)
    return None


_BY_SUFFIX: Mapping[str, Callable[[bytes], Flaw | None]] = {
    ".py": _python,
    ".pyi": _python,
    ".json": _json,
    ".toml": _toml,
}
