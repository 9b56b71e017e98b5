"""The lines of a procedure's file, as entries.

file    = (entry | comment | blank)*
entry   = indent key ":" text, with what stands deeper below it:
          of a section its entries, of any other more of its text, as it stands there
section = "procedure" and "state", within a state "role NAME"
comment = indent "#" text          where an entry may begin
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from react_agent.parsers.settings.errors import ParseError

ROLE = "role "
_SHOWN = 60
_SECTIONS: tuple[Callable[[str], bool], ...] = (  # by how deep they stand
    lambda key: key in ("procedure", "state"),
    lambda key: key.startswith(ROLE),
)


class Entry(NamedTuple):
    line: int
    key: str
    text: str
    inner: tuple["Entry", ...] = ()


class _Line(NamedTuple):
    number: int
    indent: int
    text: str  # behind it

    @property
    def is_blank(self) -> bool:
        return not self.text


@dataclass(slots=True)
class Lines:
    """A cursor; `error` says where it was."""

    source: str
    lines: list[_Line]
    at: int = 0
    depth: int = field(default=0)  # of sections that are open

    def next_deeper(self, indent: int) -> _Line | None:
        """The next line, unless it is a remark, that stands deeper."""
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if not line.is_blank and not line.text.startswith("#"):
                return line if line.indent > indent else None
            self.at += 1
        return None

    def take_text(self, indent: int) -> list[_Line]:
        """All that stands deeper, remarks too; blank lines at its end are none of it."""
        end = self.at
        for place in range(self.at, len(self.lines)):
            line = self.lines[place]
            if not line.is_blank and line.indent <= indent:
                break
            end = end if line.is_blank else place + 1
        taken = self.lines[self.at : end]
        self.at = end
        return taken


def file_error(source: str, line: int, expected: str, found: str) -> ParseError:
    shown = found if len(found) <= _SHOWN else found[: _SHOWN - 3] + "..."
    return ParseError(f"{source}:{line}: expected {expected}, found {shown}")


def read_entries(text: str, source: str) -> tuple[Entry, ...]:
    """Raises ParseError."""
    lines = [_line(number, line) for number, line in enumerate(text.split("\n"), 1)]
    return tuple(_entries(Lines(source, lines), -1))


def as_written(text: str) -> str:
    """A text that is read back as it is: nothing around it, and nothing at the end of its lines."""
    return "\n".join(line.rstrip() for line in text.strip().split("\n"))


def _line(number: int, line: str) -> _Line:
    bare = line.rstrip()
    text = bare.lstrip(" ")
    return _Line(number, len(bare) - len(text), text)


def _entries(lines: Lines, indent: int) -> Iterator[Entry]:
    while head := lines.next_deeper(indent):
        yield _entry(lines, head)


def _entry(lines: Lines, head: _Line) -> Entry:
    lines.at += 1
    key, colon, rest = head.text.partition(":")
    if not colon or not key.strip() or key[0].isspace():
        raise file_error(lines.source, head.number, "`KEY: VALUE`", _quoted(head.text))
    key = " ".join(key.split())
    if lines.depth < len(_SECTIONS) and _SECTIONS[lines.depth](key):
        lines.depth += 1
        inner = tuple(_entries(lines, head.indent))
        lines.depth -= 1
        return Entry(head.number, key, rest.strip(), inner)
    return Entry(head.number, key, _text(rest, lines.take_text(head.indent)))


def _text(first: str, more: list[_Line]) -> str:
    margin = min((line.indent for line in more if not line.is_blank), default=0)
    below = (" " * max(line.indent - margin, 0) + line.text for line in more)
    return as_written("\n".join((first.strip(), *below)))


def _quoted(text: str) -> str:
    return repr(text)
