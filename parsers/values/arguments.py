"""Read the named arguments of a tool, in an object or in fields, under the names that models use.

value    = JSON, if the text can only be JSON (damaged_json.py) | the text
requests = object | "[" (object | value) ("," (object | value))* [","] "]" | fields
fields   = (key ":" [blank text] NEWLINE (line NEWLINE)*)+      key = name of at most three words

A line without a known key belongs to the field above it. If no key is known, the text has fields
only if every line has a key. Keys are normalised: `Start-Line` means start_line.

Each tool defines a table of the arguments that it takes. A value is assigned to the first argument
that has its name and can read it. A value that no argument takes is left out and reported. Any
other text is plain, and is parsed by the tool's own grammar.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, TypeVar, cast

from react_agent.parsers.settings.errors import YES_OR_NO, ParseError
from react_agent.parsers.text.gist import clipped
from react_agent.parsers.values.damaged_json import insists_on_json, read_json

_Read = TypeVar("_Read")

Value = str | dict[str, object] | list[object]
Fields = tuple[tuple[str, str], ...]

PATH_NAME = frozenset({"path", "file", "filepath", "filename", "targetfile", "absolutepath"})
PATH_NAMES = PATH_NAME | {"paths", "files"}
FOLDER_NAMES = frozenset(
    {"folder", "folders", "dir", "directory", "directories", "in", "searchpath", "root"}
    | {"targetdirectory", "targetdirectories"}
)
GLOB_NAMES = frozenset({"glob", "globs", "include", "includes", "includepattern", "filepattern"})
PATTERN_NAMES = frozenset(
    {"pattern", "query", "search", "searchpattern", "searchterm", "keyword", "text"}
    | {"patterns", "queries", "searchterms", "keywords", "terms", "regexes"}
)
REGEX_NAMES = frozenset({"regex", "regexp"})  # holds a pattern, or whether the pattern is a regex

_FIELD = re.compile(r"(?P<key>[^\W\d][\w-]*+(?: [\w-]++){0,2}+)[ \t]*+:(?:[ \t]++(?P<text>.*))?")
_QUOTES = "\"'`"
_SHOWN = 200  # characters of the text as it was read
# A range of lines: `L10-L20`, `[10, 20]`, `10 to end`. To be used ignoring case.
SPAN = (
    r"[\[(]?\s*+L?(?P<start>\d{1,9})"
    r"(?:(?:\s*+(?:-|–|—|\.\.|,|\bto\b)|\s)\s*+(?:L?(?P<end>\d{1,9})|end|\$)?)?\s*+[\])]?"
)
_SPAN = re.compile(SPAN, re.IGNORECASE)
_LAST = 999_999_999
_BRACES = re.compile(r"([^{}]*)\{([^{},]*,[^{}]*)\}(.*)")
_MOST_ALTERNATIVES, _MOST_BRACES = 32, 20
_FLAGS = {**YES_OR_NO, "": True}
_BETWEEN_WORDS = {ord(mark): None for mark in "_- "}


def read_value(text: str) -> Value:
    """Return the JSON value or the text. Raises ParseError for bad text that can only be JSON."""
    if not insists_on_json(text):
        return text
    value = read_json(text.strip())
    return value if isinstance(value, (dict, list)) else text


def read_fields(text: str, known: Collection[str] = ()) -> Fields:
    found = list[tuple[str, list[str]]]()
    for line in text.strip("\n").split("\n"):
        field = _field(line)
        if field and (field[0] in known or not known):
            found.append((field[0], [field[1]]))
        elif found and (known or not line.strip()):
            found[-1][1].append(line)
        else:
            return ()
    return tuple((key, "\n".join(lines).strip("\n")) for key, lines in found)


def _field(line: str) -> tuple[str, str] | None:
    found = _FIELD.fullmatch(line.rstrip())
    if not found:
        return None
    return found["key"].casefold().replace("-", "_").replace(" ", "_"), found["text"] or ""


def folded_key(key: str) -> str:
    """Return the key in a normal form, the same for `action_input` and `actionInput`."""
    return key.casefold().translate(_BETWEEN_WORDS)


def unquoted(text: str) -> str:
    """Return the line without the quotes around it, if it has no quotes inside."""
    inner = text[1:-1]
    is_pair = len(text) > 1 and text[0] in _QUOTES and text[-1] == text[0]
    return inner if is_pair and not any(mark in inner for mark in f"{_QUOTES}\n") else text


def one_text(value: object) -> tuple[str] | None:
    return (value,) if isinstance(value, str) else None


def texts(value: object) -> tuple[str, ...] | None:
    """Return one or several texts, or None if the value contains anything else."""
    members = value if isinstance(value, list) else [value]
    read = tuple(member for member in members if isinstance(member, str) and member.strip())
    return read if read and len(read) == len(members) else None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The result for a model's text that can't be read. It is returned, not raised."""

    reason: str  # shown to the model as a repair hint


