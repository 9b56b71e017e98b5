"""Values of a JSON file, each with the line that it begins in.

rows = (value? NEWLINE)*                 JSON lines
     | "[" value ("," value)* "]"
"""

import json
from collections.abc import Iterator

from react_agent.parsers.settings.errors import parse_error

_BLANK = " \t\r\n"
_DECODER = json.JSONDecoder()


def numbered_values(text: str) -> Iterator[tuple[int, object]]:
    """Raises ParseError."""
    yield from _listed(text) if text.lstrip(_BLANK)[:1] == "[" else _lines(text)


def _lines(text: str) -> Iterator[tuple[int, object]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip(_BLANK):
            value, end = _value(line, _behind_blanks(line, 0), number)
            if line[end:].strip(_BLANK):
                raise parse_error(number, "one JSON object a line", line[end:])
            yield number, value


def _listed(text: str) -> Iterator[tuple[int, object]]:
    number, counted = 1, 0
    at = _behind_blanks(text, 0) + 1
    is_first = True
    while True:
        at = _behind_blanks(text, at)
        number, counted = number + text.count("\n", counted, at), at
        if text[at : at + 1] == "]":
            break
        if not is_first:
            if text[at : at + 1] != ",":
                raise parse_error(number, "a comma or the end of the list", text[at : at + 40])
            at = _behind_blanks(text, at + 1)
            number, counted = number + text.count("\n", counted, at), at
        value, at = _value(text, at, number)
        yield number, value
        is_first = False
    if text[at + 1 :].strip(_BLANK):
        raise parse_error(number, "nothing behind the list", text[at + 1 :].strip()[:40])


def _behind_blanks(text: str, at: int) -> int:
    while text[at : at + 1] and text[at] in _BLANK:
        at += 1
    return at


def _value(text: str, at: int, number: int) -> tuple[object, int]:
    try:
        value, end = _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):  # the latter: nested by thousands
        raise parse_error(number, "JSON", text[at : at + 61]) from None
    return value, end
