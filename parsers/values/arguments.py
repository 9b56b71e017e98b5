r"""What the input of a tool may be, where a tool takes more than plain text; requests by the names
of their parts, as an object or as fields.

value    = JSON, where the text insists on it (json_tokens.py) | the text
requests = object | "[" (object | value) ("," (object | value))* [","] "]" | fields
fields   = (key ":" [blank text] NEWLINE (line NEWLINE)*)+      key = name of at most three words

A line belongs to the field above it if it has no key that is known. Where none is known, every
line needs one, else the text has no fields. Keys are folded: `Start-Line` is start_line.
"""

import re
from collections.abc import Callable, Collection, Container
from dataclasses import dataclass
from typing import TypeVar

from react_agent.parsers.values.damaged_json import read_json
from react_agent.parsers.values.json_tokens import insists_on_json

_Read = TypeVar("_Read")

Value = str | dict[str, object] | list[object]
Fields = tuple[tuple[str, str], ...]

_FIELD = re.compile(r"(?P<key>[^\W\d][\w-]*+(?: [\w-]++){0,2}+)[ \t]*+:(?:[ \t]++(?P<text>.*))?")
_QUOTES = "\"'`"
_BETWEEN_WORDS = {ord(mark): None for mark in "_- "}


def read_value(text: str) -> Value:
    """Raises ParseError for what can be nothing but JSON and can't be read."""
    if not insists_on_json(text):
        return text
    value = read_json(text.strip()).value
    return value if isinstance(value, (dict, list)) else text


def read_fields(text: str, known: Collection[str] = ()) -> Fields:
    found = list[tuple[str, list[str]]]()
    for line in text.strip("\n").split("\n"):
        field = _field(line)
        if field and (field[0] in known or not known):
            found.append((field[0], [field[1]]))
        elif found and (known or not line.strip()):
            found[-1][1].append(line)
        else:
            return ()
    return tuple((key, "\n".join(lines).strip("\n")) for key, lines in found)


def _field(line: str) -> tuple[str, str] | None:
    found = _FIELD.fullmatch(line.rstrip())
    if not found:
        return None
    return found["key"].casefold().replace("-", "_").replace(" ", "_"), found["text"] or ""


def folded_key(key: str) -> str:
    """`Action Input`, `action_input` and `actionInput` are one key."""
    return key.casefold().translate(_BETWEEN_WORDS)


def unquoted(text: str) -> str:
    """Without the one pair of quotes around a line, if none stands within."""
    inner = text[1:-1]
    is_pair = len(text) > 1 and text[0] in _QUOTES and text[-1] == text[0]
    return inner if is_pair and not any(mark in inner for mark in f"{_QUOTES}\n") else text


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
