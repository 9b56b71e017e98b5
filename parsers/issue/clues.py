"""Find the files, symbols and options that an issue names, without checking that they exist.

path    = name "/" name ... | name "." a known extension
symbol  = a_b | CamelCase | called() | dotted.name | `in backticks`     unless the issue defines it
option  = --name

A name is certain if it can't be an ordinary word. Only a certain name is reported if it does not
exist.
"""

import builtins
import keyword
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from react_agent.parsers.issue.places import Frame, frames, is_frame_of_python
from react_agent.parsers.text.fence import Fence, follow
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.parsers.text.names import is_dotted, is_file, is_path, is_symbol

_MOST = 300_000  # characters of an issue that are read
_LONGEST_LINE = 2_000
_INDENTED = LatePattern(r"(?: {4}|\t)\s*(?![-*+] |\d+[.)] )\S")
_QUOTE = LatePattern(r"(?: {0,3}> ?){1,9}")

_MOST_NAMES = 2_000
_SHORTEST, _LONGEST = 3, 120  # characters of a name
_ADDRESS = LatePattern(r"\b[a-z][a-z0-9+.-]{1,10}://\S*|\b(?:git@|www\.)\S+", re.IGNORECASE)
_TICKED = LatePattern(r"`([^`]{2,200})`")
_WORD = LatePattern(r"(?<![\w./@+-])([\w@.~/-][\w./@+-]*)(\(s\))?(\()?")
_OF_TEST = LatePattern(r"(\.\w{1,10})(?:::[\w.-]+(?:\[[^\]\s]{0,200}\])?){1,9}")
_DEFINED = LatePattern(r"\s*(?:async )?(?:def|class|function|func|fn) ([^\W\d]\w{0,100})")
_OPTION = LatePattern(r"--[a-z][a-z0-9]+(?:-[a-z0-9]+)*")
_PATH = LatePattern(r"(?:[\w.@+-]+/)*[\w.@+-]*\w/?")
_DOMAIN = LatePattern(r"[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|gov|edu)", re.IGNORECASE)
_HEX = LatePattern(r"(?=.{7})[0-9a-f]*\d[0-9a-f]*")
_COMMON = frozenset((*dir(builtins), *keyword.kwlist, "self", "cls", "null", "undefined"))


class Kind(StrEnum):
    PATH = "path"
    SYMBOL = "symbol"
    OPTION = "option"


@dataclass(frozen=True, slots=True)
class Named:
    text: str
    kind: Kind
    is_sure: bool = False


@dataclass(frozen=True, slots=True)
class Clues:
    names: tuple[Named, ...] = ()
    frames: tuple[Frame, ...] = ()

    def of(self, kind: Kind) -> tuple[Named, ...]:
        return tuple(one for one in self.names if one.kind is kind)


def clues_of(text: str) -> Clues:
    lines = tuple(_lines(text[:_MOST]))
    return Clues(_names(lines), frames(line for line, _ in lines))


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the lines without quote marks, and whether each is code: in a fence, or indented.

    The lines that open or close a fence are left out.
    """
    fences = list[Fence]()
    for line in text.split("\n"):
        bare = line[:_LONGEST_LINE]
        if quoted := _QUOTE.match(bare):
            bare = bare[quoted.end() :]
        before = len(fences)
        follow(bare, fences)
        if len(fences) == before:
            yield bare, bool(fences) or _INDENTED.match(bare) is not None


def _names(lines: Iterable[tuple[str, bool]]) -> tuple[Named, ...]:
    """Return each name once: certain names first, then names in prose, then names in code."""
    found, own, is_below_frame = dict[str, tuple[int, Named]](), set[str](), False
    for line, is_code in lines:
        is_frame = is_frame_of_python(line)
        is_traced, is_below_frame = is_frame or is_below_frame, is_frame
        if is_traced:
            continue
        if is_code and (defined := _DEFINED.match(line)):
            own.add(defined[1])
        for one in _named_in(line, is_code):
            rank = 0 if one.is_sure else 2 if is_code else 1
            if one.text not in found or rank < found[one.text][0]:
                found[one.text] = rank, one
        if len(found) > _MOST_NAMES:
            break
    ranked = sorted(found.values(), key=lambda pair: pair[0])
    return tuple(one for _, one in ranked if one.text not in own)


def _named_in(line: str, is_code: bool) -> Iterator[Named]:
    text = _OF_TEST.sub(r"\1", _ADDRESS.sub(" ", line))
    if is_code:
        yield from _words(text, is_code=True)
        return
    for ticked in map(str.strip, _TICKED.findall(text)):
        is_call = ticked.endswith(")")
        bare = ticked.partition("(")[0].strip("'\"") if is_call else ticked.strip("'\",;:")
        if any(map(str.isspace, ticked)):
            yield from _words(ticked, is_code=True)
        elif one := _named(bare, is_ticked=True, is_called=is_call and bare != ticked):
            yield one
    yield from _words(_TICKED.sub(" ", text), is_code=False)


def _words(text: str, is_code: bool) -> Iterator[Named]:
    for found in _WORD.pattern.finditer(text):
        one = _named(found[1].rstrip(".-@+"), is_ticked=False, is_called=found[3] is not None)
        if one and not (is_code and one.kind is Kind.OPTION):
            yield Named(one.text, one.kind) if is_code else one


def _named(word: str, is_ticked: bool, is_called: bool) -> Named | None:
    if not _SHORTEST <= len(word) <= _LONGEST:
        return None
    if word.startswith("-"):
        return Named(word, Kind.OPTION) if _OPTION.fullmatch(word) else None
    if is_path(word):
        return _path(word, is_ticked)
    if is_dotted(word):
        return None if _DOMAIN.fullmatch(word) else Named(word, Kind.SYMBOL)
    is_special = word.startswith("__") and word.endswith("__")
    if not word.isidentifier() or word in _COMMON or is_special or _HEX.fullmatch(word):
        return None
    is_shaped = is_symbol(word)
    is_sure = (is_ticked and (is_shaped or is_called)) or ("_" in word.strip("_") and is_called)
    is_meant = is_shaped or is_called or is_ticked
    return Named(word, Kind.SYMBOL, is_sure) if is_meant else None


def _path(word: str, is_ticked: bool) -> Named | None:
    """Return a path. An absolute path is from another machine, but its end may match a file."""
    plain = word.removeprefix("./").lstrip("~/")
    first, slash, _ = plain.partition("/")
    if not _PATH.fullmatch(plain) or word.startswith("//") or (slash and _DOMAIN.fullmatch(first)):
        return None
    if not is_path(plain):
        return None
    is_other = word.startswith(("/", "~", "../")) or "site-packages" in word
    return Named(plain, Kind.PATH, is_file(word) and not is_other and (is_ticked or bool(slash)))
