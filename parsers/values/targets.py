"""Read what a tool is asked for: files or lines of files, a change, an earlier step, a web page.

file   = path | path separator ["lines" [":"]] start [to end]       one per line
folder = path, with a glob                                as fields or an object only
change = ["path:"] path NEWLINE description
recall = step | words
step   = ["step" | "observation" | ...] ["#"] number [(":" | "lines") number ["-" number]]
page   = URL [["lines"] start [("-" | "to" | "..") end]]

separator = ":" | "#" | "," | " " | "(" | "["        start = ["L"] digits
to = "-" | ".." | "," | " " | "to"                   end = ["L"] digits | "end" | "$"
address = ("http" | "https") "://" host [":" port] [path] ["?" query]; https by default

Each may also be given in an object or in fields.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from react_agent.parsers.values.arguments import (
    ALL_LINES,
    FOLDER_NAMES,
    GLOB_NAMES,
    OF_LINES,
    PATH_NAME,
    PATH_NAMES,
    PATTERN_NAMES,
    REGEX_NAMES,
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
    unquoted,
    within,
)

_RANGE = re.compile(
    rf"(?P<path>.+?)(?:\s*+[:#(\[]\s*+|,?\s++|,)(?:lines?:?\s++)?{SPAN}(?::(?:\d{{1,9}}:?)?)?",
    re.IGNORECASE,
)

_LONGEST_PATH = 4_000  # characters of a path and its lines

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
    found = _RANGE.fullmatch(bare) if len(bare) <= _LONGEST_PATH else None
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
    from react_agent.parsers.patch.reading.path_line import labelled_path  # imports all of patch

    requests = read_arguments(text, (_CHANGED, _WORDS), _CHANGE)
    if isinstance(requests, Unreadable):
        return requests
    paths, words = every(requests, _CHANGED), every(requests, _WORDS)
    if len(requests) == len(paths) == 1 and words:
        return EditRequest(paths[0].strip(), "\n".join(words).strip())
    first, _, rest = text.strip().partition("\n")
    if not rest.strip():  # `src/x.py: make it so`
        first, _, rest = (paths[0] if paths else first).partition(": ")
    path = labelled_path(first)
    if not path or not rest.strip() or path.startswith(("{", "[")):
        return Unreadable(_CHANGE)
    return EditRequest(path, rest.strip())


_STEP = re.compile(
    r"(?:(?:steps?|observations?|results?|outputs?)\s*)?#?\s*(?P<step>\d{1,6})"
    rf"(?:(?:\s*:\s*|\s*,?\s*\(?lines?:?\s*){SPAN})?",
    re.IGNORECASE,
)
_RECALL = "write words, or the number of a step: 7, or 7:40-80 for lines of it"


@dataclass(frozen=True, slots=True)
class RecallRequest:
    query: str = ""
    step: int | None = None
    lines: Span | None = None  # None: all lines of the step
    left_out: tuple[str, ...] = ()  # names


def parse_recall_request(text: str) -> RecallRequest | Unreadable:
    requests = read_arguments(text, (_QUERIES, _NUMBER), _RECALL)
    if isinstance(requests, Unreadable):
        return requests
    if requests:  # written in one line
        words = every(requests, _NUMBER) or map(unquoted, every(requests, _QUERIES))
        text = " ".join(words)
    query, ignored = " ".join(unquoted(text.strip()).split()), left_out(requests)
    if not query:
        return Unreadable(f"nothing to search for: {_RECALL}")
    found = _step_in(query)
    if found is None:
        return RecallRequest(query, left_out=ignored)
    lines = span_in(found) if found["start"] else None
    return RecallRequest("", int(found["step"]), lines, ignored)


def _step_in(text: str) -> re.Match[str] | None:
    return _STEP.fullmatch(text.strip(" .:"))


def _number(value: object) -> list[str] | None:
    return [str(value)] if isinstance(value, (int, str)) and _step_in(str(value)) else None


_QUERIES = Argument(
    PATTERN_NAMES | REGEX_NAMES | {"words", "q", "input", "about", ""}, texts, begins=True
)
_NUMBER = Argument(
    {"step", "steps", "number", "n", "id", "observation", "stepnumber", "observations", "index"}
    | {""},
    _number,
    begins=True,
)


PORTS = {"http": 80, "https": 443}
_URL = re.compile(r"""[a-z][a-z0-9+.-]{0,30}://[^\s<>"'`]+""", re.IGNORECASE)
_BARE = re.compile(r"""(?i)(?<![\w-])(?<!\w\.)(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?(?:/[^\s<>"'`]*)?""")
_LINES = re.compile(rf"[\s)>`\"',:]*+(?:lines?:?\s*)?{SPAN}\s*", re.IGNORECASE)
_URLS = Argument(
    {"url", "link", "uri", "address", "page", "website", "href", ""}, texts, begins=True
)
_NOT_IN_ONE = re.compile(r"[\x00-\x20\x7f\\]")
_PATH_SAFE = "/%:@!$&'()*+,;=~-._?"
_LONGEST_URL = 2_000
_PAGE = "write URL, or URL lines 200-300"


@dataclass(frozen=True, slots=True)
class Address:
    scheme: str
    host: str  # in lower case, as in the request
    port: int
    target: str  # path and query

    @property
    def text(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = f":{self.port}" if self.port != PORTS[self.scheme] else ""
        return f"{self.scheme}://{host}{port}{self.target}"


@dataclass(frozen=True, slots=True)
class PageRequest:
    address: Address
    lines: Span = ALL_LINES


def parse_page_request(text: str) -> PageRequest | Unreadable:
    requests = read_arguments(text, (_URLS, *OF_LINES), _PAGE)
    if isinstance(requests, Unreadable):
        return requests
    for request in requests[:1]:
        text = f"{(*request.all(_URLS), '')[0]} {span_of(request) or ''}"
    found = _URL.search(text) or _BARE.search(text)
    if not found:
        return Unreadable(f"no URL found: {_PAGE}")
    url = found[0].rstrip(".,;:!")
    url = url.rstrip(")]") if "(" not in url and "[" not in url else url
    address = parse_address(url if "://" in url else f"https://{url}")
    if isinstance(address, Unreadable):
        return address
    lines = _LINES.fullmatch(text[found.start() + len(url) :])
    return PageRequest(address, span_in(lines) if lines else ALL_LINES)


def parse_address(url: str) -> Address | Unreadable:
    if len(url) > _LONGEST_URL or _NOT_IN_ONE.search(url):
        return Unreadable("not a valid URL: it is too long or contains a space")
    try:
        parts = urlsplit(url)
        host, port = _host(parts.hostname or ""), parts.port
        query = f"?{quote(parts.query, safe=_PATH_SAFE)}" if parts.query else ""
        path = quote(parts.path or "/", safe=_PATH_SAFE.replace("?", ""))
    except ValueError:  # also of half a character
        return Unreadable(f"{url[:80]} is not a valid URL: {_PAGE}")
    scheme = parts.scheme.lower()
    if scheme not in PORTS:
        return Unreadable(f"{scheme}: not supported, only http and https are")
    if "@" in parts.netloc:
        return Unreadable(
            "URLs with a user name or password are refused: write the URL without them"
        )
    if not host or port == 0:
        return Unreadable(f"{url[:80]} names no host: {_PAGE}")
    return Address(scheme, host, port or PORTS[scheme], path + query)


def _host(name: str) -> str:
    """Return the host in ASCII. Raises ValueError if it can't be a host."""
    bare = name.rstrip(".")
    if ":" in bare or not bare:
        return bare
    return bare.encode("idna").decode("ascii").lower()
