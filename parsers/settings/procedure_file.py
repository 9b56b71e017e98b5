r"""A procedure as a file: read, checked, and written.

file      = "procedure: NAME" head* phase+ "state: end_state"?
head      = "profile" | "environment type" | "summary every" | "relevant history"
            | "show demonstrations"
phase     = "state: NAME" ("environment" | role | "begin role" | "begin query" | "controller"
            | "choose" | "maximum turns" | "judge" | "next" | "summary prompt")*
role      = "role NAME:" ("name" | "task" | "rule" | "style" | "demonstration" | "last" | "tools"
            | "maximum steps" | "model" | "is user")*
entry     = indent key ":" text, with what is indented deeper below it: of a procedure, state or
            role its entries, of any other more of its text, as it is
comment   = indent "#" text          where an entry may begin

Each state is reached, and each comes to an end. An error is `FILE:LINE: expected ..., found ...`.
"""

import difflib
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.settings.procedure import END, Controller, Phase, Procedure, Role, Sharing

_ROLE_KEY = "role "
_SHOWN = 60
_MOST_EDGES = 10  # a judge answers with a digit
_NAME = re.compile(r"[^\W\d]\w*(?:-\w+)*")
_SPOKEN_NAME = re.compile(r"[^\W\d][^\n:：,*]{0,39}")
_EDGE = re.compile(r"(?:(\d)\s+)?(\S+)")
_DIGITS = 6
_NEXT = "`next: STATE`, or several as in `next: 0 STATE, 1 STATE`"
_Words = TypeVar("_Words", bound=StrEnum)
_DEEPER = "  "


class _Line(NamedTuple):
    number: int
    indent: int
    text: str  # after the indent


class _Entry(NamedTuple):
    line: int
    key: str
    text: str
    inner: tuple["_Entry", ...] = ()


class _Place(NamedTuple):
    phase: Phase
    line: int
    lines: Mapping[str, int]  # of its entries, by their keys

    def line_of(self, key: str) -> int:
        return self.lines.get(key, self.line)


@dataclass(frozen=True, slots=True)
class _File:
    source: str
    is_tool: Callable[[str], bool]

    def error(self, line: int, expected: str, found: str) -> ParseError:
        shown = found if len(found) <= _SHOWN else found[: _SHOWN - 3] + "..."
        return ParseError(f"{self.source}:{line}: expected {expected}, found {shown}")


_Reader = Callable[[_File, _Entry], Any]
_Fields = Mapping[str, tuple[str, _Reader]]


def as_written(text: str) -> str:
    """A text that is read back as it is: nothing around it, and nothing at the end of its lines."""
    return "\n".join(line.rstrip() for line in text.strip().split("\n"))


def read_procedure(
    text: str, source: str = "procedure", is_tool: Callable[[str], bool] = lambda name: True
) -> Procedure:
    """Raises ParseError."""
    file = _File(source, is_tool)
    entries = tuple(_entries(file, _lines(text)))
    head = entries[0] if entries else _Entry(1, "", "")
    if head.key != "procedure":
        raise file.error(head.line, "`procedure: NAME` first", repr(head.key or "nothing"))
    name = _name(file, head)
    told = _values(file, head.inner, _HEAD)
    places = [_place(file, entry) for entry in entries[1:]]
    kept = [place for place in places if place is not None]
    if not kept:
        raise file.error(head.line, "a `state: NAME` behind it", "none")
    _check(file, kept)
    return Procedure(name, tuple(place.phase for place in kept), **told)


def _lines(text: str) -> deque[_Line]:
    bare = (line.rstrip() for line in text.split("\n"))
    return deque(
        _Line(number, len(line) - len(line.lstrip(" ")), line.lstrip(" "))
        for number, line in enumerate(bare, 1)
    )


def _entries(
    file: _File, lines: deque[_Line], indent: int = -1, depth: int = 0
) -> Iterator[_Entry]:
    """Those that are indented deeper."""
    while lines and (not lines[0].text or lines[0].text[0] == "#" or lines[0].indent > indent):
        head = lines.popleft()
        if not head.text or head.text[0] == "#":
            continue
        key, colon, rest = head.text.partition(":")
        if not colon or not key.strip() or key[0].isspace():
            raise file.error(head.number, "`KEY: VALUE`", repr(head.text))
        key = " ".join(key.split())
        is_section = key in ("procedure", "state") if depth == 0 else key.startswith(_ROLE_KEY)
        if depth <= 1 and is_section:
            inner = tuple(_entries(file, lines, head.indent, depth + 1))
            yield _Entry(head.number, key, rest.strip(), inner)
        else:
            yield _Entry(head.number, key, _text_below(rest, lines, head.indent))


def _text_below(first: str, lines: deque[_Line], indent: int) -> str:
    more = list[_Line]()
    while lines and (not lines[0].text or lines[0].indent > indent):
        more.append(lines.popleft())
    margin = min((line.indent for line in more if line.text), default=0)
    below = (" " * max(line.indent - margin, 0) + line.text for line in more)
    return as_written("\n".join((first.strip(), *below)))


