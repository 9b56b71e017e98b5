"""What a call in another format asks for: a tool, and its arguments as plain text.

object    = name key, input key | name key, and every other key is an argument
          | "function": object                     beside each: a thought, identifiers
arguments = text | one value | `key: value` lines, a value of several lines last | JSON

An object that nothing marks as a call is one if it names a tool, or has both keys and no others.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.turn.tool_name import without_prefix
from react_agent.parsers.values.arguments import folded_key, read_fields, unquoted
from react_agent.parsers.values.commands import command_line
from react_agent.parsers.values.damaged_json import closing, read_json

Known = Callable[[str], bool]  # whether a tool has this name

NAMES = ("action", "toolname", "tool", "functionname", "function", "name")
INPUTS = ("actioninput", "toolinput", "input", "arguments", "args", "parameters", "params")
THOUGHTS = ("thought", "thoughts", "reasoning", "explanation")
_ASIDE = {*THOUGHTS, "id", "callid", "toolcallid", "tooluseid", "index", "type"}
_OBJECTS = ("arguments", "args", "parameters", "params")  # as a text, they are JSON
_COMMANDS = ("command", "cmd", "commands")
VALUES = ("{", "[", "```")  # what a value begins with
_FENCE = r"```[\w-]{0,20}[ \t]*+\n?"
_BEFORE = re.compile(rf"(?:{_FENCE})?\s*+")
_BRACKETS = re.compile(r"[}\]]*+")  # one too many is a habit
_AFTER_FENCED = re.compile(rf"\s*+{_FENCE}")
_PIECE = 1000

NO_NAME = "it names no tool"
TWO_CALLS = "there are two calls: write only the first"
CUT_OFF = "it is cut off"


class Unreadable(Exception):
    def __init__(self, reason: str, *, truncated: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.truncated = truncated


class Asked(NamedTuple):
    name: str
    input: str
    thought: str = ""


@dataclass(slots=True)
class Cursor:
    text: str
    at: int = 0

    @property
    def at_end(self) -> bool:
        return self.at >= len(self.text)

    def line(self) -> str:
        """What is left of it."""
        end = self.text.find("\n", self.at)
        return self.text[self.at : end if end >= 0 else len(self.text)]

    def sees(self, *literals: str) -> bool:
        return self.text.startswith(literals, self.at)

    def took(self, literal: str) -> bool:
        found = self.sees(literal)
        self.at += len(literal) if found else 0
        return found

    def take(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return found[0] if found else ""

    def until(self, literal: str) -> str | None:
        """The text before the literal, which is taken as well; None if it does not follow."""
        end = self.text.find(literal, self.at)
        if end < 0:
            return None
        taken, self.at = self.text[self.at : end], end + len(literal)
        return taken

    def json_value(self) -> object:
        """A JSON value, which may be in a fence."""
        is_fenced = self.take(_BEFORE).strip() != ""
        value = valid(self.json_text())
        if is_fenced:
            self.take(_AFTER_FENCED)
        return value

    def json_text(self) -> str:
        """Where the value does not close, the cursor stays."""
        start, size = self.at, _PIECE
        is_value = self.sees("{", "[")
        # In pieces that grow: a value costs its own length, not that of the text.
        while is_value and (end := closing(self.text[start : start + size])) is None:
            is_value = start + size < len(self.text)
            size *= 4
        if not is_value:
            # What ends in a mark that closes a call was not cut: its brackets are wrong.
            is_whole = self.text[start:].rstrip().endswith((">", "```"))
            raise Unreadable(_INVALID if is_whole else CUT_OFF, truncated=not is_whole)
        assert end is not None
        self.at = start + end + 1
        self.take(_BRACKETS)
        return self.text[start : start + end + 1]


_INVALID = "it is no valid JSON"


def valid(text: str, reason: str = _INVALID) -> object:
    try:
        return read_json(text)
    except ParseError:
        raise Unreadable(reason) from None


def named(written: str, arguments: object) -> Asked:
    name = without_prefix(written.strip())
    if not name or "\n" in name:
        raise Unreadable(NO_NAME)
    return Asked(name, text_of(arguments))


def marked_call(value: object, known: Known) -> Asked:
    """What it stands in says that it is a call."""
    asked = asked_for(value, known, is_marked=True)
    if asked is None:
        raise Unreadable(NO_NAME)
    return asked


def asked_for(value: object, known: Known, *, is_marked: bool = False) -> Asked | None:
    """None: data, not a call."""
    if isinstance(value, list):
        calls = [asked_for(each, known, is_marked=is_marked) for each in value]
        if len(calls) > 1 and all(calls):
            raise Unreadable(TWO_CALLS)
        return calls[0] if len(calls) == 1 else None
    if not isinstance(value, dict):
        return None
    keys = {folded_key(key): key for key in value}
    key = next((key for key in NAMES if key in keys), "")
    name = value[keys[key]] if key else None
    if key == "function" and isinstance(name, dict) and keys.keys() <= {*_ASIDE, key}:
        return asked_for(name, known, is_marked=is_marked)
    if not isinstance(name, str):
        return None
    rest = {each: value[each] for each in value if folded_key(each) not in (*_ASIDE, key)}
    inputs = [each for each in rest if folded_key(each) in INPUTS]
    if not is_marked and not known(name) and not (inputs and len(rest) == 1):
        return None
    if inputs and len(rest) > 1:
        raise Unreadable("it has keys besides a name and an input")
    asked = named(name, _decoded(inputs[0], value[inputs[0]]) if inputs else rest)
    texts = (value[keys[key]] for key in THOUGHTS if key in keys)
    return asked._replace(
        thought=next((text.strip() for text in texts if isinstance(text, str)), "")
    )


def _decoded(key: str, arguments: object) -> object:
    """The arguments of a function are often JSON within a string."""
    is_json = isinstance(arguments, str) and arguments.lstrip().startswith("{")
    if not is_json or folded_key(key) not in _OBJECTS:
        return arguments
    return valid(str(arguments), "its arguments are no valid JSON")


def text_of(arguments: object) -> str:
    """As a person would write it below `Action Input:`."""
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
    texts = {
        key: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for key, value in given.items()
    }
    pairs = sorted(texts.items(), key=lambda pair: "\n" in pair[1])
    text = "\n".join(f"{key}: {value}".rstrip(" ") for key, value in pairs)
    # Quotes, spaces at an end, or a line like another field would be lost in such lines.
    names = {key.casefold().replace("-", "_").replace(" ", "_") for key in texts}
    as_read = [unquoted(value) for _, value in read_fields(text, names)]
    long = sum("\n" in value for value in texts.values())
    if long < 2 and as_read == [value for _, value in pairs]:
        return text
    return json.dumps(given, ensure_ascii=False, indent=2)


def _command(key: str, value: object) -> object:
    """A command that is a list of words is a line."""
    words = [word for word in value if isinstance(word, str)] if isinstance(value, list) else []
    is_line = bool(words) and words == value and folded_key(key) in _COMMANDS
    return command_line(words) if is_line else value
