r"""What is asked of git's history, as it is typed in a shell.

request = [["git"] command] (option | word)* ["--" path*]     one line, or several
        | field+ among such lines       field = ("path" | "rev" | ...) ":" text
        | an object of fields

Which word is a path and which a revision is asked of whoever knows the files.
"""

import re
import shlex
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from react_agent.parsers.errors import ParseError
from react_agent.parsers.named_parts import Parts, read_object
from react_agent.parsers.payload import folded_key, unquoted
from react_agent.parsers.unreadable import Unreadable
from react_agent.parsers.words import words

_COMMAND = re.compile(r"\s*(?:git\s+(?:--no-pager\s+)?(?:log|show|blame|annotate|whatchanged)\b)")
_FENCE = re.compile(r"\s*(?:```|~~~)\w*\s*")
_SHELL_TAIL = re.compile(r"\s+(?:\||2>|&&|;)\s*.*")
_FIELD = re.compile(r"\s*(?P<key>[A-Za-z][A-Za-z_-]*)\s*:\s+(?P<text>\S.*)")
_NUMBER = re.compile(r"-(?P<number>\d{1,9})")
_GLUED = re.compile(r"(?P<name>-[nSGL])(?P<value>.+)", re.DOTALL)
_LONG = re.compile(r"(?P<name>--[a-z][a-z-]*)=(?P<value>.*)", re.DOTALL)

_PATHS = frozenset({"path", "paths", "file", "files", "filepath", "filename", "folder", "dir"})
_REVISIONS = frozenset({"rev", "revision", "commit", "sha", "hash", "id", "ref", "commitid"})
_LINES = frozenset({"line", "lines", "range", "linerange"})
_STARTS = frozenset({"start", "startline", "from", "fromline"})
_ENDS = frozenset({"end", "endline", "to", "toline"})
_VALUED = {
    "-n": "n", "--max-count": "n", "--skip": "skip", "-S": "S", "-G": "G", "-L": "L",
    "--grep": "grep", "--author": "author", "--since": "since", "--after": "since",
    "--until": "until", "--before": "until",
}  # fmt: skip
_FLAGS = {
    "-p": "p", "-u": "p", "--patch": "p", "-i": "i", "--regexp-ignore-case": "i",
    "--merges": "merges", "--no-merges": "no-merges", "--reverse": "reverse",
}  # fmt: skip
_NEEDLESS = frozenset(
    {"--oneline", "--follow", "--no-pager", "--no-color", "--abbrev-commit", "-s", "--no-patch"}
    | {"--porcelain", "--stat", "-M"}
)
_BEYOND = frozenset(
    {"--all", "--reflog", "-g", "--walk-reflogs", "--branches", "--tags", "--remotes", "--glob"}
    | {"--stdin", "--alternate-refs", "--bisect", "--exclude", "--not"}
)
_NAMED = {
    "n": "n", "limit": "n", "count": "n", "maxcount": "n", "number": "n", "num": "n",
    "skip": "skip", "s": "S", "pickaxe": "S", "g": "G", "grep": "grep", "message": "grep",
    "author": "author", "since": "since", "after": "since", "until": "until", "before": "until",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class HistoryRequest:
    words: tuple[str, ...] = ()  # revisions and paths
    paths: tuple[str, ...] = ()  # what is nothing else
    options: tuple[tuple[str, str], ...] = ()  # by one name each; a flag has no value
    left_out: tuple[str, ...] = ()
    beyond: tuple[str, ...] = ()  # options that reach past the history of one commit

    def values(self, name: str) -> tuple[str, ...]:
        return tuple(value for known, value in self.options if known == name)

    def has(self, name: str) -> bool:
        return any(known == name for known, _ in self.options)


@dataclass(slots=True)
class _Read:
    """What was collected so far."""

    words: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    options: list[tuple[str, str]] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    beyond: list[str] = field(default_factory=list)


def parse_history_request(text: str, known: Collection[str]) -> HistoryRequest | Unreadable:
    """`known` are the options that count; others are left out."""
    try:
        objects = read_object(text)
    except ParseError as error:
        return Unreadable(str(error))
    read = _Read()
    if len(objects) == 1:
        _take_object(objects[0], read)
    else:
        for line in text.split("\n"):
            if not _FENCE.fullmatch(line):
                _take_line(line, read)
    return _settled(read, known)


def _settled(read: _Read, known: Collection[str]) -> HistoryRequest:
    given = [one for one in read.options if one[1] or one[0] in _FLAGS.values()]
    counts = [(name, value) for name, value in given if name in known]
    others = [f"{name} {value}".strip() for name, value in given if name not in known]
    return HistoryRequest(
        tuple(read.words),
        tuple(read.paths),
        tuple(counts),
        tuple(dict.fromkeys((*read.left_out, *others))),
        tuple(dict.fromkeys(read.beyond)),
    )


def _take_object(parts: Parts, read: _Read) -> None:
    read.words += [word for several in parts.take(_REVISIONS, _texts) for word in several]
    spans = [span for several in parts.take(_LINES, _span) for span in several]
    starts, ends = parts.take(_STARTS, _text), parts.take(_ENDS, _text)
    if starts or ends:
        spans.append("-".join((*(starts[:1] or ("1",)), *ends[:1])))
    paths = [path for several in parts.take(_PATHS, _texts) for path in several]
    read.paths += [f"{path}:{spans[0]}" for path in paths] if spans else paths
    for key, name in _NAMED.items():
        read.options += [(name, value) for value in parts.take((key,), _text)]
    for part in list(parts.left):
        if not part.name and isinstance(part.value, str):
            read.words.append(part.value)
            parts.left.remove(part)
    read.left_out += parts.names


def _texts(value: object) -> tuple[str, ...] | None:
    members = value if isinstance(value, list) else [value]
    return tuple(member.strip() for member in members if isinstance(member, str)) or None


def _text(value: object) -> str | None:
    return str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) else None


