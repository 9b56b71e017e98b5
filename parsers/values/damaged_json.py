r"""JSON as models write it: strictly, then with what they get wrong where it can mean one thing.

value   = object | list | string | number | literal
object  = "{" [pair ("," pair)* [","]] "}"       pair = (string | name) ":" value
list    = "[" [value ("," value)* [","]] "]"
literal = true | false | null | True | False | None

In a string, line ends may stand as they are; a backslash that escapes nothing is one, and one
before a quote of another kind goes. Refused: a missing comma, a key twice, NaN and infinite
numbers, 100 brackets in brackets, text behind the value.

token   = gap | mark | string | word | open | stray
gap     = (blank | "//" or "#" to the end of its line | "/*" ... "*/")+
mark    = "{" | "}" | "[" | "]" | ":" | ","
string  = between two of ", two of ', “ and ”, or ‘ and ’; a backslash takes one more along
word    = letters, digits and _ $ + - .               a number, a literal, or a name
open    = the first mark of a string or comment without its end; the last token
stray   = any other character

What begins with a bracket is no value but a pattern, a command or a template, unless it goes on as
only JSON and the literals of programming languages do:

insists = bracket* "{" string ":"  |  bracket* "{" name ":" (string | "{" | "[" | number | literal)
        | bracket+ (string | number) ("," | "]")

A list only if nothing follows it, and no bracket closes in its first string before one opens.
"""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn

from react_agent.parsers.settings.errors import ParseError

_TOKEN = re.compile(
    r"(?P<gap>(?:\s++|//[^\n]*+|\#[^\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/)++)"
    r"|(?P<mark>[{}\[\]:,])"
    r"""|(?P<string>"(?:[^"\\]++|\\.)*+"|'(?:[^'\\]++|\\.)*+'"""
    r"|[“”](?:[^“”\\]++|\\.)*+[“”]|[‘’](?:[^‘’\\]++|\\.)*+[‘’])"
    r"|(?P<word>[\w$+.-]++)"
    r"""|(?P<open>["'“”‘’]|/\*)"""
    r"|(?P<stray>.)",
    re.DOTALL,
)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?")
_NAME = re.compile(r"[^\W\d][\w-]*+")
_LITERALS = ("true", "false", "null", "True", "False", "None")
_DEEPEST = 99
_FOUND = 60  # characters of what was found instead
_RAW = 200  # characters of the whole text
_OF_PYTHON = {"True": True, "False": False, "None": None}
_IN_STRING = re.compile(
    r"""\\(?P<valid>["\\/bfnrt]|u[0-9a-fA-F]{4})|\\(?P<quote>['“”‘’])|(?P<lone>\\)|["\0-\x1f]"""
)


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str
    at: int

    @property
    def is_number(self) -> bool:
        return self.kind == "word" and _NUMBER.fullmatch(self.text) is not None

    @property
    def is_name(self) -> bool:
        return self.kind == "word" and _NAME.fullmatch(self.text) is not None


_BEFORE = Token("", "", 0)


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
    if token.text in _OF_PYTHON:
        cursor.mended("True, False or None")
        return _OF_PYTHON[cursor.take().text]
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


def tokens(text: str) -> Iterator[Token]:
    """All of them, gaps too, up to one that is open, which is the last; then one of kind `end`."""
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup or ""
        yield Token(kind, found[0], found.start())
        if kind == "open":
            break
    yield Token("end", "", len(text))


def closing(text: str) -> int | None:
    """Where the bracket that the text begins with closes; none if it is open at the end.

    The kinds of brackets are not told apart: `{"a": [1}}` closes, and is refused when it is read.
    """
    depth = 0
    for found in _TOKEN.finditer(text):
        if found[0] in ("{", "["):
            depth += 1
        elif found[0] in ("}", "]"):
            depth -= 1
            if depth <= 0:
                return found.start()
        elif found.lastgroup == "open":
            break
    return None


def insists_on_json(text: str) -> bool:
    bare = text.strip()
    if not bare.startswith(("{", "[")):
        return False
    found = (token for token in tokens(bare) if token.kind != "gap")
    first = next(found)
    while first.text == "[":
        first = next(found)
    if first.text == "{":
        return _is_object(*(next(found, first) for _ in range(3)))
    return _is_list(first, next(found, first)) and closing(bare) in (None, len(bare) - 1)


def _is_object(key: Token, colon: Token, value: Token) -> bool:
    if key.kind == "string":
        return colon.text == ":"
    return key.is_name and colon.text == ":" and _begins_value(value)


def _begins_value(token: Token) -> bool:
    if token.kind == "word":
        return token.is_number or token.text in _LITERALS
    return token.kind == "string" or token.text in ("{", "[")


def _is_list(member: Token, behind: Token) -> bool:
    return (member.is_number or _is_member(member)) and behind.text in (",", "]")


def _is_member(token: Token) -> bool:
    """A string, and not what stands between two classes of quotes in a pattern: `['"]a["']`."""
    before, bracket, _ = token.text.partition("]")
    return token.kind == "string" and (not bracket or "[" in before)
