"""Check whether a file of a known format can be parsed, and find where it can't."""

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


def _python(data: bytes) -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compile(data, "<file>", "exec", dont_inherit=True)


_READERS: Mapping[str, Callable[[bytes], object]] = {
    ".py": _python,
    ".pyi": _python,
    ".json": json.loads,
    ".toml": lambda data: tomllib.loads(data.decode()),
}


def is_checked(name: str, data: bytes) -> bool:
    """Return whether a parser checks files of this name, and this one is not too large for it."""
    return splitext(name)[1].lower() in _READERS and len(data) <= _LARGEST


def flaw_of(name: str, data: bytes) -> Flaw | None:
    """Return the flaw that keeps a checked file from being parsed, or None."""
    try:
        _READERS[splitext(name)[1].lower()](data)
    except (SyntaxError, json.JSONDecodeError) as error:
        return Flaw(error.lineno, error.msg)
    except tomllib.TOMLDecodeError as error:
        reason, _, place = str(error).partition(" (at line ")
        number = place.partition(",")[0]
        return Flaw(int(number) if number.isdigit() else None, reason)
    except UnicodeDecodeError as error:
        return Flaw(data.count(b"\n", 0, error.start) + 1, "it is not UTF-8")
    except (MemoryError, RecursionError):
        return Flaw(None, "it is nested too deeply")
    except ValueError as error:  # a NUL, a number of too many digits
        return Flaw(None, str(error))
    return None
