"""Names as git writes them in a diff, and the name that git keeps for itself.

A name is bare, or in the quotes and escapes of C where it holds unusual characters. `.git` is git's
own in each spelling that some file system takes for it.
"""

import re
import unicodedata

from react_agent.parsers.text.late_pattern import LatePattern

_ESCAPE = LatePattern(r"\\([0-7]{1,3}|.)", re.DOTALL)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_WRITTEN = {letter: f"\\{name}" for name, letter in _LETTERS.items()} | {'"': '\\"', "\\": "\\\\"}
_ODD = LatePattern(r'[\x00-\x1f"\\\x7f]')
_LAST_BYTE = 0xFF
_SHORT = LatePattern(r"git~\d+")  # as Windows shortens `.git`


def read_name(text: str) -> str:
    if len(text) < 2 or not text[0] == text[-1] == '"':
        return text
    raw = bytearray()
    rest = text[1:-1]
    while escape := _ESCAPE.search(rest):
        raw += _bytes(rest[: escape.start()]) + _escaped(escape[1])
        rest = rest[escape.end() :]
    return (raw + _bytes(rest)).decode(errors="surrogateescape")


def write_name(name: str) -> str:
    if not _ODD.search(name):
        return name
    return '"' + _ODD.sub(lambda found: _WRITTEN.get(found[0]) or _octal(found[0]), name) + '"'


def _octal(letter: str) -> str:
    return f"\\{ord(letter):03o}"


def _escaped(escape: str) -> bytes:
    if escape.isdigit():
        return bytes([int(escape, 8) & _LAST_BYTE])
    return _bytes(_LETTERS.get(escape, escape))


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")


def is_gits(part: str) -> bool:
    """As file systems compare it that ignore case, dots at the end, invisible characters."""
    if part.isascii() and not part.casefold().startswith((".git", "git~")):
        return False
    visible = "".join(letter for letter in part if unicodedata.category(letter) != "Cf")
    plain = visible.split(":")[0].rstrip(" .").casefold()
    return plain == ".git" or bool(_SHORT.fullmatch(plain))
