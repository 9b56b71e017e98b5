r"""The pieces of JSON as models write it, and where its first bracket closes.

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

import re
from collections.abc import Iterator
from dataclasses import dataclass

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