def _place(file: _File, entry: _Entry) -> _Place | None:
    """None for the end, which needs nothing."""
    if entry.key != "state":
        raise file.error(
            entry.line, "`state: NAME`", f"`{entry.key}:`{_meant(entry.key, ['state'])}"
        )
    if entry.text == END:
        if entry.inner:
            raise file.error(entry.inner[0].line, f"nothing in {END}", f"`{entry.inner[0].key}:`")
        return None
    name = _name(file, entry)
    roles = [inner for inner in entry.inner if inner.key.startswith(_ROLE_KEY)]
    others = [inner for inner in entry.inner if not inner.key.startswith(_ROLE_KEY)]
    told = _values(file, others, _PHASE)
    if not roles:
        raise file.error(entry.line, f"a `role NAME:` in {name}", "none")
    if "next" not in told:
        raise file.error(entry.line, f"{_NEXT} in {name}", "none")
    phase = Phase(name, tuple(_role(file, role) for role in roles), **told)
    lines = {inner.key: inner.line for inner in entry.inner}
    return _Place(phase, entry.line, lines)


def _role(file: _File, entry: _Entry) -> Role:
    key = entry.key.removeprefix(_ROLE_KEY)
    if not _NAME.fullmatch(key):
        raise file.error(entry.line, "a name of letters, digits and - in `role NAME:`", repr(key))
    if entry.text:
        raise file.error(
            entry.line, f"the entries of {key} on lines of their own", repr(entry.text)
        )
    told = _values(file, entry.inner, _ROLE)
    told.pop("is_user", None)
    return Role(key, told.pop("name", key), **told)


def _values(file: _File, entries: Sequence[_Entry], table: _Fields) -> dict[str, Any]:
    """By the names of fields; what may be said several times is a tuple."""
    values: dict[str, Any] = {}
    for entry in entries:
        if entry.key not in table:
            known = f"one of {', '.join(table)}"
            raise file.error(entry.line, known, f"`{entry.key}:`{_meant(entry.key, table)}")
        field, reader = table[entry.key]
        if entry.key in _SEVERAL:
            values[field] = (*values.get(field, ()), reader(file, entry))
        elif field in values:
            raise file.error(entry.line, f"one `{entry.key}:`", "a second one")
        else:
            values[field] = reader(file, entry)
    return values


