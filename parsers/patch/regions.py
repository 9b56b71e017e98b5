r"""Where the lines of a text open a region between marks, and of which kind.

block    = "<<<<<<< SEARCH" | "------- SEARCH" | "<<<<<<<" [path]
         | "<<<<<<< HEAD" down to ">>>>>>> REPLACE" (UPDATED, NEW)
conflict = "<<<<<<< HEAD" (ours, a branch ...) down to ">>>>>>>" with any other word
"""

import re
from collections.abc import Sequence
from enum import Enum, auto

from react_agent.parsers.block_marks import REPLACE, SEARCH
from react_agent.parsers.labelled_path import labelled_path, looks_like_path

CLOSING = re.compile(r">{5,9}(?:[ \t]+(?P<word>\S.*)?)?")
_OLD = ("search", "original", "old", "before")
_OURS = ("head", "ours", "current", "mine", "local", "main", "master", "updated upstream", "base")
_THEIRS = ("theirs", "incoming", "updated")


class Kind(Enum):
    BLOCK = auto()
    CONFLICT = auto()


def regions(lines: Sequence[str]) -> dict[int, Kind]:
    """The lines that open one, counted from 0."""
    found, closing = dict[int, Kind](), ""
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at].rstrip()
        if line[:1] == ">" and CLOSING.fullmatch(line):
            closing = line
        elif line[:1] in ("<", "-") and (kind := _kind(line, closing)):
            found[at] = kind
    return found


def _kind(line: str, closing: str) -> Kind | None:
    mark = SEARCH.fullmatch(line)
    if not mark:
        return None
    word = (mark["word"] or "").casefold().rstrip(":>")
    path = mark["path"] or ""
    if mark["dashes"] or word in _OLD or not (word or path):
        return Kind.BLOCK
    said = f"{word} {path}".strip().casefold()
    if not word and looks_like_path(labelled_path(path)) and not said.startswith(_OURS):
        return Kind.BLOCK
    if not line.lstrip("<").startswith((" ", "\t")) and not word:
        return None
    return _by_closing(said, closing)


def _by_closing(said: str, closing: str) -> Kind | None:
    words = closing.lstrip(">").strip().casefold()
    if said.startswith(_OURS):
        is_theirs = words.startswith(_THEIRS) or not words or not REPLACE.fullmatch(closing)
        return Kind.CONFLICT if is_theirs else Kind.BLOCK
    return Kind.CONFLICT if closing else None
