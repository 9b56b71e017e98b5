"""The part of YAML that configurations of checks are written in; all else is refused.

document = "---"? node? "..."?
node     = mapping | sequence | scalar
mapping  = (key ":" value)+              all at one indent
sequence = ("-" (" " node)?)+            all at one indent
value    = a scalar on that line, or a node deeper down; a sequence may stand as deep as its key
scalar   = plain, over deeper lines too | quoted | flow | ("|" | ">") ("-" | "+")? and deeper lines

Every scalar is its text: `true` is "true", nothing is "". Refused: anchors, aliases, merges, tags,
tabs as an indent, a second document, a key that comes twice.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from react_agent.parsers.settings.errors import ParseError, parse_error
from react_agent.parsers.settings.yaml_flow import DEEPEST, Flow, Node

__all__ = ["Node", "read_yaml"]

MOST_CHARACTERS = 200_000
MOST_LINES = 5_000
_FIRST_OF_KEY = re.compile(r"[\w.$/+~(<-]")
_BLOCK = re.compile(r"(?P<kind>[|>])(?P<chomp>[-+]?)[ \t]*(?:#.*)?")
_ENDS = re.compile(r"\n++(?! )")
_COMMENT = re.compile(r"(?:^|[ \t])#.*")
_REFUSED = tuple("&*!@`%,]}?")
_NOTHING = ("~", "null", "Null", "NULL")


class _Line(NamedTuple):
    number: int
    indent: int
    text: str  # behind it, without what stands after it

    @property
    def is_item(self) -> bool:
        return self.text == "-" or self.text.startswith("- ")

    @property
    def pair(self) -> tuple[str, str] | None:
        """Its key, and what stands behind that."""
        quote = self.text[0] if self.text[0] in "'\"" else ""
        end = self.text.find(quote, 1) + 1 if quote else self.text.find(":")
        key, rest = self.text[:end].rstrip(), self.text[end:].lstrip()
        is_key = key[1:-1] if quote else _FIRST_OF_KEY.match(key) and "#" not in key
        if end < 1 or not is_key or "\\" in key or not f"{rest} ".startswith((": ", ":\t")):
            return None
        return (key[1:-1] if quote else key), rest[1:].strip()

    def error(self, expected: str) -> ParseError:
        return parse_error(self.number, expected, self.text)


@dataclass(slots=True)
class _Lines:
    """A cursor."""

    lines: list[str]
    at: int = 0
    depth: int = 0

    def head(self) -> _Line | None:
        """The next line that is neither blank nor a comment."""
        while self.at < len(self.lines):
            line = self.lines[self.at].rstrip()
            text = line.lstrip(" ")
            if text.startswith("\t") and text.strip():
                raise parse_error(self.at + 1, "an indent of blanks, not of tabs", text)
            if text and not text.startswith("#"):
                return _Line(self.at + 1, len(line) - len(text), text)
            self.at += 1
        return None

    def deeper(self, least: int) -> _Line | None:
        head = self.head()
        return head if head and head.indent >= least else None

    def take(self) -> str | None:
        """The next line, whatever it is."""
        if self.at == len(self.lines):
            return None
        self.at += 1
        return self.lines[self.at - 1]


def read_yaml(text: str) -> Node:
    """Raises ParseError."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    if len(text) > MOST_CHARACTERS or len(lines) > MOST_LINES:
        most = f"at most {MOST_LINES:,} lines and {MOST_CHARACTERS:,} characters"
        raise ParseError(f"expected {most}, found {len(lines):,} and {len(text):,}")
    cursor = _Lines(list(_one_document(lines)))
    found = _node(cursor, 0)
    if head := cursor.head():
        raise head.error("the end, or a line that belongs to what is above it")
    return found


def _one_document(lines: list[str]) -> Iterator[str]:
    """Marks of its beginning and its end as blank lines."""
    is_begun = is_over = False
    for number, line in enumerate(lines, 1):
        bare = _COMMENT.sub("", line).rstrip()
        is_mark = bare in ("---", "...")
        if (is_over and bare) or (bare == "---" and is_begun):
            raise parse_error(number, "one document", line)
        is_begun = is_begun or bool(bare)
        is_over = is_over or bare == "..."
        yield "" if is_mark else line


