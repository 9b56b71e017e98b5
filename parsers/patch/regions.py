r"""Where the lines of a text open a region between marks, and of which kind.

block    = "<<<<<<< SEARCH" | "------- SEARCH" | "<<<<<<<" [path]
         | "<<<<<<< HEAD" down to ">>>>>>> REPLACE" (UPDATED, NEW)
conflict = "<<<<<<< HEAD" (ours, a branch ...) down to ">>>>>>>" with any other word
"""

from collections.abc import Sequence
from enum import Enum, auto

from react_agent.parsers.block_marks import REPLACE, SEARCH
from react_agent.parsers.labelled_path import labelled_path, looks_like_path
from react_agent.parsers.late_pattern import LatePattern

CLOSING = LatePattern(r">{5,9}(?:[ \t]+(?P<word>\S.*)?)?")
_OLD = ("search", "original", "old", "before")
_OURS = ("head", "ours", "current", "mine", "local", "main", "master", "base")
_THEIRS = ("theirs", "incoming", "updated")


class Kind(Enum):
    BLOCK = auto()
    CONFLICT = auto()


def regions(lines: Sequence[str]) -> dict[int, Kind]:
    """The lines that open one, counted from 0."""
    found, closing = dict[int, Kind](), ""
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at].strip()
        if line[:5] == ">>>>>" and CLOSING.fullmatch(line):
            closing = line
        elif line[:5] in ("<<<<<", "-----") and (kind := _kind(lines[at].rstrip(), closing)):
            found[at] = kind
    return found


def indent_of(mark: str) -> str:
    return mark[: len(mark) - len(mark.lstrip(" \t"))]


def _kind(line: str, closing: str) -> Kind | None:
    mark = SEARCH.fullmatch(line.lstrip(" \t"))
    if not mark:
        return None
    word, path = (mark["word"] or "").casefold().rstrip(":>"), mark["path"] or ""
    if mark["dashes"] or word in _OLD:
        return Kind.BLOCK
    if line[:1] != "<":
        return None  # an indented one needs a word that says what it is
    if not (word or path) or (not word and looks_like_path(labelled_path(path))):
        return Kind.BLOCK
    is_apart = bool(word) or line.lstrip("<")[:1] in (" ", "\t")
    return _by_closing(f"{word}:{path}".strip(":").casefold(), closing) if is_apart else None


def _by_closing(said: str, closing: str) -> Kind | None:
    words = closing.lstrip(">").strip().casefold()
    if words and not words.startswith(_THEIRS) and REPLACE.fullmatch(closing):
        return Kind.BLOCK
    is_ours = said.partition(":")[0].split()[0] in _OURS
    return Kind.CONFLICT if is_ours or closing else None
