"""Read the values of a JSON file, each with the number of the line in which it begins.

rows = (value? NEWLINE)*                 JSON lines
     | "[" value ("," value)* "]"
"""

import json
import re
from collections.abc import Iterator

from react_agent.parsers.settings.errors import parse_error

_SPACES = re.compile(r"[ \t\r\n]*+")
_DECODER = json.JSONDecoder()


def numbered_values(text: str) -> Iterator[tuple[int, object]]:
    """Yield each value with its line number. Raises ParseError."""
    if text.lstrip(" \t\r\n")[:1] == "[":
        yield from _listed(text)
        return
    for number, line in enumerate(text.split("\n"), 1):
        at = _after_spaces(line, 0)
        if at < len(line):
            value, end = _value(line, at, number)
            if _after_spaces(line, end) < len(line):
                raise parse_error(number, "one JSON object a line", line[end:])
            yield number, value


def _listed(text: str) -> Iterator[tuple[int, object]]:
    number, counted, end = 1, 0, text.index("[")
    while text[end : end + 1] != "]":
        at = _after_spaces(text, end + 1)
        number, counted = number + text.count("\n", counted, at), at
        if text[end] == "[" and text[at : at + 1] == "]":
            end = at
            break
        value, end = _value(text, at, number)
        yield number, value
        end = _after_spaces(text, end)
        number, counted = number + text.count("\n", counted, end), end
        if text[end : end + 1] not in (",", "]"):
            raise parse_error(number, "a comma or the end of the list", text[end : end + 40])
    if rest := text[end + 1 :].strip(" \t\r\n"):
        raise parse_error(number, "nothing after the list", rest[:40])


def _after_spaces(text: str, at: int) -> int:
    found = _SPACES.match(text, at)
    return found.end() if found else at


def _value(text: str, at: int, number: int) -> tuple[object, int]:
    try:
        return _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):  # RecursionError: nested thousands of levels deep
        raise parse_error(number, "JSON", text[at : at + 61]) from None
