"""Compare two calls, two edits or two patches, ignoring differences in how they are written.

call  = the words of a failed call, ignoring case, spaces, quotes, backslashes, line numbers, `./`
        and the folders above a path
edit  = (path | mark | line)*           unreadable parts are ignored
mark  = "<<<<<<< SEARCH" | "=======" | ">>>>>>> REPLACE" | "---" | "+++" | "@@" | "*** Update File:"
patch = the set of its changed lines, ignoring spacing and quotes
"""

import functools
import re
from collections import defaultdict
from collections.abc import Iterator

from react_agent.parsers.repo.git_diff import read_git_diff
from react_agent.parsers.text.gist import one_line

_QUOTES = re.compile(r"[\"'`\\]+")
_LINE_NUMBERS = re.compile(r"(?<=[\w)]):\d+(?:[-:,]\d*)*$")  # after a path
_RANGE = re.compile(r"\d+[-,]\d+")
_LABEL = re.compile(r"(?:path|file|lines?|start|end|command|pattern|query)\s*[:=]\s*")
_WORD = re.compile(r"\w+")
_HEADER = re.compile(r"(?:---|\+\+\+|\*\*\* (?:Update|Add|Delete) File:|diff --git) +(?P<path>.+)")
_FILE = re.compile(r"[\w./@+-]*[\w@+-](?:\.\w+|/[\w.@+-]+)")
_SIDE = re.compile(r"(?:[ab]/|\./)")
_SPACES = re.compile(r"\s+")

ChangedLines = frozenset[tuple[str, str, str]]  # path, `+` or `-`, line


@functools.lru_cache(4096)  # each failed step is compared with all others
def loose_words(given: str) -> tuple[str, ...]:
    """Return the words of a call without marks and line numbers."""
    lines = _QUOTES.sub("", given.casefold()).split("\n")
    words = (word for line in lines for word in _LABEL.sub("", line).split())
    bare = (_LINE_NUMBERS.sub("", word) for word in words if not _RANGE.fullmatch(word))
    return tuple(filter(None, (word.removeprefix("./").rstrip("/,;:") for word in bare)))


@functools.lru_cache(4096)
def searched_words(given: str) -> tuple[str, ...]:
    """Return the words of a search without punctuation, which depends on how it was escaped."""
    return tuple(part for word in loose_words(given) for part in _WORD.findall(word))


def is_same_call(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return bool(one) and len(one) == len(other) and all(map(_is_same_word, one, other))


def _is_same_word(one: str, other: str) -> bool:
    """Return whether the words are equal, or are an absolute and a relative form of one path."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    return long.startswith("/") and not short.startswith("/") and long.endswith(f"/{short}")


def is_same_place(one: str, other: str) -> bool:
    """Return whether two edits name the same files and expect mostly the same lines."""
    (paths, lines), (other_paths, other_lines) = _place(one), _place(other)
    shared, most = len(lines & other_lines), max(len(lines), len(other_lines))
    return paths == other_paths and 2 * shared >= most > 0


@functools.lru_cache(1024)  # each edit is compared with those that follow
def _place(text: str) -> tuple[set[str], set[str]]:
    """Return the paths of an edit, and the lines that it expects to find in the files."""
    kinds = defaultdict[str, set[str]](set)
    for kind, words in _kinds_of(text):
        kinds[kind].add(_SPACES.sub("", words))
    kept = kinds[" "] | kinds["-"] & kinds["+"]
    return kinds["path"] - {"/dev/null", ""}, (kinds["-"] - kinds["+"] - {""}) or kept - {""}


def _kinds_of(text: str) -> Iterator[tuple[str, str]]:
    side = ""  # the side of a block of old and new lines
    for line in text.split("\n"):
        mark = line[:7]
        if mark in ("<<<<<<<", "=======", ">>>>>>>"):
            side = {"<<<<<<<": "-", "=======": "+"}.get(mark, "")
        elif side:
            yield side, line
        elif (found := _HEADER.match(line)) or _FILE.fullmatch(line.strip()):
            path = (found["path"] if found else line).split()[-1:]
            yield "path", _SIDE.sub("", "".join(path), count=1)
        elif line[:1] in ("-", "+", " "):
            yield line[0], line[1:]


def changed_lines(patch: str) -> ChangedLines:
    """Return the changed lines of a canonical git patch, without empty lines."""
    return frozenset(
        (file.path, sign, one_line(line.text).replace('"', "'"))
        for file in read_git_diff(patch)
        for sign, lines in (("-", file.removed), ("+", file.added))
        for line in lines
        if line.text.strip()
    )
