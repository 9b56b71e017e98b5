"""What YAML writes between brackets or quotes, over one line or several.

flow   = "[" (flow ("," flow)* ","?)? "]"
       | "{" (key ":" flow? ("," key ":" flow?)* ","?)? "}"
       | quoted | plain
quoted = "'" ... "'" | '"' ... '"'      an end of line in it is a blank
plain  = text on one line, without what would end it
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from react_agent.parsers.settings.errors import ParseError, parse_error

Node: TypeAlias = "str | list[Node] | dict[str, Node]"

DEEPEST = 30
_BLANK = re.compile(r"(?:[ \t\n]|(?:(?<=\s)|^)#[^\n]*)*+")
_PLAIN = re.compile(r"(?:[^,\[\]{}\n#:]|:(?![\s,\[\]{}]|$)|(?<=\S)#)++")
_REFUSED = tuple("&*!|>@`%?")
_SINGLE = re.compile(r"[^'\n]++|''")
_DOUBLE = re.compile(r'[^"\\\n]++')
_CODE = re.compile(r"x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}")
_ESCAPES = {
    **dict(zip("ntr0abfve", "\n\t\r\0\a\b\f\v\x1b", strict=True)),
    **dict(zip('"\\/ ', '"\\/ ', strict=True)),
    "\n": "",
}


@dataclass(slots=True)
class Flow:
    """A cursor in a text that grows by a line where more is needed."""

    text: str
    line: int
    more: Callable[[], str | None]
    at: int = 0
    depth: int = 0

    def node(self) -> Node:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.error(f"no more than {DEEPEST} levels")
        found = self._node()
        self.depth -= 1
        return found

    def rest(self) -> str:
        return self.text[self.at :]

    def error(self, expected: str) -> ParseError:
        return parse_error(self.line, expected, self.rest().strip() or "the end")

    def _node(self) -> Node:
        match self._next():
            case "[":
                return self._sequence()
            case "{":
                return self._mapping()
            case _:
                return self._scalar()

    def _sequence(self) -> list[Node]:
        found: list[Node] = []
        self.at += 1
        while self._next() != "]":
            found.append(self.node())
            self._comma("]")
        self.at += 1
        return found

    def _mapping(self) -> dict[str, Node]:
        found: dict[str, Node] = {}
        self.at += 1
        while self._next() != "}":
            key = self._scalar()
            if key in found or self._next() != ":":
                raise self.error("a key, once, and ':'")
            self.at += 1
            found[key] = "" if self._next() in (",", "}") else self.node()
            self._comma("}")
        self.at += 1
        return found

    def _comma(self, end: str) -> None:
        if self._next() == ",":
            self.at += 1
        elif self._next() != end:
            raise self.error(f"',' or '{end}'")

    def _scalar(self) -> str:
        first = self._next()
        if first in ("'", '"'):
            self.at += 1
            return _single(self) if first == "'" else _double(self)
        found = _PLAIN.match(self.text, self.at)
        if found is None or first in _REFUSED:
            raise self.error("a value without anchor, alias or tag")
        self.at = found.end()
        return found[0].strip()

    def _next(self) -> str:
        """The next character that is neither blank nor in a comment."""
        while True:
            found = _BLANK.match(self.text, self.at)
            self.at = found.end() if found else self.at
            if self.at < len(self.text):
                return self.text[self.at]
            self.fill()

    def fill(self) -> None:
        if self.at < len(self.text):
            return
        line = self.more()
        if line is None:
            raise parse_error(self.line, "what closes this bracket or quote", "the end")
        self.text, self.at = f"\n{line}", 0
        self.line += 1


def _single(flow: Flow) -> str:
    parts = list[str]()
    while True:
        if found := _SINGLE.match(flow.text, flow.at):
            flow.at = found.end()
            parts.append("'" if found[0] == "''" else found[0])
        elif flow.text[flow.at : flow.at + 1] == "'":
            flow.at += 1
            return "".join(parts)
        else:
            _fold(flow, parts)


def _double(flow: Flow) -> str:
    parts = list[str]()
    while True:
        if found := _DOUBLE.match(flow.text, flow.at):
            flow.at = found.end()
            parts.append(found[0])
            continue
        character = flow.text[flow.at : flow.at + 1]
        if character == '"':
            flow.at += 1
            return "".join(parts)
        if character == "\\":
            parts.append(_escaped(flow))
        else:
            _fold(flow, parts)


def _escaped(flow: Flow) -> str:
    flow.at += 1
    flow.fill()
    if found := _CODE.match(flow.text, flow.at):
        flow.at = found.end()
        return chr(int(found[0][1:], 16))
    character = flow.text[flow.at : flow.at + 1]
    if character not in _ESCAPES:
        raise flow.error("an escape of YAML behind a backslash")
    flow.at += 1
    if character == "\n":
        _skip_blanks(flow)
    return _ESCAPES[character]


def _fold(flow: Flow, parts: list[str]) -> None:
    """An end of line, with the blanks around it."""
    flow.fill()
    flow.at += 1
    _skip_blanks(flow)
    before = parts.pop().rstrip() if parts else ""
    parts += [before, " "]


def _skip_blanks(flow: Flow) -> None:
    while flow.text[flow.at : flow.at + 1] in (" ", "\t"):
        flow.at += 1