@dataclass(frozen=True, eq=False)
class Argument(Generic[_Read]):
    """An argument of a tool: its names, and a function that returns None for an invalid value."""

    names: Collection[str]  # folded; empty for a value in a list
    read: Callable[[object], Sequence[_Read] | None]
    begins: bool = False  # among fields, each of this name begins a request


Table = Sequence[Argument[Any]]


@dataclass(frozen=True, slots=True)
class Arguments:
    values: Mapping[Argument[Any], tuple[object, ...]]
    left_out: tuple[str, ...] = ()  # names

    def all(self, argument: Argument[_Read]) -> tuple[_Read, ...]:
        return cast("tuple[_Read, ...]", self.values[argument])


def read_arguments(
    text: str, table: Table, hint: str = "", *, of_lines: bool = False
) -> tuple[Arguments, ...] | Unreadable:
    """Return each request's arguments, or none for plain text. The hint is shown to the model.

    If the fields are texts `of_lines`, their lines are kept unchanged.
    """
    try:
        value = read_value(text)
    except ParseError as error:
        return Unreadable(f"{error}; {hint}" if hint else str(error))
    if not isinstance(value, str):
        members = value if isinstance(value, list) else [value]
        return tuple(arguments_of(member, table) for member in members)
    fields = [(key, unquoted(field)) for key, field in read_fields(text)]
    if of_lines:
        names = {name for argument in table for name in argument.names}
        found = (field[0] for line in text.split("\n") if (field := _field(line)))
        known = {key for key in found if folded_key(key) in names}
        fields = [*read_fields(text, known)] if known else []
    for heads in (argument.names for argument in table if argument.begins):
        starts = [at for at, (key, _) in enumerate(fields) if folded_key(key) in heads]
        if starts:
            bounds = zip([0, *starts[1:]], [*starts[1:], len(fields)], strict=True)
            return tuple(arguments_from(fields[start:end], table) for start, end in bounds)
    return ()


def arguments_of(value: object, table: Table) -> Arguments:
    """Return the arguments given by one member of a list."""
    return arguments_from(value.items() if isinstance(value, dict) else [("", value)], table)


def arguments_from(pairs: Iterable[tuple[str, object]], table: Table) -> Arguments:
    values: dict[Argument[Any], list[object]] = {argument: [] for argument in table}
    left = dict[str, None]()
    for name, value in pairs:
        key = folded_key(name)
        for argument in table:
            read = argument.read(value) if key in argument.names else None
            if read is not None:
                values[argument] += read
                break
        else:
            if value:  # an empty or false value is not reported
                left[name or str(value)] = None
    return Arguments({one: tuple(read) for one, read in values.items()}, tuple(left))


def every(requests: Iterable[Arguments], argument: Argument[_Read]) -> tuple[_Read, ...]:
    """Return the values of an argument from all requests."""
    return tuple(value for request in requests for value in request.all(argument))


def left_out(requests: Iterable[Arguments]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for request in requests for name in request.left_out))


