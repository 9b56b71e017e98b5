r"""A search on one line, as it is typed in a shell.

command = [program] option* (quoted | word+) (path | option)*   | pattern "path:" path

What is a path is asked of whoever knows the files.
"""

import getopt
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from react_agent.parsers.values.arguments import within
from react_agent.parsers.values.commands import words
from react_agent.parsers.values.searches import SearchRequest, at_most, parse_search_request
from react_agent.parsers.values.unreadable import Unreadable

IsPath = Callable[[str], bool]

_PROGRAM = re.compile(r"\A\s*(?:git\s+)?(?:[ef]?grep|rg|ag|ack)\s+(?=[-\"'])")
_SHELL_TAIL = re.compile(r"\s+(?:2>|\|\s+(?:head|tail|sort|uniq|wc|less|cat)\b).*")
_PATH_TAIL = re.compile(r"(?P<pattern>.*\S)\s+paths?:\s*(?P<path>\S.*)", re.IGNORECASE)
_PATH_LIKE = re.compile(r"[\w.*-]*/[\w./*-]*|\*\.\w+")
_COLOUR = re.compile(r"--colou?r(?:=\w+)?")
_SHORT = "rRnHhIsEGPiwFoclazqxvLe:m:g:t:A:B:C:"
_LONG = [
    *("recursive", "line-number", "ignore-case", "word-regexp", "fixed-strings", "no-heading"),
    *("extended-regexp", "perl-regexp", "hidden", "no-ignore", "count", "only-matching"),
    *("invert-match", "files-with-matches", "files-without-match", "with-filename", "no-filename"),
    *("regexp=", "include=", "exclude=", "exclude-dir=", "glob=", "type=", "max-count="),
    *("context=", "after-context=", "before-context="),
]
_HONOURED = frozenset(f"-{letter}" for letter in "iwFEPegnABC")
_SAID = frozenset({"--exclude", "--exclude-dir", "--type", "--max-count"})  # of the long ones
_INVERTING = ("-v", "-L", "--invert-match", "--files-without-match")
_QUOTED = "\0"  # before a word that was quoted: it is no option
_NUMBER = re.compile(r"[0-9]{1,9}")
_LONGEST = 1_000  # characters; what is longer was not typed
_INVERTED = (
    "lines that do not match (-v, -L) can't be searched for: write only the pattern, an extended "
    "regular expression"
)


@dataclass(frozen=True, slots=True)
class _Command:
    options: Sequence[tuple[str, str]]
    words: Sequence[str]

    def has(self, *names: str) -> bool:
        return any(name in names for name, _ in self.options)

    def values(self, *names: str) -> list[str]:
        return [value.removeprefix(_QUOTED) for name, value in self.options if name in names]

    def around(self, *names: str) -> int:
        numbers = [one for one in self.values(*names) if _NUMBER.fullmatch(one)]
        return at_most(numbers[-1]) if numbers else 0


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
    line = _SHELL_TAIL.sub("", _PROGRAM.sub("", head))
    command = _command(line) if line.lstrip().startswith(("-", '"', "'", "`")) else None
    if command and command.has(*_INVERTING) and (command.words or command.has("-e", "--regexp")):
        return Unreadable(_INVERTED)
    typed = _typed(command, is_path) if command else None
    meant = typed or _untyped(head, paths, is_path)
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
    pattern, after = _peeled([word.text for word in words(head)], is_path)
    if not after or not all("." in path.strip(".") or "/" in path for path in after):
        return None
    return SearchRequest(" ".join(pattern), within(after, ()))


def _command(line: str) -> _Command | None:
    """None if one of the options is not known; they may be anywhere in the line."""
    given = [f"{_QUOTED}{word.text}" if word.quoted else word.text for word in words(line)]
    spelled = ["-n" if _COLOUR.fullmatch(word) else word for word in given]
    try:
        options, others = getopt.gnu_getopt(spelled, _SHORT, _LONG)
    except getopt.GetoptError:
        return None
    return _Command(options, others)


def _typed(command: _Command, is_path: IsPath) -> SearchRequest | None:
    pattern, paths = _pattern(command, is_path)
    certain = command.options or (paths and all(map(_can_be_path(is_path), paths)))
    if not pattern or not certain:
        return None
    both = ("-C", "--context")
    return SearchRequest(
        pattern,
        within(paths, command.values("-g", "--glob", "--include")),
        ignore_case=command.has("-i", "--ignore-case"),
        whole_words=command.has("-w", "--word-regexp"),
        plain=command.has("-F", "--fixed-strings"),
        left_out=_left_out(command),
        around=(
            command.around(*both, "-B", "--before-context"),
            command.around(*both, "-A", "--after-context"),
        ),
    )


def _left_out(command: _Command) -> tuple[str, ...]:
    return tuple(
        f"{name}={value.removeprefix(_QUOTED)}" if name in _SAID else name
        for name, value in command.options
        if name in _SAID or (len(name) == len("-x") and name not in _HONOURED)
    )


def _pattern(command: _Command, is_path: IsPath) -> tuple[str, Sequence[str]]:
    given = [word.removeprefix(_QUOTED) for word in command.words]
    if patterns := command.values("-e", "--regexp"):
        return "|".join(patterns), given
    if command.words and command.words[0].startswith(_QUOTED):
        return given[0], given[1:]
    pattern, paths = _peeled(given, _can_be_path(is_path))
    return " ".join(pattern), paths


def _peeled(given: Sequence[str], is_path: IsPath) -> tuple[Sequence[str], Sequence[str]]:
    """The words of a pattern, one at least, and the paths after them."""
    at = len(given)
    while at > 1 and is_path(given[at - 1]):
        at -= 1
    return given[:at], given[at:]
