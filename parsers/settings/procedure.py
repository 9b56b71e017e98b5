"""Read a procedure: states in which roles take turns, and transitions between the states.

file      = "procedure: NAME" head* phase+ "state: end_state"?
head      = "profile" | "environment type" | "summary every" | "relevant history"
            | "show demonstrations"
phase     = "state: NAME" ("environment" | role | "begin role" | "begin query" | "controller"
            | "choose" | "maximum turns" | "judge" | "next" | "summary prompt")*
role      = "role NAME:" ("name" | "task" | "rule" | "style" | "demonstration" | "last" | "tools"
            | "maximum steps" | "model")*
entry     = indent key ":" text, followed by more deeply indented lines: the entries of a procedure,
            state or role, or more text of any other entry, which is kept unchanged
comment   = indent "#" text          wherever an entry may begin
"""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from textwrap import dedent
from typing import Any

from react_agent.parsers.settings.errors import ParseError, did_you_mean
from react_agent.parsers.text.gist import clipped

END = "end_state"


class Sharing(StrEnum):
    """How much of the conversation a role can see."""

    COOPERATIVE = "cooperative"  # everything
    COMPETITIVE = "competitive"  # what was said since its state was entered


class Controller(StrEnum):
    """How the next speaker is chosen."""

    ORDER = "order"
    RANDOM = "random"
    RULE = "rule"  # the model chooses


@dataclass(frozen=True, slots=True)
class Role:
    key: str  # the name in the file
    name: str  # the name in the conversation
    task: str = ""
    rules: tuple[str, ...] = ()
    style: str = ""
    demonstrations: tuple[str, ...] = ()
    last: str = ""  # stands at the end of each prompt
    tools: tuple[str, ...] = ()  # empty: the tools of the profile
    steps: int | None = None  # the most steps of one turn
    model: str = ""  # empty: the model of the run

    @property
    def says_nothing(self) -> bool:
        return self == Role(self.key, self.name)


@dataclass(frozen=True, slots=True)
class Phase:
    """A state of the procedure."""

    name: str
    roles: tuple[Role, ...]
    next: tuple[str, ...]  # indexed by a judge's answer; the last one is the way out
    environment: str = ""
    begin_role: str = ""  # empty: the first role
    begin_query: str = ""  # the first words of that role, without a model
    controller: Controller = Controller.ORDER
    choose: str = ""  # instruction for the model that chooses the next speaker
    maximum_turns: int = 20
    judge: str = ""
    summary_prompt: str = ""

    @property
    def first_role(self) -> str:
        return self.begin_role or self.roles[0].key

    def role(self, key: str) -> Role | None:
        return next((role for role in self.roles if role.key == key), None)


@dataclass(frozen=True, slots=True)
class Procedure:
    name: str
    phases: tuple[Phase, ...]
    profile: str = ""  # empty: the profile of the settings
    sharing: Sharing = Sharing.COOPERATIVE
    summary_every: int = 8  # entries; 0: never
    relevant_history: int = 3  # earlier entries that a prompt shows; 0: none
    shows_demonstrations: bool = False
    text: str = field(default="", compare=False)  # as it was written

    def phase(self, name: str) -> Phase | None:
        return next((phase for phase in self.phases if phase.name == name), None)

    @property
    def only_phase(self) -> Phase | None:
        """Return the phase if the procedure is one turn of one role, as in an ordinary run."""
        first = self.phases[0]
        is_only = len(self.phases) == len(first.roles) == 1 and first.next == (END,)
        return first if is_only and not first.begin_query else None

    @property
    def names(self) -> frozenset[str]:
        """Return the keys and the names of all roles."""
        roles = [role for phase in self.phases for role in phase.roles]
        return frozenset(name for role in roles for name in (role.key, role.name))


_ROLE_KEY = "role "
_SHOWN = 60
_NAME = re.compile(r"[^\W\d]\w*(?:-\w+)*")
_SPOKEN_NAME = re.compile(r"[^\W\d][^\n:：,*]{0,39}")
_NUMBER = re.compile(r"[0-9]{1,6}")
_EDGE = re.compile(r"(?:(\d)\s+)?(\S+)")  # a judge answers with a digit
_NEXT = "`next: STATE`, or several as in `next: 0 STATE, 1 STATE`"