def _node(lines: _Lines, least: int) -> Node:
    head = lines.deeper(least)
    if head is None:
        return ""
    lines.depth += 1
    if lines.depth > DEEPEST:
        raise head.error(f"no more than {DEEPEST} levels")
    if head.is_item:
        found: Node = _sequence(lines, head.indent)
    elif head.pair:
        found = _mapping(lines, head.indent)
    else:
        lines.at += 1
        found = _scalar(lines, head, head.text, least)
    lines.depth -= 1
    return found


def _mapping(lines: _Lines, indent: int) -> dict[str, Node]:
    found: dict[str, Node] = {}
    while (head := lines.deeper(indent)) and not (head.indent == indent and head.is_item):
        if head.indent > indent or head.pair is None:
            raise head.error(f"a key and ':' behind {indent} blanks")
        key, rest = head.pair
        if key in found or key == "<<":
            raise head.error("each key once, and no merges")
        lines.at += 1
        found[key] = _value(lines, head, rest)
    return found


def _value(lines: _Lines, head: _Line, rest: str) -> Node:
    if rest and not rest.startswith("#"):
        return _scalar(lines, head, rest, head.indent + 1)
    below = lines.deeper(head.indent)
    if below and below.indent == head.indent and below.is_item:
        return _sequence(lines, head.indent)
    return _node(lines, head.indent + 1)


def _sequence(lines: _Lines, indent: int) -> list[Node]:
    found: list[Node] = []
    while (head := lines.deeper(indent)) and (head.is_item or head.indent > indent):
        if head.indent > indent:
            raise head.error(f"'-' behind {indent} blanks")
        rest = head.text[1:]
        lines.lines[lines.at] = " " * (indent + 1) + rest  # what the item holds stands deeper
        found.append(_node(lines, indent + 1))
    return found


def _scalar(lines: _Lines, head: _Line, text: str, least: int) -> Node:
    """What begins on a line; the cursor is behind it."""
    if found := _BLOCK.fullmatch(text):
        return _block(lines, found["kind"] == ">", found["chomp"], least)
    if text.startswith(("[", "{", "'", '"')):
        flow = Flow(text, head.number, lines.take)
        node = flow.node()
        if _COMMENT.sub("", flow.rest()).strip():
            raise flow.error("nothing more on this line")
        return node
    if text.startswith((*_REFUSED, "|", ">")):
        raise head.error("a value without anchor, alias or tag")
    return _plain(lines, head, text, least)


def _plain(lines: _Lines, head: _Line, text: str, least: int) -> str:
    parts = [_bare(head, text)]
    while more := lines.deeper(least):
        parts.append(_bare(more, more.text))
        lines.at += 1
    found = " ".join(parts)
    return "" if found in _NOTHING else found


def _bare(head: _Line, text: str) -> str:
    text = _COMMENT.sub("", text).strip()
    if ": " in text or text.endswith(":"):
        raise head.error("a value without ': ' in it, or quotes around it")
    return text


def _block(lines: _Lines, is_folded: bool, chomp: str, least: int) -> str:
    taken = list[str]()
    while lines.at < len(lines.lines):
        line = lines.lines[lines.at]
        if line.strip() and len(line) - len(line.lstrip(" ")) < least:
            break
        taken.append(line)
        lines.at += 1
    margin = next((len(line) - len(line.lstrip(" ")) for line in taken if line.strip()), 0)
    body = "\n".join(line[margin:] if line.strip() else "" for line in taken)
    kept = body if chomp == "+" else body.rstrip("\n")
    kept = _folded(kept) if is_folded else kept
    return kept + ("\n" if kept and chomp != "-" and not kept.endswith("\n") else "")


def _folded(text: str) -> str:
    """Lines become one; an empty line, or one that stands deeper, is an end of line."""
    return _ENDS.sub(lambda found: found[0][1:] or " ", text)