def _span(value: object) -> tuple[str, ...] | None:
    members = value if isinstance(value, list) else [value]
    return ("-".join(str(member) for member in members),) if members else None


def _take_line(line: str, read: _Read) -> None:
    named = _FIELD.fullmatch(line)
    key = folded_key(named["key"]) if named else ""
    value = unquoted(named["text"].strip()) if named else ""
    if key in _PATHS:
        read.paths.append(value)
    elif key in _REVISIONS:
        read.words.append(value)
    elif key in _LINES and read.paths:
        read.paths[-1] += f":{value}"
    elif key in _NAMED:
        read.options.append((_NAMED[key], value))
    else:
        _take_typed(_SHELL_TAIL.sub("", _COMMAND.sub("", line)).strip(), read)


def _take_typed(line: str, read: _Read) -> None:
    if len(line) > 1 and line[0] == line[-1] == "`":
        line = line.strip("`")
    given = iter(_split(line))
    for word in given:
        if word == "--":
            read.paths += given
        elif word.startswith("-") and word != "-":
            _take_option(word, given, read)
        else:
            read.words.append(word)


def _split(line: str) -> list[str]:
    """As a shell parts it, but that backslashes stay: a pattern needs them."""
    lexer = shlex.shlex(line, posix=True)
    lexer.whitespace_split, lexer.escape, lexer.commenters = True, "", ""
    try:
        return list(lexer)
    except ValueError:  # a quote that is never closed
        return [word.text for word in words(line)]


def _take_option(word: str, rest: Iterator[str], read: _Read) -> None:
    name, value = _parted(word)
    if name in _BEYOND:
        read.beyond.append(word)
    elif name in _VALUED:
        given = value if value is not None else next(rest, "")
        read.options.append((_VALUED[name], given))
    elif name in _FLAGS:
        read.options.append((_FLAGS[name], ""))
    elif name not in _NEEDLESS:
        read.left_out.append(word)


def _parted(word: str) -> tuple[str, str | None]:
    """The option's name, and the value that stands in the same word."""
    if number := _NUMBER.fullmatch(word):
        return "-n", number["number"]
    for shape in (_LONG, _GLUED):
        if found := shape.fullmatch(word):
            return found["name"], found["value"]
    return word, None
