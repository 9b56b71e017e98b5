"""Read what to search for, and where: an object, fields, lines, or a shell command.

request = (pattern | "path:" glob | "context:" number) NEWLINE, one pattern at least, several times
        | pattern with folders, globs and flags, by their names
        | [program] option* (quoted | word+) (path | option)* | pattern "path:" path

Options on their own lines hold for each pattern. An object without a pattern is a pattern itself.
The caller knows the files and tells whether a word is a path.
"""

import getopt
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from react_agent.parsers.values.arguments import (
    FOLDER_NAMES,
    GLOB_NAMES,
    PATH_NAMES,
    PATTERN_NAMES,
    REGEX_NAMES,
    Argument,
    Arguments,
    Table,
    alternatives,
    arguments_from,
    read_arguments,
    texts,
    within,
)
from react_agent.parsers.values.commands import words
from react_agent.parsers.values.damaged_json import insists_on_json
from react_agent.parsers.values.unreadable import Unreadable

IsPath = Callable[[str], bool]

_MOST_AROUND = 1_000  # lines: more than any answer shows
_PATH_LINE = re.compile(r"\s*(?:paths?|in|files?)\s*[:=]\s*(?P<glob>.+)", re.IGNORECASE)
_CONTEXT_LINE = re.compile(
    r"\s*(?:(?:lines of )?context(?: lines)?\s*[:=]\s*|--context[= ]|-C ?)(?P<number>\d{1,9})"
    r"(?: lines?)?\s*",
    re.IGNORECASE,
)
_INSISTS = re.compile(
    rf"""\s*\{{\s*["'“”]?(?:{"|".join(sorted(PATTERN_NAMES | REGEX_NAMES))})["'“”]?\s*:"""
)
_NUMBER = re.compile(r"[0-9]{1,9}")
_HINT = "write only the pattern, and path: FOLDER or GLOB on a second line to search a part"
_NOTHING = Unreadable("no pattern given: write an extended regular expression")
_NO_PATTERN = Unreadable(f"exactly one pattern on one line is expected: {_HINT}")
_PROGRAM = re.compile(r"\A\s*(?:git\s+)?(?:[ef]?grep|rg|ag|ack)\s+(?=[-\"'])")
_SHELL_TAIL = re.compile(r"\s+(?:2>|\|\s+(?:head|tail|sort|uniq|wc|less|cat)\b).*")
_PATH_TAIL = re.compile(r"(?P<pattern>.*\S)\s+paths?:\s*(?P<path>\S+)", re.IGNORECASE)
_PATH_LIKE = re.compile(r"[\w.*-]*/[\w./*-]*|\*\.\w+")
_SHORT = "rRnHIEPiwFe:g:A:B:C:"
_LONG = [
    *("recursive", "line-number", "ignore-case", "word-regexp", "fixed-strings", "regexp="),
    *("extended-regexp", "perl-regexp", "include=", "exclude=", "exclude-dir=", "glob="),
    *("context=", "after-context=", "before-context="),
]
_DONE_ANYWAY = {*(f"-{letter}" for letter in "rRnHIEP"), "--recursive", "--line-number"}
_DONE_ANYWAY |= {"--extended-regexp", "--perl-regexp"}
_LONGEST = 1_000  # characters; a longer text is not a command line


@dataclass(frozen=True, slots=True)
class SearchRequest:
    pattern: str
    globs: tuple[str, ...] = ()
    ignore_case: bool = False
    whole_words: bool = False
    plain: bool = False  # a plain text, not a regular expression
    repaired: bool = False  # the pattern was repaired, and the observation says how
    left_out: tuple[str, ...] = ()  # options
    around: tuple[int, int] = (0, 0)  # lines shown before and after each match


Readings = tuple[SearchRequest, ...]  # of one pattern, in the order in which they are tried


def searches(text: str, is_path: IsPath) -> tuple[Readings, ...] | Unreadable:
    """Return the readings of each pattern.

    `query: str` is searched as it is written first; if that is not found, `str` is.
    """
    named = _by_name(text)
    if isinstance(named, Unreadable):
        return named
    if len(named) > 1 or (named and insists_on_json(text)):
        return tuple((one,) for one in named)
    plain = _plain(text)
    if named:
        return ((*plain, *named) if len(plain) == 1 else named,)
    read = list[Readings]()
    for one in plain:
        typed = _typed(one, is_path) if len(one.pattern) <= _LONGEST else None
        read.append((typed, one) if typed else (one,))
    return tuple(read) or _NOTHING


def _plain(text: str) -> list[SearchRequest]:
    patterns, globs, around = dict[str, None](), list[str](), (0, 0)
    lines = [line.rstrip("\r") for line in text.split("\n") if line.strip()]
    for line in lines:
        if found := _PATH_LINE.fullmatch(line):
            given = found["glob"].strip().strip("`'\"")
            globs += alternatives(given) if "{" in given else given.split(", ")
        elif found := _CONTEXT_LINE.fullmatch(line):
            around = (_at_most(found["number"]),) * 2
        else:
            patterns[line] = None
    if not patterns:  # with no other line, a setting is itself the pattern
        return [SearchRequest(line) for line in lines[:1]]
    return [SearchRequest(pattern, tuple(globs), around=around) for pattern in patterns]


