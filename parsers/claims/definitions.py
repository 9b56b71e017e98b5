"""Recognise a line of source code that defines a name, in any language, by the line's form.

definition = keyword NAME | type? NAME "(" ... ")" ("{" | ":")?         a function, a class
           | type? NAME (":" type)? ("=" | ":=") | NAME ":" | "#define" NAME   a value
"""

import re
from enum import StrEnum
from functools import lru_cache

_COMMENT = re.compile(r"\s*(?:#(?!\s*define)|//|/?\*|--\s|;|<!--|\"\"\"|''')")
_TEXT = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`")
_PROSE = (".md", ".rst", ".txt", ".adoc", ".lock", ".svg", ".log", ".patch", ".diff")
_DATA = re.compile(
    r"\.(?:toml|cfg|ini|ya?ml|json|in|env|properties|csv|tsv|xml|po|html?|tmpl|jinja|j2|sql)\Z"
)
_ASIDE = re.compile(
    r"(?:^|/)(?:tests?|testing|docs?|examples?|samples?|_?vendor|vendored|third_?party"
    r"|node_modules|fixtures?|benchmarks?|demos?|__tests__|dist|build|site-packages)/"
    r"|(?:^|/)(?:test_[^/]*|[^/]*_test|conftest|[^/]*\.(?:test|spec))\.\w+$",
    re.IGNORECASE,
)


class Sort(StrEnum):
    FUNCTION = "function"
    CLASS = "class"
    VALUE = "value"
    FILE = "file"


_ACCESS = (
    r"(?:(?:export|public|private|protected|static|final|async|extern|pub|mut|const|let|var)\s+)*"
)
_FUNCTIONS, _CLASSES = "def|function|func|fn|sub|proc", "class|struct|interface|enum|trait|type"


def sort_before(text: str, name: str) -> Sort | None:
    """Return the kind of definition given by the keyword before a name (`def name`), or None."""
    keyword = rf"\b(?:({_FUNCTIONS})|{_CLASSES})(?:\\s[+*]?|\s)+{re.escape(name)}\b"
    found = re.search(keyword, text)
    return (Sort.FUNCTION if found[1] else Sort.CLASS) if found else None


def defined_as(line: str, name: str) -> Sort | None:
    if name not in line or _COMMENT.match(line):
        return None
    bare = _TEXT.sub('""', line)  # a string defines nothing, but may be the key of a value
    for sort, pattern in _patterns(name):
        if pattern.search(line if sort is Sort.VALUE else bare):
            return sort
    return None


@lru_cache(64)
def _patterns(name: str) -> tuple[tuple[Sort, re.Pattern[str]], ...]:
    word = re.escape(name)
    rows = (
        (Sort.FUNCTION, rf"\b(?:{_FUNCTIONS})\*?\s+(?:\([^)]*\)\s*)?{word}\b"),
        (
            Sort.FUNCTION,
            rf"^\s*{_ACCESS}(?:(?!return\b)[\w<>\[\],*&:]+\s+[*&]?)?{word}\s*\([^;]*\)\s*"
            r"(?:[{:].*|throws\b.*)?$",
        ),
        (Sort.CLASS, rf"\b(?:{_CLASSES}|protocol|union|record)\s+{word}\b"),
        (
            Sort.VALUE,
            rf"^\s*{_ACCESS}(?:(?!return\b)[A-Za-z][\w<>\[\]]*\s+[*&]?)?(?:self\.|this\.)?{word}"
            r"(?:\[\w*\])?\s*(?::[^=]+)?:?=(?!=)",
        ),
        (Sort.VALUE, rf"(?i:\b(?:view|table|index)\s+(?:if not exists\s+)?)[\"`]?{word}\b"),
        (Sort.VALUE, rf"^\s*#\s*define\s+{word}\b|^\s*(?:-\s+)?[\"']?{word}[\"']?\s*:(?!:)"),
        (Sort.VALUE, rf"[\"']{word}[\"']" if name.startswith("-") else r"(?!)"),
    )
    return tuple((sort, re.compile(pattern)) for sort, pattern in rows)


def stands_in(line: str, name: str) -> bool:
    """Return whether a line of data contains the name outside comments and quoted prose."""
    texts = (found for found in _TEXT.findall(line) if " " in found)
    is_more = line.count(name) > sum(text.count(name) for text in texts)
    return is_more and not _COMMENT.match(line)


def is_aside(path: str) -> bool:
    """Return whether the path is a test, a document or a vendored file, not project source."""
    return bool(_ASIDE.search(path))


def is_data(path: str) -> bool:
    """Return whether the path is a data file, where a definition needs no keyword."""
    return bool(_DATA.search(path))


def is_prose(path: str) -> bool:
    return path.endswith(_PROSE)
