"""What a commit asks an agent for, in lines of its message.

    request   = "Agent:" verb? what, at the start of a line; indented lines below it belong to it
    what      = reference | file | text
    reference = #12 | OWNER/REPO#12 | URL
    file      = one word, or anything in quotes, that ends in .md, .markdown or .txt

A verb before a reference or a file says nothing; a text is kept as it is.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

_LABEL = re.compile(r"agent:", re.IGNORECASE)
_VERB = re.compile(
    r"(?:please )?(?:fix(?:es)?|solves?|resolves?|closes?|do|see|work on):? +(?=\S)", re.IGNORECASE
)
_REFERENCE = re.compile(r"(?:[\w.-]+(?:/[\w.-]+)+)?#[0-9]+|https?://\S+")
_FILE = re.compile(r"(?P<quote>[\"'`])(?P<quoted>.+)(?P=quote)|(?P<word>\S+)")
_SUFFIXES = (".md", ".markdown", ".txt")


class Kind(StrEnum):
    FILE = "file"
    REFERENCE = "reference"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Asked:
    kind: Kind
    words: str


def requests_in(message: str) -> tuple[Asked, ...]:
    """Each once, in order."""
    texts = (text for text in _texts(message) if text)
    return tuple(dict.fromkeys(map(_asked, texts)))


def _texts(message: str) -> Iterator[str]:
    lines: list[str] | None = None
    for line in message.split("\n"):
        if found := _LABEL.match(line):
            if lines:
                yield _joined(lines)
            lines = [line[found.end() :]]
        elif lines and line[:1] in (" ", "\t") and line.strip():
            lines.append(line)
        elif lines:
            yield _joined(lines)
            lines = None
    if lines:
        yield _joined(lines)


def _joined(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())


def _asked(text: str) -> Asked:
    what = _VERB.sub("", text, count=1).rstrip(".,;")
    if _REFERENCE.fullmatch(what):
        return Asked(Kind.REFERENCE, what)
    found = _FILE.fullmatch(what)
    name = (found["quoted"] or found["word"]) if found else ""
    if name.endswith(_SUFFIXES):
        return Asked(Kind.FILE, name.removeprefix("./"))
    return Asked(Kind.TEXT, text)