@dataclass(frozen=True, slots=True)
class _Entry:
    line: int
    key: str
    text: str
    inner: tuple["_Entry", ...] = ()

    def error(self, expected: str, found: str = "") -> ParseError:
        """Return an error. By default, `found` is the text of the entry."""
        found = found or repr(self.text)
        return ParseError(f"{self.line}: expected {expected}, found {clipped(found, _SHOWN)}")

    def unknown(self, known: Iterable[str], expected: str) -> ParseError:
        return self.error(expected, f"`{self.key}:`{did_you_mean(self.key, known)}")

    def at(self, key: str) -> "_Entry":
        """Return the inner entry with this key, or this entry if there is none."""
        return next((entry for entry in self.inner if entry.key == key), self)


_Reader = Callable[[_Entry], Any]
_Fields = Mapping[str, tuple[str, _Reader]]
_Lines = deque[tuple[int, int, str]]  # line number, indent, text after the indent


def read_procedure(
    text: str, source: str = "procedure", is_tool: Callable[[str], bool] = lambda name: True
) -> Procedure:
    """Read a procedure. Raises ParseError, `SOURCE:LINE: expected ..., found ...`."""
    bare = [line.rstrip() for line in text.split("\n")]
    lines = deque(
        (number, len(line) - len(line.lstrip(" ")), line.lstrip(" "))
        for number, line in enumerate(bare, 1)
    )
    try:
        read = _procedure(tuple(_entries(lines)), is_tool)
    except ParseError as error:
        raise ParseError(f"{source}:{error}") from None
    return replace(read, text="\n".join(bare).strip("\n"))


def _entries(lines: _Lines, indent: int = -1, depth: int = 0) -> Iterator[_Entry]:
    """Yield the entries that are indented deeper than `indent`."""
    while lines and (lines[0][2][:1] in ("", "#") or lines[0][1] > indent):
        number, own, line = lines.popleft()
        if line[:1] in ("", "#"):
            continue
        key, colon, rest = line.partition(":")
        if not colon or not key.strip() or key[0].isspace():
            raise _Entry(number, key, line).error("`KEY: VALUE`")
        key = " ".join(key.split())
        is_section = key in ("procedure", "state") if depth == 0 else key.startswith(_ROLE_KEY)
        if depth <= 1 and is_section:
            yield _Entry(number, key, rest.strip(), tuple(_entries(lines, own, depth + 1)))
            continue
        below = list[str]()
        while lines and (not lines[0][2] or lines[0][1] > own):
            _, deeper, more = lines.popleft()
            below.append(" " * deeper + more)
        yield _Entry(number, key, "\n".join((rest.strip(), dedent("\n".join(below)))).strip())


def _procedure(entries: Sequence[_Entry], is_tool: Callable[[str], bool]) -> Procedure:
    head, *states = entries or [_Entry(1, "nothing", "")]
    if head.key != "procedure":
        raise head.error("`procedure: NAME` first", repr(head.key))
    name, values, phases = _name(head), _values(head.inner, _HEAD), list[Phase]()
    for state in states:
        if state.key != "state":
            raise state.unknown(["state"], "`state: NAME`")
        if state.text != END:
            phases.append(_phase(state, is_tool))
        elif state.inner:
            raise state.inner[0].unknown([], f"nothing in {END}")
    states = [state for state in states if state.text != END]
    if not states:
        raise head.error("a `state: NAME` after it", "none")
    _check(phases, states)
    return Procedure(name, tuple(phases), **values)


def _phase(state: _Entry, is_tool: Callable[[str], bool]) -> Phase:
    name = _name(state)
    roles = [entry for entry in state.inner if entry.key.startswith(_ROLE_KEY)]
    values = _values([entry for entry in state.inner if entry not in roles], _PHASE)
    if not roles:
        raise state.error(f"a `role NAME:` in {name}", "none")
    if "next" not in values:
        raise state.error(f"{_NEXT} in {name}", "none")
    return Phase(name, tuple(_role(role, is_tool) for role in roles), **values)


def _role(entry: _Entry, is_tool: Callable[[str], bool]) -> Role:
    key = entry.key.removeprefix(_ROLE_KEY)
    if not _NAME.fullmatch(key):
        raise entry.error("a name of letters, digits and - in `role NAME:`", repr(key))
    if entry.text:
        raise entry.error(f"the entries of {key} on lines of their own")
    values = _values(entry.inner, _ROLE)
    for tool in values.get("tools", ()):
        if not is_tool(tool):
            known = "names of tools (`react-agent inspect tools` lists them)"
            raise entry.at("tools").error(known, repr(tool))
    return Role(key, values.pop("name", key), **values)


