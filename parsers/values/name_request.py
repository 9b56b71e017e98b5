r"""Which file to find by its name, and below which folder.

request = (name NEWLINE)+ ("path:" folder NEWLINE)*   | object | "find" folder "-name" name
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from react_agent.parsers.errors import ParseError
from react_agent.parsers.unreadable import Unreadable
from react_agent.parsers.values.arguments import Parts, read_named, read_object, texts
from react_agent.parsers.values.commands import words

_NAMES = frozenset(
    {"name", "names", "filename", "file", "files", "filepath", "pattern", "query", "glob"}
    | {"search", "searchterm", "keyword", "regex"}
)
_FOLDERS = frozenset(
    {"path", "paths", "folder", "folders", "dir", "directory", "in", "searchpath"}
    | {"targetdirectory", "root"}
)
_PATH_LINE = re.compile(r"(?:paths?|in|folder|dir(?:ectory)?)\s*[:=]\s*(?P<path>.+)", re.IGNORECASE)
_PROGRAM = re.compile(r"(?:find|fd|fdfind|locate)\s+(?P<rest>.+)")
_SHELL_TAIL = re.compile(r"\s+(?:2>|\||-exec\b|-print|-o\s).*")
_NAMING = ("-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-g")
_WITH_VALUE = ("-type", "-maxdepth", "-mindepth", "-not", "-e", "-t")
_NONE = "there is no name: write a file's name, a part of it or a glob such as *.py"


@dataclass(frozen=True, slots=True)
class NameRequest:
    names: tuple[str, ...]
    folders: tuple[str, ...] = ()


def parse_name_request(text: str) -> NameRequest | Unreadable:
    try:
        named = read_object(text) or read_named(text, _NAMES)
    except ParseError as error:
        return Unreadable(f"{error}; write only the name, and path: FOLDER on a second line")
    request = _named(named[0]) if named else _written(text)
    return request if request.names else Unreadable(_NONE)


def _named(parts: Parts) -> NameRequest:
    names = tuple(one for several in parts.take(_NAMES, texts) for one in several)
    folders = tuple(one for several in parts.take(_FOLDERS, texts) for one in several)
    return NameRequest(names, folders) if names else NameRequest(folders)


def _written(text: str) -> NameRequest:
    names, folders = list[str](), list[str]()
    for line in filter(None, map(str.strip, text.split("\n"))):
        if found := _PATH_LINE.fullmatch(line):
            folders.append(_bare(found["path"]))
        elif program := _PROGRAM.fullmatch(_SHELL_TAIL.sub("", line)):
            asked = _typed(program["rest"])
            names += asked.names
            folders += asked.folders
        else:
            names.append(_bare(line))
    given, where = tuple(filter(None, names)), tuple(filter(None, folders))
    return NameRequest(given, where) if given else NameRequest(where)


def _typed(command: str) -> NameRequest:
    """What `find` is given; a folder stands before its options, a name behind one."""
    names, bare = list[str](), list[str]()
    rest = iter([word.text for word in words(command)])
    for word in rest:
        if word in _NAMING:
            names += _next(rest)
        elif word in _WITH_VALUE:
            next(rest, None)
        elif not word.startswith(("-", "(", "\\(")):
            bare.append(word)
    if names:
        return NameRequest(tuple(names), tuple(one for one in bare if one not in (".", "./", "/")))
    return NameRequest(tuple(bare[:1]), tuple(one for one in bare[1:] if one not in (".", "./")))


def _next(rest: Iterator[str]) -> list[str]:
    value = next(rest, "")
    return [value.strip("\"'")] if value else []


def _bare(text: str) -> str:
    return text.strip().strip("`'\"").strip()
