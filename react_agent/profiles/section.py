"""Parse a section of settings into a frozen dataclass, according to the types of its fields.

bool  = yes | on | true | 1 | no | off | false | 0
int   = whole number, at least 1 unless the field has another minimum
float = number greater than 0, and below the limit of the field if it has one
tuple = word*; if the field lists known words, only these, and none twice
str   = any text, or one of the known values if the field lists them

A field can define its own parser instead.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from react_agent.errors import ConfigError
from react_agent.parsers.settings.errors import did_you_mean, yes_or_no
from react_agent.tools import disk

Read = TypeVar("Read")
_DIGITS = 15


def setting(
    default: Any,
    *,
    least: int = 1,
    below: float = math.inf,
    is_off_at_0: bool = False,
    known: Sequence[str] = (),
    read: Callable[[str], Any] | None = None,
) -> Any:
    """Return a dataclass field with limits. `read` parses the text and may raise ValueError."""
    limits = {"least": least, "below": below, "off": is_off_at_0, "known": tuple(known)}
    return field(default=default, metadata={**limits, "read": read})


def text_of(path: Path) -> str | None:
    """Return the text of a settings file, or None if it does not exist. Raises ConfigError."""
    if path.is_fifo():  # to read it would wait for a writer
        raise ConfigError(f"{path} is a named pipe, not a file")
    try:
        return disk.read_text(path, encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ConfigError(f"can't read {path}: {error.strerror}") from error
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is not text in UTF-8") from None


def read_section(
    base: Read, given: Mapping[str, str], section: str, names: Sequence[str] = ()
) -> Read:
    """Return `base` updated with the given values. `names` restricts the allowed names. A space in
    a name corresponds to `_` in the field. Raises ConfigError.
    """
    by_name = {one.name: one for one in fields(base)}  # type: ignore[arg-type]
    known = {name: by_name[name.replace(" ", "_")] for name in names or by_name}
    changed = dict[str, Any]()
    for name, text in given.items():
        if name not in known:
            meant = did_you_mean(name, known)
            raise ConfigError(f"[{section}] has no {name!r}{meant}: there are {', '.join(known)}")
        try:
            changed[known[name].name] = _value(known[name].type, known[name].metadata, text)
        except ValueError as error:
            raise ConfigError(f"[{section}] {name} {error}, not {text!r}") from None
    return replace(base, **changed)  # type: ignore[type-var]


def _value(kind: Any, limits: Mapping[str, Any], text: str) -> Any:
    """Convert the text to the type of a field. Raises ValueError with the expected format."""
    if limits.get("read"):
        return limits["read"](text)
    if kind is bool:
        try:
            return yes_or_no(text)
        except ValueError:
            raise ValueError("must be yes or no") from None
    if kind in (int, float, float | None):
        return _number(kind, limits, text)
    if kind in (str | None, Path | None):
        return (Path(text) if kind == Path | None else text) if text else None
    known = limits.get("known", ())
    if isinstance(kind, type) and issubclass(kind, str):
        known = tuple(kind) if issubclass(kind, StrEnum) else known
        if known and text not in known:
            raise ValueError(f"must be one of {', '.join(known)}")
        return kind(text)
    words = tuple(text.split())
    if known and (set(words) - {*known} or len(set(words)) < len(words)):
        raise ValueError(f"must be some of {', '.join(known)}, each once")
    return words


def _number(kind: Any, limits: Mapping[str, Any], text: str) -> int | float:
    if kind is int:
        least, is_off = limits.get("least", 1), limits.get("off", False)
        is_number = text.isascii() and text.isdecimal() and len(text) <= _DIGITS
        if is_number and (int(text) >= least or (is_off and int(text) == 0)):
            return int(text)
        most = f" to {10**_DIGITS - 1}" if len(text) > _DIGITS else ""
        off = ", or 0 for off" if is_off else ""
        raise ValueError(f"must be a whole number from {least}{most}{off}")
    below = limits.get("below", math.inf)
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not (text.isascii() and 0 < number < below):
        less = f" and less than {below:g}" if math.isfinite(below) else ""
        raise ValueError(f"must be a number greater than 0{less}")
    return number
