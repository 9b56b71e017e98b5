r"""What to search for, and where: as an object, as fields, or a pattern a line.

request = (["also:"] pattern NEWLINE)+ ("path:" glob NEWLINE | "context:" number NEWLINE)*
        | pattern with folders, globs and flags, by their names | "[" pattern ("," pattern)* "]"

What is said besides the patterns holds for each. An object without a pattern is one itself.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from react_agent.parsers.values.arguments import (
    FOLDER_NAMES,
    GLOB_NAMES,
    PATH_NAMES,
    PATTERN_NAMES,
    REGEX_NAMES,
    Argument,
    Arguments,
    Table,
    read_arguments,
    texts,
    within,
)
from react_agent.parsers.values.damaged_json import insists_on_json
from react_agent.parsers.values.unreadable import Unreadable

MOST_AROUND = 10  # lines
_PATH_LINE = re.compile(r"(?:paths?|in|files?)\s*[:=]\s*(?P<glob>.+)", re.IGNORECASE)
_CONTEXT_LINE = re.compile(
    r"(?:(?:lines of )?context(?: lines)?\s*[:=]\s*|--context[= ]|-C ?)(?P<number>\d{1,9})"
    r"(?: lines?)?",
    re.IGNORECASE,
)
_ALSO = re.compile(r"\s*(?:also|and|or|patterns?|quer(?:y|ies))\s*:\s+(?=\S)", re.IGNORECASE)
_INSISTS = re.compile(
    rf"""\s*\{{\s*["'“”]?(?:{"|".join(sorted(PATTERN_NAMES | REGEX_NAMES))})["'“”]?\s*:"""
)
_NUMBER = re.compile(r"[0-9]{1,9}")
_WORD = 3  # letters; shorter ones in brackets are a set of letters
_HINT = "write only the pattern, and path: FOLDER or GLOB on a second line to search a part"
_NO_PATTERN = Unreadable(f"there must be one pattern of one line in it: {_HINT}")


@dataclass(frozen=True, slots=True)
class SearchRequest:
    pattern: str
    globs: tuple[str, ...] = ()
    ignore_case: bool = False
    whole_words: bool = False
    plain: bool = False  # no regular expression
    mended: bool = False  # it was not written like this: it has to be said how it was read
    left_out: tuple[str, ...] = ()  # options
    around: tuple[int, int] = (0, 0)  # lines shown before and after each that matches


def parse_search_request(text: str) -> SearchRequest | Unreadable:
    lines = text.strip("\n").split("\n")
    pattern = lines[0].rstrip("\r")
    if not pattern.strip():
        return Unreadable("there is no pattern: write an extended regular expression")
    globs, around = [], (0, 0)
    for number, line in enumerate(lines[1:], 2):
        if found := _PATH_LINE.fullmatch(line.strip()):
            globs.append(found["glob"].strip().strip("`'\""))
        elif found := _CONTEXT_LINE.fullmatch(line.strip()):
            around = (at_most(found["number"]),) * 2
        elif line.strip():
            return Unreadable(
                f"line {number}: expected `path: GLOB`, found {line.strip()[:80]!r}; "
                "a pattern is one line"
            )
    return SearchRequest(pattern, tuple(globs), around=around)


def _is_setting(line: str) -> bool:
    """Whether a line below the pattern says where to search, or how much to show."""
    bare = line.strip()
    return bool(_PATH_LINE.fullmatch(bare) or _CONTEXT_LINE.fullmatch(bare))


def at_most(number: str) -> int:
    return min(int(number), MOST_AROUND)


def searches(text: str) -> tuple[str, ...]:
    """One text for each pattern; the text itself where there is only one."""
    lines = [line for line in text.split("\n") if line.strip()]
    settings = [line for line in lines if _is_setting(line)]
    patterns = [line for line in lines if not _is_setting(line)]
    if len(patterns) < 2 or object_search(text) or field_search(text):
        return (text,)
    bare = dict.fromkeys(_ALSO.sub("", pattern, count=1) for pattern in patterns)
    return tuple("\n".join((pattern, *settings)) for pattern in bare)


def _switch(value: object) -> tuple[bool] | None:
    read = {"true": True, "false": False}.get(str(value).casefold())
    return None if read is None else (read,)


def _count(value: object) -> tuple[int] | None:
    return (at_most(str(value)),) if _NUMBER.fullmatch(str(value)) else None


_IS_REGEX = Argument(REGEX_NAMES | {"isregex", "useregex"}, _switch)
_PATTERNS = Argument(PATTERN_NAMES, texts, begins=True)
_REGEXES = Argument(REGEX_NAMES, texts, begins=True)
_LISTED = Argument({""}, lambda value: (value,))
_FOLDERS = Argument(PATH_NAMES | FOLDER_NAMES, texts)
_GLOBS = Argument(GLOB_NAMES, texts)
_IGNORE_CASE = Argument({"i", "ignorecase", "caseinsensitive"}, _switch)
_CASE = Argument({"casesensitive", "matchcase"}, _switch)
_WORDS = Argument({"w", "word", "words", "wholeword", "wholewords", "wordregexp"}, _switch)
_PLAIN = Argument({"f", "fixedstring", "fixedstrings", "literal", "plain"}, _switch)
_AROUND = Argument({"c", "context", "contextlines", "linesofcontext"}, _count)
_BEFORE = Argument({"b", "before", "beforecontext", "linesbefore"}, _count)
_AFTER = Argument({"a", "after", "aftercontext", "linesafter"}, _count)
_TABLE: Table = (
    *(_IS_REGEX, _PATTERNS, _REGEXES, _LISTED, _FOLDERS, _GLOBS),
    *(_IGNORE_CASE, _CASE, _WORDS, _PLAIN, _AROUND, _BEFORE, _AFTER),
)


def object_search(text: str) -> SearchRequest | Unreadable | None:
    """None if the text is no object with a pattern."""
    requests = read_arguments(text, _TABLE, _HINT) if insists_on_json(text) else ()
    if isinstance(requests, Unreadable):
        return requests if _INSISTS.match(text) else None
    listed = [one for request in requests for one in request.all(_LISTED)]
    if listed and len(listed) == len(requests):
        if not any(isinstance(one, str) and len(one) >= _WORD for one in listed):
            return None
        return _search(requests[0], texts(listed) or ()) or _NO_PATTERN
    if len(requests) != 1:
        return None
    found = _search(requests[0], _patterns(requests[0]))
    return found or (_NO_PATTERN if _INSISTS.match(text) else None)


def field_search(text: str) -> SearchRequest | None:
    """None if the text is no fields with one pattern; with it, it may be a pattern all the same."""
    requests = () if insists_on_json(text) else read_arguments(text, _TABLE)
    if isinstance(requests, Unreadable) or len(requests) != 1:
        return None
    return _search(requests[0], _patterns(requests[0]))


def _patterns(request: Arguments) -> Sequence[str]:
    return (*request.all(_PATTERNS), *request.all(_REGEXES))


def _search(request: Arguments, patterns: Sequence[str]) -> SearchRequest | None:
    if not patterns or any("\n" in pattern for pattern in patterns):
        return None
    several = len(patterns) > 1
    is_plain = True in request.all(_PLAIN) or False in request.all(_IS_REGEX)
    both, before, after = map(request.all, (_AROUND, _BEFORE, _AFTER))
    # a backspace is never looked for, the end of a word is
    whole = [
        re.escape(one) if several and is_plain else one.replace("\b", r"\b") for one in patterns
    ]
    return SearchRequest(
        "|".join(whole),
        within(request.all(_FOLDERS), request.all(_GLOBS)),
        ignore_case=True in request.all(_IGNORE_CASE) or False in request.all(_CASE),
        whole_words=True in request.all(_WORDS),
        plain=is_plain and not several,
        mended=True,
        left_out=request.left_out,
        around=(max((*both, *before), default=0), max((*both, *after), default=0)),
    )
