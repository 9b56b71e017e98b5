r"""The pieces of a shell line, in code and between double quotes, each found in one go.

A piece never spans what a command could hide in: `$(`, a backtick and `(` are pieces of their own.
"""

import re
from dataclasses import dataclass

_ARITHMETIC = r"\$?\(\((?:[^()`$]++|\$(?!\()|\((?:[^()`$]++|\$(?!\())*+\))*+\)\)"
_PARAMETER = r"\$\{[^}$`\"'\n]*+\}?|\$(?:\w++|[@*#?!$-])"
CODE = re.compile(
    r"(?P<blank>(?:[ \t\r\f\v]++|\\\r?\n)++)"
    r"|(?P<newline>\n)"
    rf"|(?P<arithmetic>{_ARITHMETIC})"
    r"|(?P<open>[$<>]?\()"
    r"|(?P<close>\))"
    r"|(?P<tick>`)"
    r"|(?P<redirect>(?:&>>?|[0-9]{0,9}(?:<<<|<<-?|<>|>>|>\||[<>]&?)))"
    r"|(?P<join>&&|\|\||;;&|;;|;&|;|\|&|\||&)"
    r"|(?P<single>'[^']*+(?:'|\Z)|\$'(?:\\.|[^'\\])*+(?:'|\Z))"
    r"|(?P<double>\$?\")"
    r"|(?P<escape>\\.)"
    rf"|(?P<parameter>{_PARAMETER})"
    r"|(?P<hash>\#)"
    r"|(?P<text>[^\s$<>()`&|;'\"\\\#]++)"
    r"|(?P<stray>.)",
    re.DOTALL,
)
DOUBLE = re.compile(
    r"(?P<end>\")"
    rf"|(?P<arithmetic>{_ARITHMETIC})"
    r"|(?P<open>\$\()"
    r"|(?P<tick>`)"
    r"|(?P<continued>\\\n)"
    r"|(?P<escape>\\[$`\"\\])"
    rf"|(?P<parameter>{_PARAMETER})"
    r"|(?P<text>[^\"$`\\]++)"
    r"|(?P<stray>.)",
    re.DOTALL,
)
_WILD = re.compile(r"[*?\[]")
_BRACES = re.compile(r"\{[^{}]*+\}")
_ANSI = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"'}


@dataclass(frozen=True, slots=True)
class Word:
    text: str  # as the program would get it, but for what expands
    expands: bool = False  # `$x`, `$(ls)`, a backtick, `~`, `{a,b}`
    globs: bool = False
    is_quoted: bool = False  # some part of it


class Pieces:
    """A word that is being put together."""

    __slots__ = ("bare", "expands", "is_begun", "is_quoted", "parts")

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.bare: list[str] = []  # what stands outside of quotes
        self.is_begun = False
        self.is_quoted = False
        self.expands = False

    def add(self, text: str, *, quoted: bool = False) -> None:
        self.is_begun = True
        self.parts.append(text)
        self.bare.append("\0" if quoted else text)  # quotes part a pattern, as they do a name
        self.is_quoted = self.is_quoted or quoted

    def expand(self, text: str) -> None:
        self.is_begun = self.expands = True
        self.parts.append(text)
        self.bare.append("\0")

    def word(self) -> Word:
        bare = "".join(self.bare)
        several = any("," in one or ".." in one for one in _BRACES.findall(bare))
        expands = self.expands or bare.startswith("~") or several
        return Word("".join(self.parts), expands, _WILD.search(bare) is not None, self.is_quoted)


def resolved(quoted: str) -> str:
    """The text within single quotes, or within `$'...'`."""
    if not quoted.startswith("$"):
        return quoted[1:].removesuffix("'")
    inner = quoted[2:].removesuffix("'")
    return re.sub(r"\\(.)", lambda found: _ANSI.get(found[1], found[0]), inner, flags=re.DOTALL)