def _meant(word: str, known: Sequence[str] | Mapping[str, Any]) -> str:
    near = difflib.get_close_matches(word.casefold(), list(known), n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def _text(file: _File, entry: _Entry) -> str:
    if not entry.text:
        raise file.error(entry.line, f"a text behind `{entry.key}:`", "nothing")
    return entry.text


def _name(file: _File, entry: _Entry) -> str:
    if not _NAME.fullmatch(entry.text):
        found = repr(entry.text) if entry.text else "nothing"
        raise file.error(
            entry.line, f"a name of letters, digits and - behind `{entry.key}:`", found
        )
    return entry.text


def _spoken_name(file: _File, entry: _Entry) -> str:
    if not _SPOKEN_NAME.fullmatch(entry.text):
        raise file.error(entry.line, "a name on one line, without a colon", repr(entry.text))
    return entry.text


def _one_of(words: type[_Words]) -> _Reader:
    def read(file: _File, entry: _Entry) -> _Words:
        known = [word.value for word in words]
        if entry.text not in known:
            found = f"{entry.text!r}{_meant(entry.text, known)}"
            raise file.error(entry.line, f"{', '.join(known[:-1])} or {known[-1]}", found)
        return words(entry.text)

    return read


def _number(least: int) -> _Reader:
    def read(file: _File, entry: _Entry) -> int:
        text = entry.text
        is_number = text.isascii() and text.isdecimal() and len(text) <= _DIGITS
        if not is_number or int(text) < least:
            expected = f"a whole number from {least} on behind `{entry.key}:`"
            raise file.error(entry.line, expected, repr(text))
        return int(text)

    return read


def _yes(file: _File, entry: _Entry) -> bool:
    if entry.text not in ("yes", "no"):
        raise file.error(entry.line, "yes or no", repr(entry.text))
    return entry.text == "yes"


def _no_person(file: _File, entry: _Entry) -> bool:
    if _yes(file, entry):
        expected = "`is user: no`, as nobody is there to play a role while it runs"
        raise file.error(entry.line, expected, "'yes'")
    return False


def _tools(file: _File, entry: _Entry) -> tuple[str, ...]:
    names = tuple(_text(file, entry).replace(",", " ").split())
    for name in names:
        if not file.is_tool(name):
            raise file.error(
                entry.line, "names of tools (`react-agent inspect tools` lists them)", repr(name)
            )
    return tuple(dict.fromkeys(names))


def _edges(file: _File, entry: _Entry) -> tuple[str, ...]:
    parts = [part.strip() for part in _text(file, entry).split(",")]
    found = [_EDGE.fullmatch(part) for part in parts]
    numbers = [match[1] or "0" for match in found if match]
    if None in found or numbers != [str(number) for number in range(len(parts))]:
        raise file.error(entry.line, _NEXT, repr(entry.text))
    return tuple(match[2] for match in found if match)


_HEAD: _Fields = {
    "profile": ("profile", _text),
    "environment type": ("sharing", _one_of(Sharing)),
    "summary every": ("summary_every", _number(0)),
    "relevant history": ("relevant_history", _number(0)),
    "show demonstrations": ("shows_demonstrations", _yes),
}
_PHASE: _Fields = {
    "environment": ("environment", _text),
    "begin role": ("begin_role", _name),
    "begin query": ("begin_query", _text),
    "controller": ("controller", _one_of(Controller)),
    "choose": ("choose", _text),
    "maximum turns": ("maximum_turns", _number(1)),
    "judge": ("judge", _text),
    "summary prompt": ("summary_prompt", _text),
    "next": ("next", _edges),
}
_ROLE: _Fields = {
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


def _check(file: _File, places: Sequence[_Place]) -> None:
    known = {place.phase.name for place in places} | {END}
    seen = set[str]()
    for place in places:
        if place.phase.name in seen:
            raise file.error(place.line, "each state once", f"{place.phase.name!r} again")
        seen.add(place.phase.name)
        keys = [role.key for role in place.phase.roles]
        for key in keys:
            if keys.count(key) > 1:
                line = place.line_of(f"role {key}")
                raise file.error(line, "each role of a state once", f"{key!r} again")
    for place in places:
        _check_next(file, place, known)
        _check_begin_and_judge(file, place)
    first = places[0].phase.name
    ahead = {place.phase.name: set(place.phase.next) for place in places}
    back = {name: {one for one in ahead if name in ahead[one]} for name in known}
    reached, ending = _closure({first}, ahead), _closure({END}, back)
    for place in places:
        name = place.phase.name
        if name not in reached:
            raise file.error(place.line, f"a way from {first} to {name}", "none")
        if name not in ending:
            raise file.error(place.line_of("next"), f"a way from {name} to {END}", "none")


def _check_next(file: _File, place: _Place, known: set[str]) -> None:
    line, phase = place.line_of("next"), place.phase
    for name in phase.next:
        if name not in known:
            raise file.error(line, "a state that there is", repr(name))
    if len(phase.next) > _MOST_EDGES:
        raise file.error(line, f"at most {_MOST_EDGES} next states", str(len(phase.next)))
    if phase.next[-1] == phase.name:
        expected = "another state as the last one, which is the way out"
        raise file.error(line, expected, repr(phase.name))


def _check_begin_and_judge(file: _File, place: _Place) -> None:
    phase, is_one = place.phase, len(place.phase.next) == 1
    if phase.begin_role and phase.role(phase.begin_role) is None:
        expected = f"a role of {phase.name}: {', '.join(role.key for role in phase.roles)}"
        raise file.error(place.line_of("begin role"), expected, repr(phase.begin_role))
    if not is_one and not phase.judge:
        expected = "a `judge:` too, as there is a choice"
        raise file.error(place.line_of("next"), expected, "none")
    if is_one and phase.judge:
        expected = "two next states at least, for a judge to choose from"
        raise file.error(place.line_of("judge"), expected, "one")
    if is_one and len(phase.roles) > 1 + bool(phase.begin_query):
        expected = "two next states, as an only one is taken after the first turn"
        found = f"one, so that {phase.roles[-1].key} would never speak"
        raise file.error(place.line_of("next"), expected, found)


def _closure(start: set[str], edges: Mapping[str, set[str]]) -> set[str]:
    found, new = set(start), set(start)
    while new:
        new = {name for one in new for name in edges.get(one, ())} - found
        found |= new
    return found


def write_procedure(procedure: Procedure) -> str:
    lines = [f"procedure: {procedure.name}", *_indented(_written(procedure, _HEAD))]
    for phase in procedure.phases:
        lines += ("", f"state: {phase.name}")
        lines += _indented(_written(phase, {"environment": _PHASE["environment"]}))
        for role in phase.roles:
            lines += _indented((f"{_ROLE_KEY}{role.key}:", *_indented(_written(role, _ROLE))))
        lines += _indented(_written(phase, {**_PHASE, "environment": ("", _text)}))
    return "\n".join((*lines, "", f"state: {END}", ""))


def _written(item: Procedure | Phase | Role, fields: _Fields) -> Iterator[str]:
    """A text of several lines is below its key, so that each keeps its own indent."""
    for key, (field, _) in fields.items():
        value = getattr(item, field, "")
        if key == "next":
            value = ", ".join(f"{number} {name}" for number, name in enumerate(value))
        if key == "tools":
            value = " ".join(value)
        for one in value if isinstance(value, tuple) else (value,):
            text = (
                ("yes" if one else "") if isinstance(one, bool) else str("" if one is None else one)
            )
            if "\n" in text:
                yield f"{key}:"
                yield from _indented(text.split("\n"))
            elif text and not (key == "name" and isinstance(item, Role) and text == item.key):
                yield f"{key}: {text}"


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"{_DEEPER}{line}" if line else "" for line in lines)
