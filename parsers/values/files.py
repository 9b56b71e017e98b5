"""Read requests for files or lines of files, given in an object, in fields, or one per line.

file   = path | path separator ["lines" [":"]] start [to end]
folder = path, with a glob                                 as fields or an object only
change = ["path:"] path NEWLINE description

separator = ":" | "#" | "," | " " | "(" | "["        start = ["L"] digits
to = "-" | ".." | "," | " " | "to"                   end = ["L"] digits | "end" | "$"
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from react_agent.parsers.patch.reading.path_line import labelled_path
from react_agent.parsers.values.arguments import (
    ALL_LINES,
    FOLDER_NAMES,
    GLOB_NAMES,
    OF_LINES,
    PATH_NAME,
    PATH_NAMES,
    SPAN,
    Argument,
    Arguments,
    Named,
    Span,
    Table,
    Unreadable,
    every,
    left_out,
    read_arguments,
    span_in,
    span_of,
    texts,
    within,
)

_RANGE = re.compile(
    rf"(?P<path>.+?)(?:\s*+[:#(\[]\s*+|,?\s++|,)(?:lines?:?\s++)?{SPAN}(?::(?:\d{{1,9}}:?)?)?",
    re.IGNORECASE,
)
_LABEL = re.compile(r"(?:path|file)\s*:\s*", re.IGNORECASE)
_LONGEST = 4_000  # characters of a path and its lines

_FILES = Argument(PATH_NAMES | {""}, texts, begins=True)
_FOLDERS = Argument(PATH_NAMES | FOLDER_NAMES | {""}, texts, begins=True)
_GLOBS = Argument(GLOB_NAMES | {"pattern"}, texts)
_CHANGED = Argument(PATH_NAME, texts, begins=True)
_WORDS = Argument(
    {"description", "instruction", "instructions", "change", "changes", "edit", "task", "update"},
    texts,
)
_FILE = "write PATH or PATH:START-END, one per line"
_FOLDER = "write one PATH, or leave it empty for the root"
_CHANGE = "write the path on the first line, and below it what to change there"


@dataclass(frozen=True, slots=True)
class FileRequest:
    path: str
    lines: Span = ALL_LINES


@dataclass(frozen=True, slots=True)
class EditRequest:
    path: str
    description: str


def readings(line: str) -> tuple[FileRequest, ...]:
    """Return all meanings of the line. The first is a file whose name ends like a range."""
    bare = line.strip()
    found = _RANGE.fullmatch(bare) if len(bare) <= _LONGEST else None
    part = (FileRequest(found["path"], span_in(found)),) if found else ()
    return (FileRequest(bare), *part)


def named_files(text: str) -> Named | Unreadable | None:
    """Return the files that are given as named arguments, or None if the text has no names."""

    def lines(request: Arguments) -> list[str]:
        span = span_of(request)
        return [f"{path}:{span}" if span else path for path in request.all(_FILES)]

    return _plainly(text, (_FILES, *OF_LINES), lines, _FILE)


def named_folders(text: str) -> Named | Unreadable | None:
    def lines(request: Arguments) -> tuple[str, ...]:
        return within(request.all(_FOLDERS), request.all(_GLOBS)) or (".",)

    return _plainly(text, (_FOLDERS, _GLOBS), lines, _FOLDER)


def _plainly(
    text: str, table: Table, lines_of: Callable[[Arguments], Sequence[str]], hint: str
) -> Named | Unreadable | None:
    requests = read_arguments(text, table, hint)
    if isinstance(requests, Unreadable):
        return requests
    if not requests:
        return None
    lines = tuple(line for request in requests for line in lines_of(request))
    if not lines:
        return Unreadable(f"no path found: {hint}")
    return Named(lines, left_out(requests))


def read_edit_request(text: str) -> EditRequest | Unreadable:
    """Read a request to change a file: its path and a description of the change."""
    requests = read_arguments(text, (_CHANGED, _WORDS), _CHANGE)
    if isinstance(requests, Unreadable):
        return requests
    paths, words = every(requests, _CHANGED), every(requests, _WORDS)
    if len(requests) == len(paths) == 1 and words:
        return EditRequest(paths[0].strip(), "\n".join(words).strip())
    first, _, rest = text.strip().partition("\n")
    if not rest.strip():  # `src/x.py: make it so`
        first, _, rest = _LABEL.sub("", first, count=1).partition(": ")
    path = labelled_path(first)
    if not path or not rest.strip() or path.startswith(("{", "[")):
        return Unreadable(_CHANGE)
    return EditRequest(path, rest.strip())