@dataclass(frozen=True, slots=True)
class Named:
    """A request with named arguments, converted to the form without names."""

    lines: tuple[str, ...]
    left_out: tuple[str, ...] = ()  # names

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def said(self) -> str:
        names = clipped(" ".join(self.left_out), _SHOWN)
        left_out = f"; left out: {names}" if names else ""
        return f"read as {clipped(self.text.replace(chr(10), ', '), _SHOWN)}{left_out}"


@dataclass(frozen=True, slots=True)
class Span:
    """A range of lines, counted from 1."""

    start: int = 1
    end: int | None = None  # None: as many lines as are shown at once

    def __str__(self) -> str:
        return f"{self.start}-{self.end}" if self.end else f"{self.start}"


ALL_LINES = Span()


def span_from(start: int, end: int | None) -> Span:
    """Return a span of lines. A negative end means the end of the text."""
    first, last = min(max(start, 1), _LAST), min(end or 0, _LAST)
    return Span(*sorted((first, last))) if last > 0 else Span(first)


def span_in(found: re.Match[str]) -> Span:
    """Return the span that was matched by a pattern that contains SPAN."""
    return span_from(int(found["start"]), int(found["end"]) if found["end"] else None)


def spans(value: object) -> tuple[Span] | None:
    """Return the span for `10`, `"10-20"` or `[10, 20]`, or None for any other form."""
    if isinstance(value, str) and (found := _SPAN.fullmatch(value.strip().replace(":", "-"))):
        return (span_in(found),)
    members = value if isinstance(value, list) else [value]
    match [numbers(one) for one in members]:
        case [(int(start),)]:
            return (Span(start),)
        case [(int(start),), (int(end),)]:
            return (span_from(start, end),)
        case _:
            return None


def numbers(value: object) -> tuple[int] | None:
    if isinstance(value, str):
        found = _SPAN.fullmatch(value.strip())
        return (int(found["start"]),) if found and not found["end"] else None
    return (value,) if isinstance(value, int) and not isinstance(value, bool) else None


def flags(value: object) -> tuple[bool] | None:
    """Return whether the value means yes. An empty text means yes, too."""
    if isinstance(value, str):
        value = _FLAGS.get(value.strip().casefold())
    return (value,) if isinstance(value, bool) else None


LINES = Argument({"line", "lines", "range", "linerange", "viewrange", "linenumber"}, spans)
STARTS = Argument({"start", "startline", "linestart", "from", "fromline", "offset"}, numbers)
ENDS = Argument({"end", "endline", "lineend", "to", "toline"}, numbers)
COUNTS = Argument({"limit", "count", "numlines", "maxlines"}, numbers)
OF_LINES: Table = (LINES, STARTS, ENDS, COUNTS)


def span_of(arguments: Arguments) -> Span | None:
    whole = next(iter(arguments.all(LINES)), None)
    start = next(iter(arguments.all(STARTS)), whole.start if whole else None)
    end = next(iter(arguments.all(ENDS)), whole.end if whole else None)
    counts = [count for count in arguments.all(COUNTS) if count > 0]
    if end is None and counts:
        end = (start or 1) + counts[0] - 1
    return None if start is None and end is None else span_from(start or 1, end)


def alternatives(text: str) -> tuple[str, ...]:
    """Return the texts that a shell expands from `src/{a,b}.py`, or the text itself."""
    found = _BRACES.fullmatch(text) if text.count("{") <= _MOST_BRACES else None
    if not found:
        return (text,)
    before, parts, after = found.groups()
    made = (
        f"{before}{part.strip()}{rest}" for part in parts.split(",") for rest in alternatives(after)
    )
    return tuple(islice(made, _MOST_ALTERNATIVES))


def within(folders: Sequence[str], globs: Sequence[str]) -> tuple[str, ...]:
    """Return the globs or the folders. If both are given, return the globs within the folders."""
    folders = [each for one in folders for each in alternatives(one)]
    globs = [each for one in globs for each in alternatives(one)]
    named = [folder for folder in folders if folder not in (".", "./")]
    if globs and named:
        return tuple(f"{folder.rstrip('/')}/**/{glob}" for folder in named for glob in globs)
    return tuple(globs or named)
