"""Files or folders that are asked for by the names of their parts, written plainly.

file   = PATH with start, end or count, or with lines = N | N-N | [N, N]
folder = PATH with a glob

The names are those that models give. What has another name, or no value that can be read, is left
out and said.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from react_agent.parsers.errors import ParseError
from react_agent.parsers.unreadable import Unreadable
from react_agent.parsers.values.arguments import Parts, read_named, read_object, texts
from react_agent.parsers.values.searches import within

_FILES = frozenset(
    {"", "path", "paths", "file", "files", "filepath", "filename", "targetfile", "absolutepath"}
)
_FOLDERS = _FILES | {"folder", "folders", "dir", "directory", "directories", "targetdirectory"}
_GLOBS = frozenset({"glob", "pattern", "include"})
_STARTS = frozenset({"start", "startline", "linestart", "from", "fromline", "offset"})
_ENDS = frozenset({"end", "endline", "lineend", "to", "toline"})
_COUNTS = frozenset({"limit", "count", "numlines", "maxlines"})
_SPANS = frozenset({"line", "lines", "range", "linerange", "viewrange", "linenumber"})
_SPAN = re.compile(
    r"[\[(]?\s*L?(?P<start>\d{1,9})(?:\s*(?:-|–|—|\.\.|,|to)\s*(?:L?(?P<end>\d{1,9}))?)?\s*[\])]?",
    re.IGNORECASE,
)
_LAST = 999_999_999
_SHOWN = 200  # characters of what it was read as


@dataclass(frozen=True, slots=True)
class Plain:
    lines: tuple[str, ...]
    left_out: tuple[str, ...] = ()  # names

    @property
    def said(self) -> str:
        left_out = f"; left out: {_short(' '.join(self.left_out))}" if self.left_out else ""
        return f"read as {_short(', '.join(self.lines))}{left_out}"


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def named_files(text: str) -> Plain | Unreadable | None:
    """None if the text names no parts."""
    return _named(text, _FILES, _files, "write PATH or PATH:START-END, one a line")


def named_folders(text: str) -> Plain | Unreadable | None:
    return _named(text, _FOLDERS, _folders, "write one PATH, or leave it empty for the root")


def _named(
    text: str, heads: frozenset[str], plainly: Callable[[Parts], Sequence[str]], hint: str
) -> Plain | Unreadable | None:
    try:
        requests = read_object(text) or read_named(text, heads)
    except ParseError as error:
        return Unreadable(f"{error}; {hint}")
    lines = tuple(line for parts in requests for line in plainly(parts))
    left_out = tuple(dict.fromkeys(name for parts in requests for name in parts.names))
    if requests and not lines:
        return Unreadable(f"there is no path in it: {hint}")
    return Plain(lines, left_out) if requests else None


def _files(parts: Parts) -> list[str]:
    paths, spans = parts.take(_FILES, texts), parts.take(_SPANS, _span)
    starts, ends = parts.take(_STARTS, _line), parts.take(_ENDS, _line)
    counts = parts.take(_COUNTS, _line)
    start, end = spans[0] if spans else (None, None)
    start = starts[0] if starts else start
    end = ends[0] if ends else end
    if counts and end is None:
        end = (start or 1) + counts[0] - 1
    return [f"{path}{_range(start, end)}" for several in paths for path in several]


def _range(start: int | None, end: int | None) -> str:
    if start is None and end is None:
        return ""
    first, last = min(max(start or 1, 1), _LAST), min(end or 0, _LAST)
    return f":{first}-{last}" if last > 0 else f":{first}"


def _folders(parts: Parts) -> tuple[str, ...]:
    folders = [one for several in parts.take(_FOLDERS, texts) for one in several]
    globs = [one for several in parts.take(_GLOBS, texts) for one in several]
    return within(folders, globs) or (".",)


def _line(value: object) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    span = _SPAN.fullmatch(value.strip()) if isinstance(value, str) else None
    return int(span["start"]) if span and not span["end"] else None


def _span(value: object) -> tuple[int, int | None] | None:
    if isinstance(value, str) and (found := _SPAN.fullmatch(value.strip())):
        return int(found["start"]), int(found["end"]) if found["end"] else None
    lines = [_line(member) for member in (value if isinstance(value, list) else [value])]
    match lines:
        case [int(start)]:
            return start, None
        case [int(start), int(end)]:
            return start, end
        case _:
            return None
