"""Files, symbols and options that an issue names, by the way they are written.

path   = name "/" name ... | name "." a known extension
symbol = a_b | CamelCase | called() | dotted.name | `in backticks`     unless the issue defines it
option = --name

A name is sure where nothing else can be meant: only then is it worth a word that it is not there.
"""

import builtins
import keyword
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from react_agent.parsers.issue.frames import is_of_python
from react_agent.parsers.issue.lines import Line
from react_agent.parsers.text.late_pattern import LatePattern

_MOST = 2_000
_SHORTEST, _LONGEST = 3, 120
_ADDRESS = LatePattern(r"\b[a-z][a-z0-9+.-]{1,10}://\S*|\b(?:git@|www\.)\S+", re.IGNORECASE)
_TICKED = LatePattern(r"`([^`]{2,160})`")
_WORD = LatePattern(r"(?<![\w./@+-])([\w@.~/-][\w./@+-]*)(\(s\))?(\()?")
_OF_TEST = LatePattern(r"(\.\w{1,10})(?:::[\w.-]+(?:\[[^\]\s]{0,200}\])?){1,9}")
_DEFINED = LatePattern(r"\s*(?:async )?(?:def|class|function|func|fn) ([^\W\d]\w{0,100})")
_OPTION = LatePattern(r"--[a-z][a-z0-9]+(?:-[a-z0-9]+)*")
_NAME = LatePattern(r"[^\W\d]\w*")
_DOTTED = LatePattern(r"[^\W\d]\w*(?:\.[^\W\d]\w*)+")
_CAMEL = LatePattern(r"[A-Za-z]*[a-z0-9][A-Z][A-Za-z0-9]*|[A-Z]{2,}[a-z][A-Za-z0-9]*")
_PATH = LatePattern(r"(?:[\w.@+-]+/)*[\w.@+-]*\w/?")
_DOMAIN = LatePattern(r"[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|gov|edu)", re.IGNORECASE)
_HEX = LatePattern(r"[0-9a-f]*\d[0-9a-f]*")
_EXTENSIONS = LatePattern(
    r"pyi?|pyx|ipynb|[cm]?[jt]sx?|vue|svelte|go|rs|java|kt|scala|[ch]|[ch]pp|cc|cxx|cs|rb|php|swift|m|lua"
    r"|p[lm]|exs?|[eh]rl|hs|ml|clj|dart|r|jl|sh|bash|zsh|ps1|bat|zig|nim|sql|md|rst|txt|adoc|html?|s?css"
    r"|json|toml|cfg|ini|ya?ml|xml|csv|lock|in|env|properties|conf|proto|tf|gradle|patch|diff|log|po"
    r"|tmpl|jinja|j2"
)
_COMMON = frozenset((*dir(builtins), *keyword.kwlist, "self", "cls", "null", "undefined"))
_PRODUCTS = LatePattern(
    r"(?:node|vue|next|react|express|nuxt|three|d3|chart|discord)\.js", re.IGNORECASE
)


class Kind(StrEnum):
    PATH = "path"
    SYMBOL = "symbol"
    OPTION = "option"


@dataclass(frozen=True, slots=True)
class Named:
    text: str
    kind: Kind
    is_sure: bool = False


def named(lines: Iterable[Line]) -> tuple[Named, ...]:
    """Each once: what is sure first, then what prose names, then what code does."""
    found, own = dict[str, tuple[int, Named]](), set[str]()
    for line in _untraced(lines):
        if line.is_code and (defined := _DEFINED.match(line.text)):
            own.add(defined[1])
        for one in _of_line(line):
            rank = 0 if one.is_sure else 2 if line.is_code else 1
            if one.text not in found or rank < found[one.text][0]:
                found[one.text] = rank, one
        if len(found) > _MOST:
            break
    ranked = sorted(found.values(), key=lambda pair: pair[0])
    return tuple(one for _, one in ranked if one.text not in own)


def _untraced(lines: Iterable[Line]) -> Iterator[Line]:
    """Without the frames of a traceback and their code."""
    is_below = False
    for line in lines:
        is_frame = is_of_python(line.text)
        if not is_frame and not is_below:
            yield line
        is_below = is_frame


def _of_line(line: Line) -> Iterator[Named]:
    text = _OF_TEST.sub(r"\1", _ADDRESS.sub(" ", line.text))
    if line.is_code:
        yield from _plain(text, is_code=True)
        return
    for found in _TICKED.pattern.finditer(text):
        yield from _ticked(found[1].strip())
    yield from _plain(_TICKED.sub(" ", text), is_code=False)


def _ticked(text: str) -> Iterator[Named]:
    bare = text.partition("(")[0].strip("'\"") if text.endswith(")") else text.strip("'\",;:")
    if any(map(str.isspace, text)):
        yield from _plain(text, is_code=True)
    elif one := _read(bare, is_ticked=True, is_called=bare != text and text.endswith(")")):
        yield one


def _plain(text: str, is_code: bool) -> Iterator[Named]:
    for found in _WORD.pattern.finditer(text):
        bare = found[1].rstrip(".-@+")
        called = found[3] is not None
        one = _read(bare, is_ticked=False, is_called=called) if len(bare) <= _LONGEST else None
        if one and not (is_code and one.kind is Kind.OPTION):
            yield Named(one.text, one.kind) if is_code else one


def _read(word: str, is_ticked: bool, is_called: bool) -> Named | None:
    if not _SHORTEST <= len(word) <= _LONGEST:
        return None
    if word.startswith("-"):
        return Named(word, Kind.OPTION) if _OPTION.fullmatch(word) else None
    if "/" in word or _is_file(word):
        return _path(word, is_ticked)
    return _symbol(word, is_ticked, is_called)


def _is_file(word: str) -> bool:
    stem, _, extension = word.rpartition(".")
    is_named = bool(stem) and not stem.endswith("/")
    return is_named and _EXTENSIONS.fullmatch(extension) is not None


def _path(word: str, is_ticked: bool) -> Named | None:
    """What is absolute is of another machine, but its end may be of here."""
    plain = word.removeprefix("./").lstrip("~/")
    first, slash, _ = plain.partition("/")
    is_file = _is_file(word)
    if not slash and not is_file:
        return None
    if not _PATH.fullmatch(plain) or word.startswith("//") or _PRODUCTS.fullmatch(word):
        return None
    if slash and _DOMAIN.fullmatch(first):
        return None
    is_other = word.startswith(("/", "~", "../")) or "site-packages" in word
    return Named(plain, Kind.PATH, is_file and not is_other and (is_ticked or bool(slash)))


def _symbol(word: str, is_ticked: bool, is_called: bool) -> Named | None:
    if _DOTTED.fullmatch(word):
        return Named(word, Kind.SYMBOL) if not _DOMAIN.fullmatch(word) else None
    if not _NAME.fullmatch(word) or _is_common(word):
        return None
    is_shaped = "_" in word.strip("_")
    is_camel = _CAMEL.fullmatch(word) is not None
    if not (is_shaped or is_camel or is_called or is_ticked):
        return None
    is_sure = (is_ticked and (is_shaped or is_camel or is_called)) or (is_shaped and is_called)
    return Named(word, Kind.SYMBOL, is_sure)


def _is_common(word: str) -> bool:
    is_hex = len(word) > 6 and _HEX.fullmatch(word) is not None
    return word in _COMMON or is_hex or (word.startswith("__") and word.endswith("__"))
