"""Requests by the names of their parts, as an object or as fields.

requests = object | "[" (object | value) ("," (object | value))* [","] "]" | fields
"""

from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import TypeVar

from react_agent.parsers.payload import folded_key, read_fields, read_value, unquoted

_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True)
class Part:
    name: str  # as it is written; empty for a value in a list
    value: object

    @property
    def key(self) -> str:
        return folded_key(self.name)


@dataclass(slots=True)
class Parts:
    """What was not taken yet; at the end, what was not understood."""

    left: list[Part]

    def take(
        self, keys: Container[str], read: Callable[[object], _Read | None]
    ) -> tuple[_Read, ...]:
        """The values of these keys, but for those that can't be read."""
        taken, left = list[_Read](), list[Part]()
        for part in self.left:
            value = read(part.value) if part.key in keys else None
            if value is None:
                left.append(part)
            else:
                taken.append(value)
        self.left = left
        return tuple(taken)

    @property
    def names(self) -> tuple[str, ...]:
        """Of what is left and is not empty or off; of a value in a list, the value."""
        return tuple(
            dict.fromkeys(part.name or str(part.value) for part in self.left if part.value)
        )


def read_object(text: str) -> tuple[Parts, ...]:
    """One for an object, several for a list of them, none for other text. Raises ParseError."""
    value = read_value(text)
    if isinstance(value, str):
        return ()
    return tuple(members_of(member) for member in (value if isinstance(value, list) else [value]))


def read_named(text: str, heads: Container[str]) -> tuple[Parts, ...]:
    """From fields, where a head is among them; each head begins one."""
    parts = [Part(key, unquoted(value)) for key, value in read_fields(text)]
    starts = [at for at, part in enumerate(parts) if part.key in heads]
    if not starts:
        return ()
    bounds = zip([0, *starts[1:]], [*starts[1:], len(parts)], strict=True)
    return tuple(Parts(parts[start:end]) for start, end in bounds)


def members_of(value: object) -> Parts:
    if isinstance(value, dict):
        return Parts([Part(name, member) for name, member in value.items()])
    return Parts([Part("", value)])


def texts(value: object) -> tuple[str, ...] | None:
    """One or several, if it is nothing but text."""
    members = value if isinstance(value, list) else [value]
    read = tuple(member for member in members if isinstance(member, str) and member.strip())
    return read if read and len(read) == len(members) else None
