r"""A search on one line, as it is typed in a shell.

command = [program] option* (quoted | word+) (path | option)*   | pattern "path:" path

What is a path is asked of whoever knows the files.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from react_agent.parsers.search_request import SearchRequest, at_most, parse_search_request, within
from react_agent.parsers.unreadable import Unreadable
from react_agent.parsers.words import Word, words

IsPath = Callable[[str], bool]

_PROGRAM = re.compile(r"\s*(?:git\s+)?(?:[ef]?grep|rg|ag|ack)\s+(?=[-\"'])")
_SHELL_TAIL = re.compile(r"\s+(?:2>|\|\s+(?:head|tail|sort|uniq|wc|less|cat)\b).*")
_PATH_TAIL = re.compile(r"(?P<pattern>.*\S)\s+paths?:\s*(?P<path>\S.*)", re.IGNORECASE)
_PATH_LIKE = re.compile(r"[\w.*-]*/[\w./*-]*|\*\.\w+")
_LETTERS = re.compile(r"-(?P<letters>[rRnHhIsEGPiwFoclazqxvLABCmegt]+)(?P<number>\d*)")
_LONG = re.compile(
    r"--(?P<name>recursive|line-number|ignore-case|word-regexp|fixed-strings|extended-regexp"
    r"|perl-regexp|regexp|include|exclude|exclude-dir|glob|type|colou?r|no-heading|hidden"
    r"|no-ignore|context|after-context|before-context|max-count|count|only-matching|invert-match"
    r"|files-with-matches|files-without-match|with-filename|no-filename)(?:=(?P<value>.*))?"
)
_SHORT = {
    "ignore-case": "i",
    "word-regexp": "w",
    "fixed-strings": "F",
    "invert-match": "v",
    "files-without-match": "L",
    "regexp": "e",
    "glob": "g",
    "include": "g",
    "type": "t",
    "max-count": "m",
    "context": "C",
    "after-context": "A",
    "before-context": "B",
    "exclude": "x=",
    "exclude-dir": "x=",
}
_WITH_VALUE = ("A", "B", "C", "m", "e", "g", "t", "x=")
_HONOURED = "iwFEPegnABC"
_NUMBER = re.compile(r"[0-9]{1,9}")
_LONGEST = 1_000  # characters; what is longer was not typed
_INVERTED = (
    "lines that do not match (-v, -L) can't be searched for: write only the pattern, an extended "
    "regular expression"
)


@dataclass(slots=True)
class _Command:
    """What was collected of the words so far."""

    letters: set[str] = field(default_factory=set)
    left_out: list[str] = field(default_factory=list)
    patterns: list[str] = field(default_factory=list)  # given with -e
    globs: list[str] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    around: dict[str, int] = field(default_factory=dict)  # by the letters A, B and C


def readings(text: str, is_path: IsPath) -> tuple[SearchRequest, ...] | Unreadable:
    """What the text can mean, the likeliest first; as it is written is among it."""
    literal = parse_search_request(text)
    if isinstance(literal, Unreadable):
        return literal
    if len(literal.pattern) > _LONGEST:
        return (literal,)
    tail = _PATH_TAIL.fullmatch(literal.pattern)
    head = tail["pattern"] if tail else literal.pattern
    paths = (tail["path"].strip().strip("`'\""),) if tail else ()
    command = _parsed(_SHELL_TAIL.sub("", _PROGRAM.sub("", head)))
    if command and command.letters & {"v", "L"} and (command.words or command.patterns):
        return Unreadable(_INVERTED)
    typed = _typed(command, is_path) if command else None
    meant = typed or _untyped(head, paths, is_path) or _optioned(head, is_path)
    if not meant:
        return (literal,)
    around = meant.around if any(meant.around) else literal.around
    globs = (*meant.globs, *paths, *literal.globs)
    mended = replace(meant, globs=globs, around=around, mended=True)
    likely = typed is not None or any(map(_can_be_path(is_path), paths))
    return (mended, literal) if likely else (literal, mended)


def _can_be_path(is_path: IsPath) -> IsPath:
    return lambda word: is_path(word) or _PATH_LIKE.fullmatch(word) is not None


def _untyped(head: str, paths: tuple[str, ...], is_path: IsPath) -> SearchRequest | None:
    """`class Patch path: src`; `class Patch src/x.py`, where that can hardly be of the pattern."""
    if paths:
        first, *others = words(head)
        return SearchRequest(first.text if first.quoted and not others else head)
    pattern, behind = _peeled([word.text for word in words(head)], is_path)
    if not behind or not all("." in path.strip(".") or "/" in path for path in behind):
        return None
    return SearchRequest(" ".join(pattern), within(behind, ()))


def _optioned(head: str, is_path: IsPath) -> SearchRequest | None:
    """`foo --include=*.py -n`: options behind a pattern without quotes."""
    command = _collected(words(_SHELL_TAIL.sub("", head)))
    is_one = command.letters and not command.letters & {"v", "L"}
    return _typed(command, is_path) if is_one else None


def _parsed(line: str) -> _Command | None:
    """The line as a command, if it begins like one; options may stand anywhere in it."""
    given = list(words(line))
    return _collected(given) if given and (given[0].quoted or _option(given[0])) else None


def _collected(given: Iterable[Word]) -> _Command:
    command, rest = _Command(), iter(given)
    for word in rest:
        option = _option(word)
        if option is None:
            command.words.append(word)
        else:
            _take(command, word.text, option, rest)
    return command


def _option(word: Word) -> tuple[str, str | None] | None:
    """Its letters, and the value that stands in the same word."""
    if word.quoted:
        return None
    if short := _LETTERS.fullmatch(word.text):
        return short["letters"], short["number"] or None
    if long := _LONG.fullmatch(word.text):
        value = long["value"].strip("\"'") if long["value"] is not None else None
        return _SHORT.get(long["name"], "n"), value
    return None


def _take(
    command: _Command, written: str, option: tuple[str, str | None], rest: Iterator[Word]
) -> None:
    letters, value = option
    last = letters if letters in _WITH_VALUE else letters[-1]
    if value is None and last in _WITH_VALUE:
        given = next(rest, None)
        value = given.text if given else None
    if last == "e" and value:
        command.patterns.append(value)
    if last == "g" and value:
        command.globs.append(value)
    if last in ("A", "B", "C") and value and _NUMBER.fullmatch(value):
        command.around[last] = at_most(value)
    command.letters.update(letters)
    dropped = "".join(letter for letter in letters if letter not in _HONOURED)
    if dropped:
        command.left_out.append(written if written.startswith("--") else f"-{dropped}")


def _typed(command: _Command, is_path: IsPath) -> SearchRequest | None:
    pattern, paths = _pattern(command, is_path)
    certain = command.letters or (paths and all(map(_can_be_path(is_path), paths)))
    if not pattern or not certain:
        return None
    return SearchRequest(
        pattern,
        within(paths, command.globs),
        ignore_case="i" in command.letters,
        whole_words="w" in command.letters,
        plain="F" in command.letters,
        left_out=tuple(command.left_out),
        around=_around(command),
    )


def _around(command: _Command) -> tuple[int, int]:
    both = command.around.get("C", 0)
    return command.around.get("B", both), command.around.get("A", both)


def _pattern(command: _Command, is_path: IsPath) -> tuple[str, Sequence[str]]:
    given = [word.text for word in command.words]
    if command.patterns:
        return "|".join(command.patterns), given
    if command.words and command.words[0].quoted:
        return given[0], given[1:]
    pattern, paths = _peeled(given, _can_be_path(is_path))
    return " ".join(pattern), paths


def _peeled(given: Sequence[str], is_path: IsPath) -> tuple[Sequence[str], Sequence[str]]:
    """The words of a pattern, one at least, and the paths behind them."""
    at = len(given)
    while at > 1 and is_path(given[at - 1]):
        at -= 1
    return given[:at], given[at:]
