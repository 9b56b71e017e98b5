"""Which lines an edit takes out and brings in, as far as its text alone says it.

edit  = (path | mark | line)*
mark  = "<<<<<<< SEARCH" | "=======" | ">>>>>>> REPLACE" | "---" | "+++" | "@@" | "*** Update File:"

Nothing is repaired here: two edits are compared, and where a text can't be read there is nothing
to compare.
"""

import functools
import re
from collections.abc import Iterator
from typing import NamedTuple

_HEADER = re.compile(r"(?:---|\+\+\+|\*\*\* (?:Update|Add|Delete) File:|diff --git) +(?P<path>.+)")
_PATH = re.compile(r"[\w./@+-]*[\w@+-](?:\.\w+|/[\w.@+-]+)")
_SIDE = re.compile(r"(?:[ab]/|\./)")
_NULL = "/dev/null"
_BLANKS = re.compile(r"\s+")


class Changed(NamedTuple):
    paths: frozenset[str]
    removed: frozenset[str]
    added: frozenset[str]
    kept: frozenset[str]  # lines around them

    @property
    def place(self) -> frozenset[str]:
        """What the file is expected to hold there."""
        return self.removed or self.kept


@functools.lru_cache(1024)  # each edit is compared with those that follow
def changed_lines(text: str) -> Changed:
    kinds: dict[str, set[str]] = {"path": set(), "-": set(), "+": set(), " ": set()}
    for kind, words in _told(text):
        kinds[kind].add(words)
    both = kinds["-"] & kinds["+"]
    lines = (kinds["-"] - both, kinds["+"] - both, kinds[" "] | both)
    return Changed(frozenset(kinds["path"]), *map(frozenset, lines))


def _told(text: str) -> Iterator[tuple[str, str]]:
    side = ""  # of a block of old and new lines
    for line in text.split("\n"):
        mark = line[:7]
        if mark in ("<<<<<<<", "=======", ">>>>>>>"):
            side = {"<<<<<<<": "-", "=======": "+"}.get(mark, "")
        elif side:
            yield from _line(side, line)
        elif found := _HEADER.match(line):
            yield from _paths(found["path"])
        elif _PATH.fullmatch(line.strip()):
            yield from _paths(line.strip())
        elif line[:1] in ("-", "+", " ") and line[:1]:
            yield from _line(line[0], line[1:])


def _paths(written: str) -> Iterator[tuple[str, str]]:
    for word in written.split()[-1:]:
        if word != _NULL:
            yield "path", _SIDE.sub("", word, count=1)


def _line(kind: str, line: str) -> Iterator[tuple[str, str]]:
    """In any indentation and spacing; a blank line says nothing."""
    if words := _BLANKS.sub("", line):
        yield kind, words
