"""What a search of file contents shows, as values.

shown = HEADER (PATH NEWLINE (NUMBER "| " TEXT NEWLINE)*)*       lines in brackets are notes
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_NUMBERED = re.compile(r" *(\d+)[|:] (.*)")
_LEFT_OUT = re.compile(r"\bnot shown\b|\bleft out\b")


@dataclass(frozen=True, slots=True)
class FoundLine:
    path: str
    number: int
    text: str


def found_lines(shown: str) -> tuple[FoundLine, ...]:
    return tuple(_found(shown))


def is_all_of_it(shown: str) -> bool:
    """Whether the header says of no match that it is not shown."""
    return not _LEFT_OUT.search(shown.partition("\n")[0])


def _found(shown: str) -> Iterator[FoundLine]:
    path = ""
    for line in shown.split("\n")[1:]:
        if found := _NUMBERED.fullmatch(line):
            if path:
                yield FoundLine(path, int(found[1]), found[2])
        elif line and not line.startswith(("[", " ")):
            path = line
