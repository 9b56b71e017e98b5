"""The arguments of a program by the names that models give them.

`head` with {"file": "x", "lines": 20}; as fields, too.

arguments = paths with a number of lines | "args" = a list of words, or a line
"""

import shlex

from react_agent.parsers.errors import ParseError
from react_agent.parsers.values.arguments import Parts, read_named, read_object, texts

_PATHS = frozenset(
    {"path", "paths", "file", "files", "filepath", "filename", "targetfile", "absolutepath"}
)
_COUNTS = frozenset({"n", "lines", "count", "limit", "number", "numlines", "maxlines"})
_WORDS = frozenset({"args", "arguments", "argv", "options", "flags"})
_COUNTING = ("head", "tail", "git log")


def named_arguments(program: str, text: str) -> str | None:
    """The shell line that they mean; None where there is anything else in it."""
    try:
        requests = read_object(text) or read_named(text, _PATHS | _WORDS)
    except ParseError:
        return None
    if len(requests) != 1:
        return None
    parts = requests[0]
    count = _count(parts) if program in _COUNTING else []
    words = [*_words(parts), *count, *_paths(parts)]
    return f"{program} {shlex.join(words)}" if words and not parts.names else None


def _paths(parts: Parts) -> list[str]:
    return [path for several in parts.take(_PATHS, texts) for path in several]


def _count(parts: Parts) -> list[str]:
    found = parts.take(_COUNTS, _number)
    return ["-n", found[-1]] if found else []


def _number(value: object) -> str | None:
    text = str(value).strip()
    return text if text.isascii() and text.removeprefix("+").isdecimal() else None


def _words(parts: Parts) -> list[str]:
    return [word for several in parts.take(_WORDS, _split) for word in several]


def _split(value: object) -> list[str] | None:
    if not isinstance(value, str):
        return list(read) if (read := texts(value)) else None
    try:
        return shlex.split(value)
    except ValueError:
        return None
