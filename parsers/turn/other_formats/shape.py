"""What a call in a format of another program asks for: a name, and its arguments as plain text.

object    = name key, input key | name key, arguments beside it | holder of one call
          | name key: call | tool: arguments               beside all: a thought, identifiers
list      = one call, and texts
arguments = text | one value | `key: value` lines, a value of several lines last | JSON

An object that nothing marks as a call is one if it names a tool, or has both keys and no others.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.turn.tool_name import without_prefix
from react_agent.parsers.values.arguments import folded_key, read_fields, unquoted
from react_agent.parsers.values.commands import command_line
from react_agent.parsers.values.damaged_json import read_json

Known = Callable[[str], bool]  # whether a tool has this name

NAMES = (
    *("action", "toolname", "tool", "recipientname", "functionname", "function", "name"),
    "command",
)
INPUTS = (
    *("actioninput", "toolinput", "input", "arguments", "args", "parameters", "params"),
    *("kwargs", "toolargs", "toolarguments", "functionarguments", "toolparameters"),
)
THOUGHTS = ("thought", "thoughts", "reasoning", "explanation")
_ASIDE = {*THOUGHTS, "id", "callid", "toolcallid", "tooluseid", "index", "type"}
HOLDERS = ("toolcalls", "tooluses", "toolcall", "functioncall", "tooluse")
_OBJECTS = ("arguments", "args", "parameters", "params", "kwargs")  # as a text, they are JSON
_SAID = ("text", "thinking", "reasoning")  # types of the other members of a message
_COMMANDS = ("command", "cmd", "commands")
_DEEPEST = 4  # a call in a call in a list in a message

NO_NAME = "it names no tool"
TWO_CALLS = "there are two calls: write only the first"
CUT_OFF = "it is cut off"


@dataclass(frozen=True, slots=True)
class Asked:
    name: str
    input: str
    thought: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    reason: str
    truncated: bool = False


Read = Asked | Refused | None  # None: data, not a call


def named(written: str, arguments: object | Refused) -> Asked | Refused:
    if isinstance(arguments, Refused):
        return arguments
    name = without_prefix(written.strip())
    is_name = bool(name) and "\n" not in name
    return Asked(name, text_of(arguments)) if is_name else Refused(NO_NAME)


def asked_for(value: object | Refused, known: Known) -> Read:
    return value if isinstance(value, Refused) else _asked_for(value, known, False, _DEEPEST)


def marked_call(value: object | Refused, known: Known) -> Asked | Refused:
    """What it stands in says that it is a call."""
    if isinstance(value, Refused):
        return value
    return _asked_for(value, known, True, _DEEPEST) or Refused(NO_NAME)


def _asked_for(value: object, known: Known, marked: bool, depth: int) -> Read:
    if not depth:
        return None
    if isinstance(value, list):
        return _of_list(value, known, marked, depth - 1)
    if not isinstance(value, dict):
        return None
    keys = {folded_key(key): key for key in value}
    return _Object(value, keys, known, marked, depth - 1).read()


def _of_list(members: list[object], known: Known, marked: bool, depth: int) -> Read:
    rest = [member for member in members if not _is_said(member)]
    first, *others = rest or [None]
    read = _asked_for(first, known, marked, depth)
    if not others or read is None:
        return read
    found = (_asked_for(other, known, marked, depth) for other in others)
    return Refused(TWO_CALLS) if any(other is not None for other in found) else None


def _is_said(member: object) -> bool:
    return isinstance(member, dict) and member.get("type") in _SAID


@dataclass(frozen=True, slots=True)
class _Object:
    value: Mapping[str, object]
    keys: Mapping[str, str]  # by how they are compared
    known: Known
    marked: bool
    depth: int

    def read(self) -> Read:
        read = self._held() or self._named() or self._keyed()
        if isinstance(read, Asked) and not read.thought:
            return replace(read, thought=self._thought())
        return read or (Refused(NO_NAME) if self.marked else None)

    def _held(self) -> Read:
        held = (self.value[self.keys[key]] for key in HOLDERS if key in self.keys)
        return self._within(next(held, None), marked=True)

    def _within(self, value: object, *, marked: bool) -> Read:
        return _asked_for(value, self.known, marked, self.depth)

    def _named(self) -> Read:
        key = next((key for key in NAMES if key in self.keys), "")
        name = self.value[self.keys[key]] if key else None
        if isinstance(name, dict | list):
            rest = self._rest(key)
            return self._within(name, marked=self.marked) if not rest else None
        if not isinstance(name, str) or (key == "command" and not self.known(name)):
            return None
        return self._with_input(name, key)

    def _rest(self, taken: str) -> list[str]:
        return [key for key in self.value if folded_key(key) not in (*_ASIDE, taken)]

    def _with_input(self, name: str, key: str) -> Read:
        rest = self._rest(key)
        inputs = [each for each in rest if folded_key(each) in INPUTS]
        is_meant = self.marked or self.known(name)
        if len(rest) == 1 and inputs:
            return _decoded(name, inputs[0], self.value[inputs[0]])
        if not is_meant:
            return None
        if inputs:
            return Refused("it has keys besides a name and an input")
        return named(name, {each: self.value[each] for each in rest})

    def _keyed(self) -> Read:
        rest = self._rest("")
        is_tool = len(rest) == 1 and self.known(rest[0])
        return named(rest[0], self.value[rest[0]]) if is_tool else None

    def _thought(self) -> str:
        texts = (self.value[self.keys[key]] for key in THOUGHTS if key in self.keys)
        return next((text.strip() for text in texts if isinstance(text, str)), "")


def _decoded(name: str, key: str, arguments: object) -> Asked | Refused:
    """The arguments of a function are often JSON within a string."""
    if not isinstance(arguments, str) or folded_key(key) not in _OBJECTS:
        return named(name, arguments)
    if not arguments.lstrip().startswith("{"):
        return named(name, arguments)
    try:
        return named(name, read_json(arguments).value)
    except ParseError:
        return Refused("its arguments are no valid JSON")


def text_of(arguments: object) -> str:
    """As a person would write it behind `Action Input:`."""
    match arguments:
        case None:
            return ""
        case str():
            return arguments
        case dict():
            return _fields({str(key): value for key, value in arguments.items()})
        case list() if all(isinstance(each, str) and "\n" not in each for each in arguments):
            return "\n".join(arguments)
        case _:
            return json.dumps(arguments, ensure_ascii=False)


def _fields(arguments: dict[str, object]) -> str:
    given = {key: _command(key, value) for key, value in arguments.items() if value is not None}
    if len(given) == 1:
        (only,) = given.values()
        if not isinstance(only, bool | dict):
            return text_of(only)
    texts = {key: _one_text(value) for key, value in given.items()}
    pairs = sorted(texts.items(), key=lambda pair: "\n" in pair[1])
    text = "\n".join(f"{key}: {value}".rstrip(" ") for key, value in pairs)
    # Quoting, blanks at an end, or a line like another field would be lost in such lines.
    as_read = [unquoted(value) for _, value in read_fields(text, {_field(key) for key in texts})]
    long = sum("\n" in value for value in texts.values())
    if long < 2 and as_read == [value for _, value in pairs]:
        return text
    return json.dumps(given, ensure_ascii=False, indent=2)


def _command(key: str, value: object) -> object:
    """A command that is a list of words is a line."""
    words = [word for word in value if isinstance(word, str)] if isinstance(value, list) else []
    is_line = bool(words) and words == value and folded_key(key) in _COMMANDS
    return command_line(words) if is_line else value


def _one_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _field(key: str) -> str:
    return key.casefold().replace("-", "_").replace(" ", "_")
