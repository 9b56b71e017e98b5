"""What a call in another format asks for: a tool, and its arguments as plain text.

object    = name key, input key | name key, and every other key is an argument
          | "function": object                     beside each: a thought, identifiers
arguments = text | one value | `key: value` lines, a value of several lines last | JSON

An object that nothing marks as a call is one if it names a tool, or has both keys and no others.
"""

import json
from collections.abc import Callable
from typing import NamedTuple

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.turn.tool_name import without_prefix
from react_agent.parsers.values.arguments import folded_key, read_fields, unquoted
from react_agent.parsers.values.damaged_json import read_json

Known = Callable[[str], bool]  # whether a tool has this name

NAMES = ("action", "toolname", "tool", "functionname", "function", "name")
INPUTS = ("actioninput", "toolinput", "input", "arguments", "args", "parameters", "params")
THOUGHTS = ("thought", "thoughts", "reasoning", "explanation")
_ASIDE = {*THOUGHTS, "id", "callid", "toolcallid", "tooluseid", "index", "type"}
_OBJECTS = ("arguments", "args", "parameters", "params")  # as a text, they are JSON

NO_NAME = "it names no tool"
TWO_CALLS = "there are two calls: write only the first"
CUT_OFF = "it is cut off"
INVALID = "it is no valid JSON"


class NoCall(Exception):
    """It looks like a call, but is not run."""

    def __init__(self, reason: str, *, form: str = "", truncated: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.form = form  # in words: "a JSON object"
        self.truncated = truncated


class Asked(NamedTuple):
    name: str
    input: str
    thought: str = ""


def read_object(text: str) -> object:
    try:
        return read_json(text)
    except ParseError:
        raise NoCall(INVALID) from None


def named(written: str, arguments: object) -> Asked:
    name = without_prefix(written.strip())
    if not name or "\n" in name:
        raise NoCall(NO_NAME)
    return Asked(name, text_of(arguments))


def asked_for(value: object, known: Known, *, is_marked: bool = False) -> Asked | None:
    """None: data, not a call. One that is marked stands in what says that it is a call."""
    if isinstance(value, list):
        calls = [asked_for(each, known, is_marked=is_marked) for each in value]
        if len(calls) > 1 and all(calls):
            raise NoCall(TWO_CALLS)
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
        raise NoCall("it has keys besides a name and an input")
    asked = named(name, _decoded(inputs[0], value[inputs[0]]) if inputs else rest)
    texts = (value[keys[key]] for key in THOUGHTS if key in keys)
    thought = next((text.strip() for text in texts if isinstance(text, str)), "")
    return asked._replace(thought=thought)


def _decoded(key: str, arguments: object) -> object:
    """The arguments of a function are often JSON within a string."""
    is_json = isinstance(arguments, str) and arguments.lstrip().startswith("{")
    return read_object(str(arguments)) if is_json and folded_key(key) in _OBJECTS else arguments


def text_of(arguments: object) -> str:
    """As a person would write it below `Action Input:`."""
    match arguments:
        case None:
            return ""
        case str():
            return arguments
        case dict():
            return _fields({str(key): value for key, value in arguments.items()})
        case _:
            return json.dumps(arguments, ensure_ascii=False)


def _fields(arguments: dict[str, object]) -> str:
    given = {key: value for key, value in arguments.items() if value is not None}
    if len(given) == 1:
        (only,) = given.values()
        if not isinstance(only, bool | dict | list):
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
