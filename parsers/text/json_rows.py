"""Read the values of a JSON file, each with the number of the line on which it begins.

rows = value* | "[" value* "]"           blanks, line ends or commas between the values
"""

import json
import re
from collections.abc import Iterator

from react_agent.parsers.settings.errors import parse_error

_VALUE = re.compile(r"[^ \t\r\n,]")
_DECODER = json.JSONDecoder()


def numbered_values(text: str) -> Iterator[tuple[int, object]]:
    """Yield each value with its line number. Raises ParseError."""
    at, end, counted, number = 0, len(text), 0, 1
    if text.lstrip(" \t\r\n")[:1] == "[":
        at, end = text.index("[") + 1, text.rfind("]")
        if end < 0 or text[end + 1 :].strip(" \t\r\n"):
            raise parse_error(text.count("\n") + 1, "the end of the list", text[-40:])
    while found := _VALUE.search(text, at, end):
        number, counted = number + text.count("\n", counted, found.start()), found.start()
        try:
            value, at = _DECODER.raw_decode(text, counted)
        except (ValueError, RecursionError):  # RecursionError: nested thousands of levels deep
            raise parse_error(number, "JSON", text[counted : counted + 61]) from None
        yield number, value