def _values(entries: Iterable[_Entry], table: _Fields) -> dict[str, Any]:
    """Return the values by field name. The value of an entry that may be repeated is a tuple."""
    values: dict[str, Any] = {}
    for entry in entries:
        if entry.key not in table:
            raise entry.unknown(table, f"one of {', '.join(table)}")
        field, reader = table[entry.key]
        if entry.key in _SEVERAL:
            values[field] = (*values.get(field, ()), reader(entry))
        elif field in values:
            raise entry.error(f"one `{entry.key}:`", "a second one")
        else:
            values[field] = reader(entry)
    return values


def _text(entry: _Entry) -> str:
    if not entry.text:
        raise entry.error(f"a text after `{entry.key}:`", "nothing")
    return entry.text


def _name(entry: _Entry) -> str:
    if not _NAME.fullmatch(entry.text):
        expected = f"a name of letters, digits and - after `{entry.key}:`"
        raise entry.error(expected, "" if entry.text else "nothing")
    return entry.text


def _spoken_name(entry: _Entry) -> str:
    if not _SPOKEN_NAME.fullmatch(entry.text):
        raise entry.error("a name on one line, without a colon")
    return entry.text


def _one_of(words: Mapping[str, Any]) -> _Reader:
    def read(entry: _Entry) -> Any:
        if entry.text not in words:
            *others, last = words
            found = f"{entry.text!r}{did_you_mean(entry.text, words)}"
            raise entry.error(f"{', '.join(others)} or {last}", found)
        return words[entry.text]

    return read


def _number(least: int) -> _Reader:
    def read(entry: _Entry) -> int:
        if not _NUMBER.fullmatch(entry.text) or int(entry.text) < least:
            raise entry.error(f"a whole number from {least} on after `{entry.key}:`")
        return int(entry.text)

    return read


def _tools(entry: _Entry) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_text(entry).replace(",", " ").split()))


def _edges(entry: _Entry) -> tuple[str, ...]:
    found = [_EDGE.fullmatch(part.strip()) for part in _text(entry).split(",")]
    numbers = [match[1] or "0" for match in found if match]
    if numbers != [str(number) for number in range(len(found))]:
        raise entry.error(_NEXT)
    return tuple(match[2] for match in found if match)


_YES_OR_NO = _one_of({"yes": True, "no": False})
_HEAD: _Fields = {
    "profile": ("profile", _text),
    "environment type": ("sharing", _one_of({word.value: word for word in Sharing})),
    "summary every": ("summary_every", _number(0)),
    "relevant history": ("relevant_history", _number(0)),
    "show demonstrations": ("shows_demonstrations", _YES_OR_NO),
}
_PHASE: _Fields = {
    "environment": ("environment", _text),
    "begin role": ("begin_role", _name),
    "begin query": ("begin_query", _text),
    "controller": ("controller", _one_of({word.value: word for word in Controller})),
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
}
_SEVERAL = ("rule", "demonstration")


def _check(phases: Sequence[Phase], states: Sequence[_Entry]) -> None:
    """Check that names are distinct and known, and that a judge decides. Raises ParseError."""
    names = [phase.name for phase in phases]
    for number, (phase, state) in enumerate(zip(phases, states, strict=True)):
        edges = state.at("next")
        if phase.name in names[:number]:
            raise state.error("each state once", f"{phase.name!r} again")
        keys = [entry.key for entry in state.inner if entry.key.startswith(_ROLE_KEY)]
        if again := next((key for key in keys if keys.count(key) > 1), ""):
            key = again.removeprefix(_ROLE_KEY)
            raise state.at(again).error("each role of a state once", f"{key!r} again")
        if unknown := next((name for name in phase.next if name not in (*names, END)), ""):
            raise edges.error("an existing state", repr(unknown))
        if phase.next[-1] == phase.name:
            way_out = "another state as the last one, which is the way out"
            raise edges.error(way_out, repr(phase.name))
        if phase.begin_role and phase.role(phase.begin_role) is None:
            known = f"a role of {phase.name}: {', '.join(role.key for role in phase.roles)}"
            raise state.at("begin role").error(known)
        if len(phase.next) > 1 and not phase.judge:
            raise edges.error("a `judge:` line, because there is a choice", "none")