def _at_most(number: str) -> int:
    return min(int(number), _MOST_AROUND)


def _switch(value: object) -> tuple[bool] | None:
    read = {"true": True, "false": False}.get(str(value).casefold())
    return None if read is None else (read,)


def _count(value: object) -> tuple[int] | None:
    return (_at_most(str(value)),) if _NUMBER.fullmatch(str(value)) else None


_IS_REGEX = Argument(REGEX_NAMES | {"isregex", "useregex"}, _switch)
_PATTERNS = Argument(PATTERN_NAMES | {"e"}, texts, begins=True)
_REGEXES = Argument(REGEX_NAMES, texts, begins=True)
_FOLDERS = Argument(PATH_NAMES | FOLDER_NAMES, texts)
_GLOBS = Argument(GLOB_NAMES | {"g"}, texts)
_IGNORE_CASE = Argument({"i", "ignorecase", "caseinsensitive"}, _switch)
_CASE = Argument({"casesensitive", "matchcase"}, _switch)
_WORDS = Argument({"w", "word", "words", "wholeword", "wholewords", "wordregexp"}, _switch)
_PLAIN = Argument({"f", "fixedstring", "fixedstrings", "literal", "plain"}, _switch)
_AROUND = Argument({"c", "context", "contextlines", "linesofcontext"}, _count)
_BEFORE = Argument({"b", "before", "beforecontext", "linesbefore"}, _count)
_AFTER = Argument({"a", "after", "aftercontext", "linesafter"}, _count)
_TABLE: Table = (
    *(_IS_REGEX, _PATTERNS, _REGEXES, _FOLDERS, _GLOBS, _IGNORE_CASE, _CASE, _WORDS, _PLAIN),
    *(_AROUND, _BEFORE, _AFTER),
)


def _by_name(text: str) -> Readings | Unreadable:
    """Return the searches of an object or of fields; none if they name no pattern."""
    requests = read_arguments(text, _TABLE, _HINT)
    problem = _NO_PATTERN if insists_on_json(text) and _INSISTS.match(text) else ()
    if isinstance(requests, Unreadable):
        return requests if problem else ()
    found = [_search(request, _patterns(request)) for request in requests]
    read = tuple(one for one in found if one)
    return read if read and len(read) == len(found) else problem


def _patterns(request: Arguments) -> tuple[str, ...]:
    return (*request.all(_PATTERNS), *request.all(_REGEXES))


def _search(request: Arguments, patterns: Sequence[str]) -> SearchRequest | None:
    if not patterns or any("\n" in pattern for pattern in patterns):
        return None
    several = len(patterns) > 1
    is_plain = True in request.all(_PLAIN) or False in request.all(_IS_REGEX)
    both, before, after = map(request.all, (_AROUND, _BEFORE, _AFTER))
    # JSON's backspace means the end of a word
    whole = [
        re.escape(one) if several and is_plain else one.replace("\b", r"\b") for one in patterns
    ]
    return SearchRequest(
        "|".join(whole),
        within(request.all(_FOLDERS), request.all(_GLOBS)),
        ignore_case=True in request.all(_IGNORE_CASE) or False in request.all(_CASE),
        whole_words=True in request.all(_WORDS),
        plain=is_plain and not several,
        repaired=True,
        left_out=request.left_out,
        around=(max((*both, *before), default=0), max((*both, *after), default=0)),
    )


def _typed(plain: SearchRequest, is_path: IsPath) -> SearchRequest | None:
    """Read the pattern as a command line, with options anywhere. None: it is a plain pattern."""

    def can_be_path(word: str) -> bool:
        return is_path(word) or _PATH_LIKE.fullmatch(word) is not None

    tail = _PATH_TAIL.fullmatch(plain.pattern)
    if tail and can_be_path(tail["path"]):
        globs = (tail["path"], *plain.globs)
        return replace(plain, pattern=tail["pattern"], globs=globs, repaired=True)
    line = _SHELL_TAIL.sub("", _PROGRAM.sub("", plain.pattern))
    if not line.lstrip().startswith(("-", '"', "'", "`")):
        return None
    try:
        options, others = getopt.gnu_getopt([word.text for word in words(line)], _SHORT, _LONG)
    except getopt.GetoptError:
        return None
    at = 0 if {"-e", "--regexp"} & {name for name, _ in options} else len(others)
    while at > 1 and can_be_path(others[at - 1]):
        at -= 1
    if not options and not others[at:]:
        return None
    switches = [(name, value or True) for name, value in options if name not in _DONE_ANYWAY]
    request = arguments_from([*switches, ("path", others[at:])], _TABLE)
    found = _search(request, (*filter(None, [" ".join(others[:at])]), *_patterns(request)))
    if found is None:
        return None
    around = found.around if any(found.around) else plain.around
    return replace(found, globs=(*found.globs, *plain.globs), around=around)
