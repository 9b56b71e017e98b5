r"""JSON as models write it: strictly, then with what they get wrong where it can mean one thing.

value   = object | list | string | number | literal
object  = "{" [pair ("," pair)* [","]] "}"       pair = (string | name) ":" value
list    = "[" [value ("," value)* [","]] "]"
literal = true | false | null | True | False | None

The tokens are those of json_tokens.py. In a string, line ends may stand as they are; a backslash
that escapes nothing is one, and one before a quote of another kind goes. Refused: a missing comma,
a key twice, NaN and infinite numbers, 100 brackets in brackets, text behind the value.
"""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn

from react_agent.parsers.errors import ParseError
from react_agent.parsers.values.json_tokens import Token, tokens

_DEEPEST = 99
_FOUND = 60  # characters of what was found instead
_RAW = 200  # characters of the whole text
_BEFORE = Token("", "", 0)
_LITERALS = {"True": True, "False": False, "None": None}
_IN_STRING = re.compile(
    r"""\\(?P<valid>["\\/bfnrt]|u[0-9a-fA-F]{4})|\\(?P<quote>['“”‘’])|(?P<lone>\\)|["\0-\x1f]"""
)


@dataclass(frozen=True, slots=True)
class Json:
    value: object
    repairs: tuple[str, ...] = ()  # what strict JSON does not have


@dataclass(slots=True)
class _Cursor:
    text: str
    left: Iterator[Token]
    now: Token = _BEFORE
    depth: int = 0
    repairs: dict[str, None] = field(default_factory=dict)

    def take(self) -> Token:
        taken, self.now = self.now, next(self.left)
        while self.now.kind == "gap":
            if self.now.text.strip():
                self.mended("a comment")
            self.now = next(self.left)
        return taken

    def took(self, mark: str) -> bool:
        return self.now.text == mark and bool(self.take())

    def mended(self, what: str) -> None:
        self.repairs[what] = None

    def error(self, expected: str) -> ParseError:
        return _error(self.text, self.now, f"expected {expected}, found")


def read_json(text: str) -> Json:
    """Raises ParseError, which quotes the text."""
    if text.count("{") + text.count("[") <= _DEEPEST:
        try:
            return Json(_strictly(text))
        except ValueError:
            pass
    return _generously(text)


def _generously(text: str) -> Json:
    cursor = _Cursor(text, tokens(text))
    cursor.take()
    value = _value(cursor)
    if cursor.now.kind != "end":
        raise cursor.error("nothing behind the value")
    return Json(value, tuple(cursor.repairs))


def _value(cursor: _Cursor) -> object:
    token = cursor.now
    if token.text in ("{", "["):
        return _nested(cursor)
    if token.kind == "string":
        return _string(cursor)
    if token.text in _LITERALS:
        cursor.mended("True, False or None")
        return _LITERALS[cursor.take().text]
    try:
        value = _strictly(token.text)
    except ValueError:
        raise cursor.error("a value") from None
    cursor.take()
    return value


def _nested(cursor: _Cursor) -> object:
    if cursor.depth == _DEEPEST:
        raise cursor.error(f"at most {_DEEPEST} brackets in brackets")
    cursor.depth += 1
    value = _object(cursor) if cursor.took("{") else _list(cursor)
    cursor.depth -= 1
    return value


def _object(cursor: _Cursor) -> dict[str, object]:
    pairs: dict[str, object] = {}
    for _ in _members(cursor, "}"):
        at = cursor.now
        key = _key(cursor)
        if key in pairs:
            raise _error(cursor.text, at, "this key stands there twice:")
        if not cursor.took(":"):
            raise cursor.error("a colon")
        pairs[key] = _value(cursor)
    return pairs


def _list(cursor: _Cursor) -> list[object]:
    cursor.take()
    return [_value(cursor) for _ in _members(cursor, "]")]


def _members(cursor: _Cursor, end: str) -> Iterator[None]:
    """The cursor stands before each member in turn, and then behind the end."""
    while not cursor.took(end):
        yield
        if cursor.took(","):
            if cursor.now.text == end:
                cursor.mended("a comma behind the last member")
        elif cursor.now.text != end:
            raise cursor.error(f"a comma or {end}")


def _key(cursor: _Cursor) -> str:
    if cursor.now.kind == "string":
        return _string(cursor)
    if not cursor.now.is_name:
        raise cursor.error("a key in quotes")
    cursor.mended("a key without quotes")
    return cursor.take().text


def _string(cursor: _Cursor) -> str:
    raw = cursor.take().text
    if raw[0] != '"':
        cursor.mended("single quotes" if raw[0] == "'" else "typographic quotes")
    if "\n" in raw:
        cursor.mended("a line end in a string")
    if any(found["quote"] or found["lone"] for found in _IN_STRING.finditer(raw, 1, len(raw) - 1)):
        cursor.mended("a backslash that escapes nothing")
    return str(json.loads(f'"{_IN_STRING.sub(_escaped, raw[1:-1])}"'))


def _escaped(found: re.Match[str]) -> str:
    if found["valid"]:
        return found[0]
    return found["quote"] or json.dumps(found[0])[1:-1]


def _strictly(text: str) -> object:
    """Raises ValueError."""
    return json.loads(
        text, parse_constant=_refused, parse_float=_finite, object_pairs_hook=_distinct
    )


def _refused(word: str) -> NoReturn:
    raise ValueError(word)


def _finite(word: str) -> float:
    value = float(word)
    return value if math.isfinite(value) else _refused(word)


def _distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else _refused("a key twice")


def _error(text: str, token: Token, problem: str) -> ParseError:
    line = text.count("\n", 0, token.at) + 1
    found = _short(text[token.at :].split("\n", 1)[0], _FOUND) if token.text else "the end"
    said = "this never ends:" if token.kind == "open" else problem
    return ParseError(f"JSON, line {line}: {said} {found}; the text is {_short(text, _RAW)}")


def _short(text: str, most: int) -> str:
    return repr(text if len(text) <= most else text[: most - 3] + "...")
