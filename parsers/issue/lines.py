"""The lines of an issue, and which of them are code: in a fence, or indented as such."""

from collections.abc import Iterator
from dataclasses import dataclass

from react_agent.parsers.text.fence import Fence, follow
from react_agent.parsers.text.late_pattern import LatePattern

MOST = 300_000  # characters of an issue that are read
_LONGEST = 2_000  # of a line
_INDENTED = LatePattern(r"(?: {4}|\t)\s*(?![-*+] |\d+[.)] )\S")
_QUOTE = LatePattern(r"(?: {0,3}> ?){1,9}")


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    is_code: bool = False
    language: str = ""  # of its fence, lower-case


def lines_of(text: str) -> Iterator[Line]:
    """Without the lines of the fences."""
    fences = list[Fence]()
    for line in text[:MOST].split("\n"):
        bare = _unquoted(line[:_LONGEST])
        before = len(fences)
        follow(bare, fences)
        if len(fences) != before:
            continue
        language = fences[0].info.partition(" ")[0].casefold() if fences else ""
        yield Line(bare, bool(fences) or _INDENTED.match(bare) is not None, language)


def _unquoted(line: str) -> str:
    """As it was before somebody answered it."""
    found = _QUOTE.match(line)
    return line[found.end() :] if found else line
