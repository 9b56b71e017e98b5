"""Which background commands are meant: `1`, `id 1`, `#1`, `%1`, `1, 2`, `{"id": 1}`, `all`."""

import re

from react_agent.parsers.errors import ParseError
from react_agent.parsers.values.arguments import read_object

ALL = "all"
_KEYS = frozenset({"id", "ids", "number", "command", "commandid", "pid", "job", "input", ""})
_NUMBER = re.compile(r"(?<![\w.-])[#%]?(\d{1,9})(?![\w-])")  # not the 9 of `kill -9 1`
_ALL = re.compile(r"\b(?:all|every\w*)\b", re.IGNORECASE)


def background_numbers(text: str) -> tuple[int, ...] | str:
    """Their numbers, each once; none if there are none; or ALL."""
    meant = _meant(text)
    numbers = tuple(dict.fromkeys(int(found) for found in _NUMBER.findall(meant)))
    return ALL if not numbers and _ALL.search(meant) else numbers


def _meant(text: str) -> str:
    try:
        requests = read_object(text)
    except ParseError:
        return text
    found = (value for parts in requests for value in parts.take(_KEYS, str))
    return " ".join(found) if requests else text
