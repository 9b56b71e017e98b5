"""Fields of JSON that somebody else wrote: of the type that is wanted, or empty."""

import re
from collections.abc import Mapping
from typing import Any

from react_agent.forges.faults import OTHER, Failed, Fault
from react_agent.parsers.servers.http_answers import without_login

Row = Mapping[str, Any]
_BOT = re.compile(
    r"(?:.*(?:\[bot\]|[-_]bot)|(?:project|group)_\d+_bot(?:_\w+)?|(?:gitea|forgejo)-actions)",
    re.IGNORECASE,
)
_DRAFT = re.compile(r"(?:(?:Draft:|\[Draft\]|\(Draft\)|WIP:|\[WIP\])\s*)+", re.IGNORECASE)


def row(value: object) -> Row:
    """Raises Fault where it is no object."""
    if not isinstance(value, Mapping):
        raise Fault(Failed.STRANGE, OTHER)
    return value


def rows(value: object) -> list[Row]:
    if not isinstance(value, list):
        raise Fault(Failed.STRANGE, OTHER)
    return [row(one) for one in value]


def needed(of: Row, name: str) -> int:
    """A number without which the rest is of no use."""
    found = number(of, name)
    if not found:
        raise Fault(Failed.STRANGE, OTHER)
    return found


def inner(of: Row, *names: str) -> Row:
    found: object = of
    for name in names:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def text(of: Row, name: str) -> str:
    return as_text(of.get(name))


def as_text(value: object) -> str:
    """That can be written to a file: JSON may hold half of a character."""
    found = value if isinstance(value, str) else ""
    return found.replace("\r\n", "\n").encode(errors="replace").decode()


def url(of: Row, name: str) -> str:
    return without_login(text(of, name))


def number(of: Row, name: str) -> int:
    found = of.get(name)
    return found if isinstance(found, int) and not isinstance(found, bool) else 0


def flag(of: Row, name: str) -> bool:
    return of.get(name) is True


def several(of: Row, name: str) -> list[Any]:
    found = of.get(name)
    return found if isinstance(found, list) else []


def is_bot(login: str) -> bool:
    """By its name: few forges tell."""
    return _BOT.fullmatch(login) is not None


def without_draft(title: str) -> tuple[str, bool]:
    """The title alone; whether it said that it is a draft."""
    found = _DRAFT.match(title)
    return (title[found.end() :], True) if found else (title, False)
