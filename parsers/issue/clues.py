"""What an issue points to, before anybody has looked whether it is there.

path    = name "/" name ... | name "." a known extension
symbol  = a_b | CamelCase | called() | dotted.name | `in backticks`     unless the issue defines it
option  = --name
command = prompt words | words              in a fence of a shell, if no line has a prompt
        | "`" program words "`"
version = name ":" number | name "==" number | "Python" number | "OS:" words

A name is sure where nothing else can be meant: only then is it worth a word that it is not there.
"""

import builtins
import keyword
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from react_agent.parsers.issue.places import (
    CodeLink,
    Frame,
    code_links,
    frames,
    is_frame_of_python,
)
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

_MOST_COMMANDS, _LONGEST_COMMAND = 50, 200
_SHELLS = ("sh", "bash", "zsh", "shell", "console", "terminal", "shell-session", "shellsession")
_PROMPT = LatePattern(r"\s*(?:\([\w.-]{1,40}\) ?)?(?:[\w.@~:/-]{0,80}[$%]|\$) +(?=[\w./~])(.*)")
_RUN = LatePattern(
    r"(?:python3?|pytest|tox|nox|make|ctest|cargo|go|npm|npx|yarn|pnpm|node|deno|bun|java|mvn|gradle"
    r"|ruby|rake|rspec|bundle|php|composer|dotnet|perl|swift|\./\S+) +\S.*"
)
_SET_UP = LatePattern(
    r"(?:sudo )?(?:cd|export|source|mkdir|touch|echo|cat|ls"
    r"|(?:python3? -m )?(?:pip3?|uv|poetry|npm|yarn|pnpm|apt|apt-get|brew|conda)"
    r" (?:pip )?(?:install|add|i|update|upgrade|create|show|freeze|list)"
    r"|git (?:clone|checkout|pull|fetch)|(?:python3? -m )?(?:virtualenv|venv)"
    r"|\S{1,80} (?:--version|-V))\b.*"
)

_MOST_VERSIONS = 50
_NUMBER = r"\d{1,4}(?:\.\d{1,5}){1,4}(?:[-.]?(?:a|b|rc|alpha|beta|dev|post)[.-]?\d{0,4})?"
_FIELD = r"[-*\s]{0,8}\**"
_LISTED = LatePattern(
    rf"(?i){_FIELD}([a-z][\w .-]{{1,30}}?)(?: version)?\**[ \t]*[:=][ \t*]{{0,4}}v?({_NUMBER})\s*"
)
_PINNED = LatePattern(
    rf"(?<![\w./-])([A-Za-z][\w.-]{{1,40}}==|Python(?: version)? )({_NUMBER})(?![\w/])"
)
_SYSTEM = LatePattern(
    rf"(?i){_FIELD}(?:OS|Platform|Operating system)\**[ \t]*:[ \t*]{{0,4}}(\S[^\n]{{1,60}})"
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


@dataclass(frozen=True, slots=True)
class Clues:
    names: tuple[Named, ...] = ()
    frames: tuple[Frame, ...] = ()
    links: tuple[CodeLink, ...] = ()
    commands: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()

    def of(self, kind: Kind) -> tuple[Named, ...]:
        return tuple(one for one in self.names if one.kind is kind)


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    is_code: bool = False  # in a fence, or indented as such
    language: str = ""  # of its fence, lower-case


def clues_of(text: str) -> Clues:
    text = text[:_MOST]
    lines = tuple(_lines(text))
    versions = islice((version for line in lines for version in _versions(line)), _MOST_VERSIONS)
    once = {version.casefold(): version for version in reversed(list(versions))}
    return Clues(
        names=_names(lines),
        frames=frames(line.text for line in lines),
        links=tuple(dict.fromkeys(code_links(text))),
        commands=_commands(lines),
        versions=tuple(reversed(once.values())),
    )


def _lines(text: str) -> Iterator[_Line]:
    """Without the lines of the fences, and as they were before somebody quoted them."""
    fences = list[Fence]()
    for line in text.split("\n"):
        bare = line[:_LONGEST_LINE]
        if quoted := _QUOTE.match(bare):
            bare = bare[quoted.end() :]
        before = len(fences)
        follow(bare, fences)
        if len(fences) == before:
            language = fences[0].info.partition(" ")[0].casefold() if fences else ""
            yield _Line(bare, bool(fences) or _INDENTED.match(bare) is not None, language)


def _names(lines: Iterable[_Line]) -> tuple[Named, ...]:
    """Each once: what is sure first, then what prose names, then what code does."""
    found, own, is_below_frame = dict[str, tuple[int, Named]](), set[str](), False
    for line in lines:
        is_frame = is_frame_of_python(line.text)
        is_traced, is_below_frame = is_frame or is_below_frame, is_frame
        if is_traced:
            continue
        if line.is_code and (defined := _DEFINED.match(line.text)):
            own.add(defined[1])
        for one in _named_in(line):
            rank = 0 if one.is_sure else 2 if line.is_code else 1
            if one.text not in found or rank < found[one.text][0]:
                found[one.text] = rank, one
        if len(found) > _MOST_NAMES:
            break
    ranked = sorted(found.values(), key=lambda pair: pair[0])
    return tuple(one for _, one in ranked if one.text not in own)


def _named_in(line: _Line) -> Iterator[Named]:
    text = _OF_TEST.sub(r"\1", _ADDRESS.sub(" ", line.text))
    if line.is_code:
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
    """An absolute path is of another machine, but its end may be of this repository."""
    plain = word.removeprefix("./").lstrip("~/")
    first, slash, _ = plain.partition("/")
    if not _PATH.fullmatch(plain) or word.startswith("//") or (slash and _DOMAIN.fullmatch(first)):
        return None
    if not is_path(plain):
        return None
    is_other = word.startswith(("/", "~", "../")) or "site-packages" in word
    return Named(plain, Kind.PATH, is_file(word) and not is_other and (is_ticked or bool(slash)))


def _commands(lines: Sequence[_Line]) -> tuple[str, ...]:
    """Each once; those that only set things up, if there are no others."""
    code = [line for line in lines if line.is_code]
    found = [prompted[1] for line in code if (prompted := _PROMPT.fullmatch(line.text))]
    if not found:
        in_shell = (line.text for line in code if line.language in _SHELLS)
        found = [text for text in in_shell if not text.startswith("#")]
    prose = (line.text for line in lines if not line.is_code and "`" in line.text)
    ticked = (text.strip() for line in prose for text in _TICKED.findall(line))
    bare = (text.strip() for text in found)
    every = [text for text in bare if text and len(text) <= _LONGEST_COMMAND]
    every += filter(_RUN.fullmatch, ticked)
    once = list(dict.fromkeys(every))[:_MOST_COMMANDS]
    return tuple([text for text in once if not _SET_UP.fullmatch(text)] or once)


def _versions(line: _Line) -> Iterator[str]:
    """`numpy 1.26.0`"""
    if system := _SYSTEM.fullmatch(line.text):
        yield system[1].strip()
    elif listed := _LISTED.fullmatch(line.text):
        yield f"{listed[1]} {listed[2]}"
    elif any(map(str.isdigit, line.text)):
        for found in _PINNED.pattern.finditer(line.text):
            if found[1].endswith("==") or not line.is_code:
                yield f"{found[1].split()[0].removesuffix('==')} {found[2]}"
