"""Find what a tool call searched for, and where: a call of our search tools, or a command.

A command is a search if all its programs only read: `grep -rn name src | head`, `find . -name
'x*'`, `ls`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from react_agent.parsers.shell.line import commands

_GREPS = ("grep", "egrep", "fgrep", "rg", "ag", "ack")
_READERS = ("cat", "head", "tail", "sed", "less", "wc", "stat", "nl", "test")
_HARMLESS = ("cd", "echo", "true", "xargs", "sort", "uniq", "pwd", "which")
_WITH_VALUE = ("-e", "-A", "-B", "-C", "-m", "-f", "-t", "-g", "-d")
_WRITES = re.compile(
    r"(?<![0-9&])>{1,2}(?!&|\s*/dev/null)|<<|\$\(|\btee\b|\bsed\b.*\s-i|-delete\b|-exec\b"
)
_NO_NAME = re.compile(r"\\[bBwWsSdD<>]|\.[*+?]|\[\^?[^\]]*\][*+]?")  # of a regular expression
_WORD = re.compile(r"[A-Za-z_$@][\w$./-]*[\w$]|--[a-z][\w-]+")
_KEYWORD = re.compile(
    r"(?i)(?:def|class|function|func|fn|import|from|const|let|var|struct|define|view|table|create"
    r"|interface|type|enum)"
)
_NOT_IMPORTED = re.compile(
    r"^(?:ModuleNotFoundError|ImportError): No module named '(?:[\w.]*\.)?(\w+)'", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Searched:
    names: tuple[str, ...]  # searched for
    places: tuple[str, ...] = ()  # where it searched; empty: everywhere
    by_name: bool = False  # it searched the names of files, not their text
    is_path: bool = False  # the names are paths to be shown
    is_module: bool = False  # it tried to import the name


@lru_cache(512)
def searched(tool: str, given: str) -> Searched | None:
    """Return what the call searched for, or None if it does more than search."""
    first, *rest = given.strip().split("\n")
    places = tuple(line[5:].strip() for line in rest if line.startswith("path:"))
    if tool == "grep":
        return Searched(_names(first), places)
    if tool == "list_files" and "**/" in first:
        folder, _, name = first.strip().rpartition("**/")
        return Searched((name,), (folder,) if folder else (), by_name=True)
    if tool in ("read_file", "list_files", "outline"):
        return Searched((re.sub(r":\d+(?:-\d*)?$", "", first.strip()),), is_path=True, by_name=True)
    if tool != "run" or _WRITES.search(given):
        return None
    found = [_of_command(command.words) for command in commands(given)]
    if None in found:
        return None
    looks = [one for one in found if one and one.names]
    alike = [one for one in looks if one.by_name == looks[0].by_name]
    names = tuple(dict.fromkeys(name for one in alike for name in one.names))
    places = tuple(dict.fromkeys(place for one in alike for place in one.places))
    return Searched(names, places, alike[0].by_name, alike[0].is_path) if alike else None


def not_imported(printed: str) -> Searched | None:
    """Return the module that Python could not import, as its last error says, or None."""
    found = _NOT_IMPORTED.findall(printed)
    return Searched((found[-1],), is_module=True) if found else None


def _names(pattern: str) -> tuple[str, ...]:
    """Return the words of a regular expression that can be names."""
    bare = _NO_NAME.sub(" ", pattern.replace("[-_]?", "_")).replace("_?", "_").replace("\\", "")
    words = (word if word[:2] == "--" else word.strip(".-") for word in _WORD.findall(bare))
    return tuple(dict.fromkeys(word for word in words if word and not _KEYWORD.fullmatch(word)))


def _of_command(words: Sequence[str]) -> Searched | None:
    """Return what a command searched for: None if it may do more, no names if it is no search."""
    name, given = words[0].rpartition("/")[2], words[1:]
    if name == "git" and given and given[0] in ("grep", "ls-files"):
        name, given = ("grep" if given[0] == "grep" else "ls"), given[1:]
    bare = tuple(word for word in _bare(given) if word not in (".", "./"))
    if name in _GREPS:
        kinds = (word.partition("=")[2] for word in given if word.startswith("--include="))
        return Searched(_names(bare[0]) if bare else (), (*bare[1:], *kinds))
    if name == "find":
        named = (
            value.replace("*", "").strip("/")
            for no, test, value in zip(("", *given), given, given[1:], strict=False)
            if test in ("-name", "-iname", "-path", "-ipath") and no not in ("-not", "!")
        )
        folders = takewhile(lambda word: not word.startswith(("-", "(", "!")), given)
        return Searched(tuple(named), tuple(word for word in folders if word != "."), by_name=True)
    if name == "ls":
        return Searched(bare, by_name=True, is_path=True)
    if name in _READERS:
        paths = [word for word in bare if not re.fullmatch(r"\d+(?:,\d+)?p?|\$p?", word)]
        return Searched(tuple(paths[-1:]), by_name=True, is_path=True)
    return Searched(()) if name in _HARMLESS else None


def _bare(given: Sequence[str]) -> Iterator[str]:
    """Yield the words without options and their values, except for the pattern of `-e`."""
    words = iter(given)
    for word in words:
        if not word.startswith("-"):
            yield word
        elif word in _WITH_VALUE and (value := next(words, "")) and word == "-e":
            yield value
