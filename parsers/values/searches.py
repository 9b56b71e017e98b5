r"""What to search for, and where: as an object, as fields, lines, or as it is typed in a shell.

request = (["also:"] pattern NEWLINE)+ ("path:" glob NEWLINE | "context:" number NEWLINE)*
        | pattern with folders, globs and flags, by their names | "[" pattern ("," pattern)* "]"
        | [program] option* (quoted | word+) (path | option)* | pattern "path:" path

What is said besides the patterns holds for each. An object without a pattern is one itself. What is
a path is asked of whoever knows the files.
"""

import getopt
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from react_agent.parsers.values.arguments import (
    FOLDER_NAMES,
    GLOB_NAMES,
    PATH_NAMES,
    PATTERN_NAMES,
    REGEX_NAMES,
    Argument,
    Arguments,
    Table,
    arguments_from,
    read_arguments,
    texts,
    within,
)
from react_agent.parsers.values.commands import Word, words
from react_agent.parsers.values.damaged_json import insists_on_json
from react_agent.parsers.values.unreadable import Unreadable

IsPath = Callable[[str], bool]

_MOST_AROUND = 10  # lines
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
_DONE_ANYWAY = {*(f"-{letter}" for letter in "rRnHIsEP"), "--recursive", "--line-number"}
_DONE_ANYWAY |= {"--with-filename", "--no-heading", "--extended-regexp", "--perl-regexp"}
_INVERTING = {"-v", "-L", "--invert-match", "--files-without-match"}
_QUOTED = "\0"  # before a word that was quoted: it is no option
_LONGEST = 1_000  # characters; what is longer was not typed
_INVERTED = (
    "lines that do not match (-v, -L) can't be searched for: write only the pattern, an extended "
    "regular expression"
)


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


class Readings(NamedTuple):
    requests: tuple[SearchRequest, ...]  # in the order in which they are tried
    likeliest: SearchRequest  # reported if none finds anything


def _written(text: str) -> SearchRequest | Unreadable:
    lines = text.strip("\n").split("\n")
    pattern = lines[0].rstrip("\r")
    if not pattern.strip():
        return Unreadable("there is no pattern: write an extended regular expression")
    globs, around = [], (0, 0)
    for number, line in enumerate(lines[1:], 2):
        if found := _PATH_LINE.fullmatch(line.strip()):
            globs.append(found["glob"].strip().strip("`'\""))
        elif found := _CONTEXT_LINE.fullmatch(line.strip()):
            around = (_at_most(found["number"]),) * 2
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


def _at_most(number: str) -> int:
    return min(int(number), _MOST_AROUND)


def searches(text: str) -> tuple[str, ...]:
    """One text for each pattern; the text itself where there is only one."""
    lines = [line for line in text.split("\n") if line.strip()]
    settings = [line for line in lines if _is_setting(line)]
    patterns = [line for line in lines if not _is_setting(line)]
    if len(patterns) < 2 or _by_name(text):
        return (text,)
    bare = dict.fromkeys(_ALSO.sub("", pattern, count=1) for pattern in patterns)
    return tuple("\n".join((pattern, *settings)) for pattern in bare)


def _switch(value: object) -> tuple[bool] | None:
    read = {"true": True, "false": False}.get(str(value).casefold())
    return None if read is None else (read,)


def _count(value: object) -> tuple[int] | None:
    return (_at_most(str(value)),) if _NUMBER.fullmatch(str(value)) else None


_IS_REGEX = Argument(REGEX_NAMES | {"isregex", "useregex"}, _switch)
_PATTERNS = Argument(PATTERN_NAMES | {"e"}, texts, begins=True)
_REGEXES = Argument(REGEX_NAMES, texts, begins=True)
_LISTED = Argument({""}, lambda value: (value,))
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
    *(_IS_REGEX, _PATTERNS, _REGEXES, _LISTED, _FOLDERS, _GLOBS),
    *(_IGNORE_CASE, _CASE, _WORDS, _PLAIN, _AROUND, _BEFORE, _AFTER),
)


def readings(text: str, is_path: IsPath) -> Readings | Unreadable:
    """`query: str` may be meant as it is written; if that is not found, a query was meant."""
    named = _by_name(text)
    if isinstance(named, Unreadable):
        return named
    if named and insists_on_json(text):
        return Readings((named,), named)
    plain = _plain_readings(text, is_path)
    if named is None:
        return plain if isinstance(plain, Unreadable) else Readings(plain, plain[0])
    return Readings((*(plain if isinstance(plain, tuple) else ()), named), named)


