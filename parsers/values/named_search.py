"""A search that is asked for by the names of its parts.

search = pattern with folders, globs and flags | "[" pattern ("," pattern)* "]"

The names are those that models give. What has another name is left out and said. An object without
a pattern is a pattern itself.
"""

import re
from collections.abc import Sequence

from react_agent.parsers.errors import ParseError
from react_agent.parsers.unreadable import Unreadable
from react_agent.parsers.values.arguments import Part, Parts, read_named, read_object, texts
from react_agent.parsers.values.searches import SearchRequest, at_most, within

_PATTERNS = frozenset(
    {"pattern", "query", "regex", "regexp", "search", "searchpattern", "searchterm", "keyword"}
    | {"text", "patterns", "queries", "searchterms", "keywords", "terms", "regexes"}
)
_FOLDERS = frozenset(
    {"path", "paths", "folder", "folders", "dir", "directory", "directories", "file", "files"}
    | {"filepath", "filename", "in", "searchpath", "targetdirectory", "targetdirectories"}
)
_GLOBS = frozenset({"glob", "globs", "include", "includes", "includepattern", "filepattern"})
_IGNORE_CASE = frozenset({"i", "ignorecase", "caseinsensitive"})
_CASE = frozenset({"casesensitive", "matchcase"})
_WORDS = frozenset({"w", "word", "words", "wholeword", "wholewords", "wordregexp"})
_PLAIN = frozenset({"f", "fixedstring", "fixedstrings", "literal", "plain"})
_REGEX = frozenset({"regex", "regexp", "isregex", "useregex"})
_AROUND = frozenset({"c", "context", "contextlines", "linesofcontext"})
_BEFORE = frozenset({"b", "before", "beforecontext", "linesbefore"})
_AFTER = frozenset({"a", "after", "aftercontext", "linesafter"})
_INSISTS = re.compile(rf"""\s*\{{\s*["'“”]?(?:{"|".join(sorted(_PATTERNS))})["'“”]?\s*:""")
_LONGEST = 10  # digits
_WORD = 3  # letters; shorter ones in brackets are a set of letters
_HINT = "write only the pattern, and path: FOLDER or GLOB on a second line to search a part"
_NO_PATTERN = f"there must be one pattern of one line in it: {_HINT}"


def object_search(text: str) -> SearchRequest | Unreadable | None:
    """None if the text is no object with a pattern."""
    try:
        requests = read_object(text)
    except ParseError as error:
        return Unreadable(f"{error}; {_HINT}") if _INSISTS.match(text) else None
    if _are_patterns(requests):
        words = Parts([Part("pattern", [part.value for one in requests for part in one.left])])
        return _search(words) or Unreadable(_NO_PATTERN)
    if len(requests) != 1 or not any(part.key in _PATTERNS for part in requests[0].left):
        return None
    return _search(requests[0]) or Unreadable(_NO_PATTERN)


def _are_patterns(requests: Sequence[Parts]) -> bool:
    """A list of nothing but words; as a pattern, it would be a set of letters."""
    values = [part.value for one in requests for part in one.left if not part.name]
    are_all = len(values) == sum(len(one.left) for one in requests)
    return are_all and any(isinstance(value, str) and len(value) >= _WORD for value in values)


def field_search(text: str) -> SearchRequest | None:
    """None if the text is no fields with one pattern; with it, it may be a pattern all the same."""
    requests = read_named(text, _PATTERNS - _REGEX) or read_named(text, _REGEX)
    return _search(requests[0]) if len(requests) == 1 else None


def _search(parts: Parts) -> SearchRequest | None:
    is_regex = parts.take(_REGEX, _switch)
    patterns = parts.take(_PATTERNS, texts)
    if len(patterns) != 1 or any("\n" in pattern for pattern in patterns[0]):
        return None
    several = len(patterns[0]) > 1
    globs = within(_all(parts, _FOLDERS), _all(parts, _GLOBS))
    ignored, minded = parts.take(_IGNORE_CASE, _switch), parts.take(_CASE, _switch)
    whole_words, plain = parts.take(_WORDS, _switch), parts.take(_PLAIN, _switch)
    both, before, after = (parts.take(keys, _count) for keys in (_AROUND, _BEFORE, _AFTER))
    is_plain = True in plain or False in is_regex
    # a backspace is never looked for, the end of a word is
    whole = [
        re.escape(one) if several and is_plain else one.replace("\b", r"\b") for one in patterns[0]
    ]
    return SearchRequest(
        "|".join(whole),
        globs,
        ignore_case=True in ignored or False in minded,
        whole_words=True in whole_words,
        plain=is_plain and not several,
        mended=True,
        left_out=parts.names,
        around=(max((*both, *before), default=0), max((*both, *after), default=0)),
    )


def _all(parts: Parts, keys: frozenset[str]) -> tuple[str, ...]:
    return tuple(one for several in parts.take(keys, texts) for one in several)


def _count(value: object) -> int | None:
    text = str(value)
    return at_most(text) if text.isdecimal() and text.isascii() and len(text) < _LONGEST else None


def _switch(value: object) -> bool | None:
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.casefold())
    return value if isinstance(value, bool) else None
