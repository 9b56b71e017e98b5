"""A procedure from the file that a person wrote.

file  = "procedure: NAME" head* phase+ "state: end_state"?
head  = "profile" | "environment type" | "summary every" | "relevant history"
        | "show demonstrations"
phase = "state: NAME" ("environment" | role | "begin role" | "begin query" | "controller" | "choose"
        | "maximum turns" | "judge" | "next" | "summary prompt")*
role  = "role NAME:" ("name" | "task" | "rule" | "style" | "demonstration" | "last" | "tools"
        | "maximum steps" | "model" | "is user")*

What the entries are made of is in procedure_lines.py; whether the states hang together, in
procedure_check.py. An error is `FILE:LINE: expected ..., found ...`.
"""

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.settings.procedure import END, Controller, Phase, Procedure, Role, Sharing
from react_agent.parsers.settings.procedure_check import Place, check
from react_agent.parsers.settings.procedure_lines import ROLE, Entry, file_error, read_entries

_NAME = re.compile(r"[^\W\d]\w*(?:-\w+)*")
_SPOKEN_NAME = re.compile(r"[^\W\d][^\n:：,*]{0,39}")
_EDGE = re.compile(r"(?:(\d)\s+)?(\S+)")
_DIGITS = 6
_NEXT = "`next: STATE`, or several as in `next: 0 STATE, 1 STATE`"
_Words = TypeVar("_Words", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class _File:
    source: str
    is_tool: Callable[[str], bool]

    def error(self, entry: Entry, expected: str, found: str) -> ParseError:
        return file_error(self.source, entry.line, expected, found)


_Reader = Callable[[_File, Entry], Any]


def read_procedure(
    text: str, source: str = "procedure", is_tool: Callable[[str], bool] = lambda name: True
) -> Procedure:
    """Raises ParseError."""
    file, entries = _File(source, is_tool), read_entries(text, source)
    head = entries[0] if entries else Entry(1, "", "")
    if head.key != "procedure":
        raise file.error(head, "`procedure: NAME` first", repr(head.key or "nothing"))
    name = _name(file, head)
    told = _values(file, head.inner, _HEAD)
    places = [_place(file, entry) for entry in entries[1:]]
    kept = [place for place in places if place is not None]
    if not kept:
        raise file.error(head, "a `state: NAME` behind it", "none")
    check(source, kept)
    return Procedure(name, tuple(place.phase for place in kept), **told)


def _place(file: _File, entry: Entry) -> Place | None:
    """None for the end, which needs nothing."""
    if entry.key != "state":
        raise file.error(entry, "`state: NAME`", f"`{entry.key}:`{_meant(entry.key, ['state'])}")
    if entry.text == END:
        if entry.inner:
            raise file.error(entry.inner[0], f"nothing in {END}", f"`{entry.inner[0].key}:`")
        return None
    name = _name(file, entry)
    roles = [inner for inner in entry.inner if inner.key.startswith(ROLE)]
    others = [inner for inner in entry.inner if not inner.key.startswith(ROLE)]
    told = _values(file, others, _PHASE)
    if not roles:
        raise file.error(entry, f"a `role NAME:` in {name}", "none")
    if "next" not in told:
        raise file.error(entry, f"{_NEXT} in {name}", "none")
    phase = Phase(name, tuple(_role(file, role) for role in roles), **told)
    lines = {inner.key: inner.line for inner in entry.inner}
    return Place(phase, entry.line, lines)


def _role(file: _File, entry: Entry) -> Role:
    key = entry.key.removeprefix(ROLE)
    if not _NAME.fullmatch(key):
        raise file.error(entry, "a name of letters, digits and - in `role NAME:`", repr(key))
    if entry.text:
        raise file.error(entry, f"the entries of {key} on lines of their own", repr(entry.text))
    told = _values(file, entry.inner, _ROLE)
    told.pop("is_user", None)
    return Role(key, told.pop("name", key), **told)


def _values(
    file: _File, entries: Sequence[Entry], table: Mapping[str, tuple[str, _Reader]]
) -> dict[str, Any]:
    """By the names of fields; what may be said several times is a tuple."""
    values: dict[str, Any] = {}
    for entry in entries:
        if entry.key not in table:
            known = f"one of {', '.join(table)}"
            raise file.error(entry, known, f"`{entry.key}:`{_meant(entry.key, table)}")
        field, reader = table[entry.key]
        if entry.key in _SEVERAL:
            values[field] = (*values.get(field, ()), reader(file, entry))
        elif field in values:
            raise file.error(entry, f"one `{entry.key}:`", "a second one")
        else:
            values[field] = reader(file, entry)
    return values


def _meant(word: str, known: Sequence[str] | Mapping[str, Any]) -> str:
    near = difflib.get_close_matches(word.casefold(), list(known), n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def _text(file: _File, entry: Entry) -> str:
    if not entry.text:
        raise file.error(entry, f"a text behind `{entry.key}:`", "nothing")
    return entry.text


def _name(file: _File, entry: Entry) -> str:
    if not _NAME.fullmatch(entry.text):
        found = repr(entry.text) if entry.text else "nothing"
        raise file.error(entry, f"a name of letters, digits and - behind `{entry.key}:`", found)
    return entry.text


def _spoken_name(file: _File, entry: Entry) -> str:
    if not _SPOKEN_NAME.fullmatch(entry.text):
        raise file.error(entry, "a name on one line, without a colon", repr(entry.text))
    return entry.text


def _one_of(words: type[_Words]) -> _Reader:
    def read(file: _File, entry: Entry) -> _Words:
        known = [word.value for word in words]
        if entry.text not in known:
            found = f"{entry.text!r}{_meant(entry.text, known)}"
            raise file.error(entry, f"{', '.join(known[:-1])} or {known[-1]}", found)
        return words(entry.text)

    return read


def _number(least: int) -> _Reader:
    def read(file: _File, entry: Entry) -> int:
        text = entry.text
        is_number = text.isascii() and text.isdecimal() and len(text) <= _DIGITS
        if not is_number or int(text) < least:
            expected = f"a whole number from {least} on behind `{entry.key}:`"
            raise file.error(entry, expected, repr(text))
        return int(text)

    return read


def _yes(file: _File, entry: Entry) -> bool:
    if entry.text not in ("yes", "no"):
        raise file.error(entry, "yes or no", repr(entry.text))
    return entry.text == "yes"


def _no_person(file: _File, entry: Entry) -> bool:
    if _yes(file, entry):
        expected = "`is user: no`, as nobody is there to play a role while it runs"
        raise file.error(entry, expected, "'yes'")
    return False


def _tools(file: _File, entry: Entry) -> tuple[str, ...]:
    names = tuple(_text(file, entry).replace(",", " ").split())
    for name in names:
        if not file.is_tool(name):
            raise file.error(entry, "names of tools (`react-agent tools` lists them)", repr(name))
    return tuple(dict.fromkeys(names))


def _edges(file: _File, entry: Entry) -> tuple[str, ...]:
    parts = [part.strip() for part in _text(file, entry).split(",")]
    found = [_EDGE.fullmatch(part) for part in parts]
    numbers = [match[1] or "0" for match in found if match]
    if None in found or numbers != [str(number) for number in range(len(parts))]:
        raise file.error(entry, _NEXT, repr(entry.text))
    return tuple(match[2] for match in found if match)


_HEAD: Mapping[str, tuple[str, _Reader]] = {
    "profile": ("profile", _text),
    "environment type": ("sharing", _one_of(Sharing)),
    "summary every": ("summary_every", _number(0)),
    "relevant history": ("relevant_history", _number(0)),
    "show demonstrations": ("shows_demonstrations", _yes),
}
_PHASE: Mapping[str, tuple[str, _Reader]] = {
    "environment": ("environment", _text),
    "begin role": ("begin_role", _name),
    "begin query": ("begin_query", _text),
    "controller": ("controller", _one_of(Controller)),
    "choose": ("choose", _text),
    "maximum turns": ("maximum_turns", _number(1)),
    "judge": ("judge", _text),
    "next": ("next", _edges),
    "summary prompt": ("summary_prompt", _text),
}
_ROLE: Mapping[str, tuple[str, _Reader]] = {
    "name": ("name", _spoken_name),
    "task": ("task", _text),
    "rule": ("rules", _text),
    "style": ("style", _text),
    "demonstration": ("demonstrations", _text),
    "last": ("last", _text),
    "tools": ("tools", _tools),
    "maximum steps": ("steps", _number(1)),
    "model": ("model", _text),
    "is user": ("is_user", _no_person),
}
_SEVERAL = ("rule", "demonstration")
