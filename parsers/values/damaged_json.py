r"""Read JSON as models write it: strictly first, then with errors that have only one meaning.

value   = object | list | string | number | literal
object  = "{" [pair ("," pair)* [","]] "}"       pair = (string | name) ":" value
list    = "[" [value ("," value)* [","]] "]"
literal = true | false | null | True | False | None

A string may contain line ends. A backslash that escapes nothing is literal, and a backslash before
a quote of another kind is removed. A missing comma, a repeated key, NaN, infinite numbers, 100
nested brackets and text after the value are refused. All other text is rewritten as strict JSON and
read by Python's own parser.

token   = blank | mark | string | word | open | stray
mark    = "{" | "}" | "[" | "]" | ":" | ","
string  = between two of " or two of '; a backslash escapes the next character
word    = letters, digits and _ $ + - .               a number, a literal, or a name
open    = the opening mark of an unclosed string; the last token
stray   = any other character

A text that begins with a bracket is treated as a pattern, a command or a template, unless it
continues in a way that only JSON and the literals of programming languages do:

insists = bracket* "{" string ":"  |  bracket* "{" name ":" (string | "{" | "[" | number | literal)
        | bracket+ (string | number) ("," | "]")

The text is a list only if nothing follows it and its first string closes no bracket before opening
one.
"""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.text.gist import clipped

_STRING = r"""(?:"(?:[^"\\]++|\\.)*+"|'(?:[^'\\]++|\\.)*+')"""
_WORD = r"[\w$+.-]"
_TOKEN = re.compile(
    rf"(?P<blank>\s++)|(?P<mark>[{{}}\[\]:,])|(?P<string>{_STRING})|(?P<word>{_WORD}++)"
    r"""|(?P<open>["'])|(?P<stray>.)""",
    re.DOTALL,
)
_NUMBER = rf"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?(?!{_WORD})"
_LITERAL = rf"(?:true|false|null|True|False|None)(?!{_WORD})"
_NAME = r"[^\W\d][\w-]*+"
_OBJECT = re.compile(
    rf"(?:\[\s*+)*+\{{\s*+(?:{_STRING}\s*+:"
    rf"|{_NAME}\s*+:\s*+(?:{_STRING}|[{{\[]|{_NUMBER}|{_LITERAL}))",
    re.DOTALL,
)
_LIST = re.compile(rf"\[(?:\s*+\[)*+\s*+(?P<first>{_STRING}|{_NUMBER})\s*+[,\]]", re.DOTALL)
_DEEPEST = 99
_FOUND = 60  # characters of the text that was found instead
_RAW = 200  # characters of the whole text
_OF_PYTHON = {"True": "true", "False": "false", "None": "null"}
_IN_STRING = re.compile(
    r"""\\(?P<valid>["\\/bfnrt]|u[0-9a-fA-F]{4})|\\(?P<quote>')|(?P<lone>\\)|["\0-\x1f]"""
)


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str
    at: int


def read_json(text: str) -> object:
    """Read damaged JSON. Raises ParseError, which quotes the text."""
    if text.count("{") + text.count("[") <= _DEEPEST:
        try:
            return _strictly(text)
        except ValueError:
            pass
    given = [token for token in tokens(text) if token.kind != "blank"]
    around = zip((given[-1], *given), given, (*given[1:], given[-1]), strict=False)
    parts, depth = [_strict(*three) for three in around], 0
    for token in given:
        depth += (token.text in ("{", "[")) - (token.text in ("}", "]"))
        if depth > _DEEPEST:
            raise _error(text, token, f"more than {_DEEPEST} nested brackets,")
    try:
        return _strictly("\n".join(parts))
    except json.JSONDecodeError as error:
        raise _error(text, given[error.lineno - 1], f"{error.msg},") from None
    except ValueError as error:
        raise ParseError(f"JSON: {error}; the text is {_short(text, _RAW)}") from None


def _strict(before: Token, token: Token, after: Token) -> str:
    """Return the token as strict JSON, if it has only one possible meaning."""
    if token.kind == "string":
        return f'"{_IN_STRING.sub(_escaped, token.text[1:-1])}"'
    if token.kind == "word" and after.text == ":" and re.fullmatch(_NAME, token.text):
        return json.dumps(token.text)
    if token.text == "," and after.text in ("}", "]") and before.text not in ("{", "[", ","):
        return ""
    return _OF_PYTHON.get(token.text, token.text)


def _escaped(found: re.Match[str]) -> str:
    if found["valid"]:
        return found[0]
    return found["quote"] or json.dumps(found[0])[1:-1]


def _strictly(text: str) -> object:
    """Read strict JSON. Raises ValueError."""
    return json.loads(
        text, parse_constant=_refused, parse_float=_finite, object_pairs_hook=_distinct
    )


def _refused(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a finite number")


def _finite(word: str) -> float:
    value = float(word)
    return value if math.isfinite(value) else _refused(word)


def _distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice!r} occurs twice")
    return found


def _error(text: str, token: Token, problem: str) -> ParseError:
    line = text.count("\n", 0, token.at) + 1
    found = _short(text[token.at :].split("\n", 1)[0], _FOUND) if token.text else "the end"
    said = "never closed:" if token.kind == "open" else f"{problem} found"
    return ParseError(f"JSON, line {line}: {said} {found}; the text is {_short(text, _RAW)}")


def _short(text: str, most: int) -> str:
    return repr(clipped(text, most))


def tokens(text: str) -> Iterator[Token]:
    """Yield all tokens, including blanks, up to an open one, and then a token of kind `end`."""
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup or ""
        yield Token(kind, found[0], found.start())
        if kind == "open":
            break
    yield Token("end", "", len(text))


def closing(text: str) -> int | None:
    """Return the position where the first bracket of the text closes, or None if it stays open.

    The kinds of brackets are not distinguished. So `{"a": [1}}` closes here, but the parser refuses
    it.
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
    if _OBJECT.match(bare):
        return True
    if not (found := _LIST.match(bare)):
        return False
    before, bracket, _ = found["first"].partition("]")  # `['"]a["']` is a pattern with two classes
    return (not bracket or "[" in before) and closing(bare) in (None, len(bare) - 1)
