"""Versions that an issue speaks of: of programs, packages and systems."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from react_agent.parsers.issue.lines import Line
from react_agent.parsers.text.late_pattern import LatePattern

_MOST = 50
_NUMBER = r"\d{1,4}(?:\.\d{1,5}){0,4}(?:[-.]?(?:a|b|rc|alpha|beta|dev|post)[.-]?\d{0,4})?"
_KNOWN = (
    "Python|CPython|PyPy|Node(?:\\.js)?|npm|Go|Golang|Rust|rustc|Ruby|PHP|Java|JDK|OpenJDK|GCC|Clang"
    "|git|Django|Flask|Windows|Ubuntu|Debian|Fedora|CentOS|RHEL|Alpine|macOS|OS ?X|iOS|Android"
    "|Chrome|Firefox|Safari|Postgres(?:QL)?|MySQL|SQLite|pip|pytest|NumPy|pandas"
)
_OF_KNOWN = LatePattern(
    rf"(?<![\w./-])({_KNOWN})(?: version)?[ \t]{{0,3}}[:=v]?=?[ \t]{{0,3}}v?({_NUMBER})(?![\w/])",
    re.IGNORECASE,
)
_PINNED = LatePattern(rf"(?<![\w./-])([A-Za-z][\w.-]{{1,40}})==({_NUMBER})(?!\w)")
_TOLD = LatePattern(
    r"[-*\s]{0,8}\**([A-Za-z][\w .-]{1,30}?)(?: version)?\**[ \t]*[:=][ \t*]{0,4}"
    rf"v?({_NUMBER})\s*",
    re.IGNORECASE,
)
_SYSTEM = LatePattern(
    r"[-*\s]{0,8}\**(?:OS|Platform|Operating system)\**[ \t]*:[ \t*]{0,4}(\S[^\n]{1,60})",
    re.IGNORECASE,
)


def versions(lines: Iterable[Line]) -> tuple[str, ...]:
    """`Python 3.8`, each once, in the order in which they are told."""
    found = dict[str, str]()
    for one in islice(_read(lines), _MOST):
        found.setdefault(one.casefold(), one)
    return tuple(found.values())


def _read(lines: Iterable[Line]) -> Iterator[str]:
    for line in lines:
        if system := _SYSTEM.fullmatch(line.text):
            yield system[1].strip()
        elif (told := _TOLD.fullmatch(line.text)) and "." in told[2]:
            yield f"{told[1]} {told[2]}"
        elif any(map(str.isdigit, line.text)):
            yield from (f"{name} {number}" for name, number in _found(line))


def _found(line: Line) -> Iterator[tuple[str, str]]:
    for found in _PINNED.pattern.finditer(line.text):
        yield found[1], found[2]
    if not line.is_code:
        yield from ((found[1], found[2]) for found in _OF_KNOWN.pattern.finditer(line.text))