def _by_name(text: str) -> SearchRequest | Unreadable | None:
    """Of an object or of fields; None where they name no pattern."""
    requests, is_object = read_arguments(text, _TABLE, _HINT), insists_on_json(text)
    problem = _NO_PATTERN if is_object and _INSISTS.match(text) else None
    if isinstance(requests, Unreadable):
        return requests if problem else None
    listed = [one for request in requests for one in request.all(_LISTED)]
    if listed and len(listed) == len(requests):
        is_set = not any(isinstance(one, str) and len(one) >= _WORD for one in listed)
        return None if is_set else _search(requests[0], texts(listed) or ()) or _NO_PATTERN
    if len(requests) != 1:
        return None
    patterns = (*requests[0].all(_PATTERNS), *requests[0].all(_REGEXES))
    return _search(requests[0], patterns) or problem


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


def _plain_readings(text: str, is_path: IsPath) -> tuple[SearchRequest, ...] | Unreadable:
    literal = _written(text)
    if isinstance(literal, Unreadable):
        return literal
    if len(literal.pattern) > _LONGEST:
        return (literal,)
    tail = _PATH_TAIL.fullmatch(literal.pattern)
    head = tail["pattern"] if tail else literal.pattern
    paths = (tail["path"].strip().strip("`'\""),) if tail else ()
    line = _SHELL_TAIL.sub("", _PROGRAM.sub("", head))
    typed = _typed(line, is_path) if line.lstrip().startswith(("-", '"', "'", "`")) else None
    meant = typed or _untyped(head, paths, is_path)
    if isinstance(meant, Unreadable):
        return meant
    if meant is None:
        return (literal,)
    around = meant.around if any(meant.around) else literal.around
    globs = (*meant.globs, *paths, *literal.globs)
    mended = replace(meant, globs=globs, around=around, mended=True)
    likely = typed is not None or any(_can_be_path(path, is_path) for path in paths)
    return (mended, literal) if likely else (literal, mended)


def _can_be_path(word: str, is_path: IsPath) -> bool:
    return is_path(word) or _PATH_LIKE.fullmatch(word) is not None


def _untyped(head: str, paths: tuple[str, ...], is_path: IsPath) -> SearchRequest | None:
    """`class Patch path: src`; `class Patch src/x.py`, where that can hardly be of the pattern."""
    given = [*words(head)]
    if paths:
        return SearchRequest(given[0].text if given[0].quoted and len(given) == 1 else head)
    pattern, after = _peeled([word.text for word in given], is_path)
    if not after or not all("." in path.strip(".") or "/" in path for path in after):
        return None
    return SearchRequest(" ".join(pattern), within(after, ()))


def _typed(line: str, is_path: IsPath) -> SearchRequest | Unreadable | None:
    """None if one of the options is not known; they may be anywhere in the line."""
    given = ["-n" if _COLOUR.fullmatch(word.text) else _marked(word) for word in words(line)]
    try:
        options, others = getopt.gnu_getopt(given, _SHORT, _LONG)
    except getopt.GetoptError:
        return None
    names = {name for name, _ in options}
    has_pattern = bool(names & {"-e", "--regexp"})
    if names & _INVERTING and (others or has_pattern):
        return Unreadable(_INVERTED)
    plain, found = [word.removeprefix(_QUOTED) for word in others], list[str]()
    if has_pattern:
        paths = plain
    elif others and others[0].startswith(_QUOTED):
        found, paths = plain[:1], plain[1:]
    else:
        peeled, paths = _peeled(plain, lambda word: _can_be_path(word, is_path))
        found = [" ".join(peeled)]
    if not options and not (paths and all(_can_be_path(path, is_path) for path in paths)):
        return None
    switches = [
        (name, value.removeprefix(_QUOTED) or True)
        for name, value in options
        if name not in _DONE_ANYWAY
    ]
    request = arguments_from([*switches, ("path", paths)], _TABLE)
    return _search(request, (*filter(None, found), *request.all(_PATTERNS), *request.all(_REGEXES)))


def _marked(word: Word) -> str:
    return f"{_QUOTED}{word.text}" if word.quoted else word.text


def _peeled(given: Sequence[str], is_path: IsPath) -> tuple[Sequence[str], list[str]]:
    """The words of a pattern, one at least, and the paths after them."""
    at = len(given)
    while at > 1 and is_path(given[at - 1]):
        at -= 1
    return given[:at], [*given[at:]]
