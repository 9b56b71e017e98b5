"""Read a search request: an object, fields, lines, or a shell command.

request = (pattern | "path:" glob | "context:" number) NEWLINE, one or more, with a pattern
        | pattern with folders, globs and flags, by their names
        | command                                 a search, with or without its program (lookups.py)

Options on their own lines apply to each pattern. An object without a pattern is itself a pattern.
The caller knows the files and decides whether a word is a path.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from react_agent.parsers.shell.lookups import lookup
from react_agent.parsers.values.arguments import (
    FOLDER_NAMES,
    GLOB_NAMES,
    PATH_NAMES,
    PATTERN_NAMES,
    REGEX_NAMES,
    Argument,
    Arguments,
    Table,
    Unreadable,
    alternatives,
    flags,
    numbers,
    read_arguments,
    texts,
    within,
)
from react_agent.parsers.values.damaged_json import insists_on_json

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
_HINT = "write only the pattern, and path: FOLDER or GLOB on a second line to search a part"
_NOTHING = Unreadable("no pattern given: write an extended regular expression")
_NO_PATTERN = Unreadable(f"exactly one pattern on one line is expected: {_HINT}")
_PROGRAM = re.compile(r"(?:git +)?grep +-|rg +-")


@dataclass(frozen=True, slots=True)
class SearchRequest:
    pattern: str
    globs: tuple[str, ...] = ()
    ignore_case: bool = False
    whole_words: bool = False
    plain: bool = False  # a plain text, not a regular expression
    repaired: bool = False  # the pattern was repaired, and the observation says how
    left_out: tuple[str, ...] = ()  # options
    around: int = 0  # lines shown before and after each match


Readings = tuple[SearchRequest, ...]  # of one pattern, in the order in which they are tried


def searches(text: str, is_path: IsPath) -> tuple[Readings, ...] | Unreadable:
    """Return the possible readings of each pattern.

    `query: str` is first searched for literally. If it is not found, `str` is searched for.
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
        typed = _typed(one, is_path)
        read.append((typed, one) if typed else (one,))
    return tuple(read) or _NOTHING


def _plain(text: str) -> list[SearchRequest]:
    patterns, globs, around = dict[str, None](), list[str](), 0
    lines = [line.rstrip("\r") for line in text.split("\n") if line.strip()]
    for line in lines:
        if found := _PATH_LINE.fullmatch(line):
            given = found["glob"].strip().strip("`'\"")
            globs += alternatives(given) if "{" in given else given.split(", ")
        elif found := _CONTEXT_LINE.fullmatch(line):
            around = min(int(found["number"]), _MOST_AROUND)
        else:
            patterns[line] = None
    if not patterns:  # with no other line, a setting is itself the pattern
        return [SearchRequest(line) for line in lines[:1]]
    return [SearchRequest(pattern, tuple(globs), around=around) for pattern in patterns]


_IS_REGEX = Argument(REGEX_NAMES | {"isregex", "useregex"}, flags)
_PATTERNS = Argument(PATTERN_NAMES, texts, begins=True)
_REGEXES = Argument(REGEX_NAMES, texts, begins=True)
_FOLDERS = Argument(PATH_NAMES | FOLDER_NAMES, texts)
_GLOBS = Argument(GLOB_NAMES | {"g"}, texts)
_IGNORE_CASE = Argument({"i", "ignorecase", "caseinsensitive"}, flags)
_CASE = Argument({"casesensitive", "matchcase"}, flags)
_WORDS = Argument({"w", "word", "words", "wholeword", "wholewords", "wordregexp"}, flags)
_PLAIN = Argument({"f", "fixedstring", "fixedstrings", "literal", "plain"}, flags)
_AROUND = Argument(
    {"c", "context", "contextlines", "linesofcontext", "a", "after", "aftercontext"}
    | {"linesafter", "b", "before", "beforecontext", "linesbefore"},
    numbers,
)
_TABLE: Table = (
    *(_IS_REGEX, _PATTERNS, _REGEXES, _FOLDERS, _GLOBS, _IGNORE_CASE, _CASE, _WORDS, _PLAIN),
    _AROUND,
)


def _by_name(text: str) -> Readings | Unreadable:
    """Return the searches of an object or of fields, or none if they name no pattern."""
    requests = read_arguments(text, _TABLE, _HINT)
    problem = _NO_PATTERN if insists_on_json(text) and _INSISTS.match(text) else ()
    if isinstance(requests, Unreadable):
        return requests if problem else ()
    found = [_search(request) for request in requests]
    read = tuple(one for one in found if one)
    return read if read and len(read) == len(found) else problem


def _search(request: Arguments) -> SearchRequest | None:
    patterns = (*request.all(_PATTERNS), *request.all(_REGEXES))
    if not patterns or any("\n" in pattern for pattern in patterns):
        return None
    several = len(patterns) > 1
    is_plain = True in request.all(_PLAIN) or False in request.all(_IS_REGEX)
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
        around=min(max((0, *request.all(_AROUND))), _MOST_AROUND),
    )


def _typed(plain: SearchRequest, is_path: IsPath) -> SearchRequest | None:
    """Read the pattern as a command or as arguments of `grep`, or return None if it is plain."""
    line = plain.pattern.strip()
    if line.startswith(("-", '"', "'")):
        call = lookup(f"grep -E {line}") or lookup(f"rg {line}")
    else:
        call = lookup(line) if _PROGRAM.match(line) else None
    found = _by_name(call.input) if call else ()
    if isinstance(found, Unreadable) or len(found) != 1:
        return None
    [request] = found
    is_quoted = line[0] in "\"'" and not request.globs
    if is_quoted or not all(is_path(one) or "/" in one or "*" in one for one in request.globs):
        return None
    return replace(request, globs=(*request.globs, *plain.globs), around=plain.around)
