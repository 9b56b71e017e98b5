"""Whether a line of source defines a name: by how it is written, in any language."""

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
    r"(?:^|/)(?:tests?|testing|docs?|examples?|samples?|vendor|_vendor|vendored|third_party"
    r"|thirdparty"
    r"|node_modules|fixtures?|benchmarks?|demos?|__tests__|dist|build|site-packages)/"
    r"|(?:^|/)(?:test_[^/]*|[^/]*_test|conftest|[^/]*\.(?:test|spec))\.\w+$",
    re.IGNORECASE,
)


class Sort(StrEnum):
    """Of a definition."""

    FUNCTION = "function"
    CLASS = "class"
    VALUE = "value"
    FILE = "file"


_WORDS = {
    Sort.FUNCTION: "|function|method|helper|routine|utility|command|fixture|decorator|wrapper|hook"
    "|api|",
    Sort.CLASS: "|class|type|interface|struct|enum|component|mixin|subclass|",
    Sort.VALUE: "|macro|variable|constant|setting|option|flag|field|attribute|property|config"
    "|configuration|parameter|argument|symbol|",
    Sort.FILE: "|file|module|package|folder|directory|script|makefile|readme|subpackage|submodule"
    "|path|template|",
}
_KEYWORDS = re.compile(r"(def|function|func|fn|sub|proc)|class|struct|interface|enum|trait|type")


def sort_of_kind(kind: str) -> Sort | None:
    """What a word of plain English means: `config file`, `method`."""
    last = kind.rpartition(" ")[2]
    return next((sort for sort, words in _WORDS.items() if f"|{last}|" in words), None)


def sort_before(text: str, name: str) -> Sort | None:
    """By the keyword that stands before a name, as in `def name`."""
    found = re.search(rf"\b(?:{_KEYWORDS.pattern})(?:\\s[+*]?|\s)+{re.escape(name)}\b", text)
    if not found:
        return None
    return Sort.FUNCTION if found[1] else Sort.CLASS


def defined_as(line: str, name: str) -> Sort | None:
    if name not in line or _COMMENT.match(line):
        return None
    bare = _TEXT.sub('""', line)  # a text defines nothing, but may be the key of a value
    for sort, pattern in _patterns(name):
        if pattern.search(line if sort is Sort.VALUE else bare):
            return sort
    return None


@lru_cache(64)
def _patterns(name: str) -> tuple[tuple[Sort, re.Pattern[str]], ...]:
    word = re.escape(name)
    rows = (
        (Sort.FUNCTION, rf"\b(?:def|function\*?|func|fn|sub|proc)\s+(?:\([^)]*\)\s*)?{word}\b"),
        (Sort.FUNCTION, rf"^\s*(?:export\s+)?(?:const|let|var)\s+{word}\s*=\s*(?:async\s*)?"
                        rf"(?:function\b|\([^)]*\)\s*(?::[^=]+)?=>|\w+\s*=>)"),
        (Sort.FUNCTION, rf"^\s*(?:(?:public|private|protected|static|final|async|inline|cdef|cpdef"
                        rf"|extern|unsigned|const)\s+)*(?:[\w<>\[\],*&:]+\s+[*&]?)?{word}\s*"
                        rf"\([^;]*\)\s*(?:\{{|:.*$|throws\b.*|$)"),
        (Sort.CLASS, rf"\b(?:class|struct|interface|enum|trait|type|protocol|union|record)\s+"
                     rf"{word}\b"),
        (Sort.VALUE, rf"^\s*(?:export\s+)?(?:(?:const|let|var|static|final|public|private|extern"
                     rf"|readonly|volatile|unsigned|pub"
                     rf"|mut)\s+)*(?:(?!return\b)[A-Za-z][\w<>\[\]]*\s+"
                     rf"[*&]?)?(?:self\.|this\.)?{word}(?:\[\w*\])?\s*(?::[^=]+)?(?::=|=(?!=))"),
        (Sort.VALUE, rf"(?i:\b(?:view|table|index|trigger))\s+(?:(?i:if not exists)\s+)?"
                     rf"[\"`]?{word}\b"),
        (Sort.VALUE, rf"^\s*#\s*define\s+{word}\b"),
        (Sort.VALUE, rf"^\s*(?:-\s+)?[\"']?{word}[\"']?\s*:(?!:)"),
        (Sort.VALUE, rf"[\"']{word}[\"']" if name.startswith("-") else r"(?!)"),
    )  # fmt: skip
    return tuple((sort, re.compile(pattern)) for sort, pattern in rows)


def stands_in(line: str, name: str) -> bool:
    """Whether a line of data has it: neither in a comment, nor as a word of a text."""
    if _COMMENT.match(line):
        return False
    texts = (found[0] for found in _TEXT.finditer(line) if " " in found[0])
    return line.count(name) > sum(text.count(name) for text in texts)


def is_aside(path: str) -> bool:
    """Tests, documents, copies of others' code: what is defined there is not the project's."""
    return bool(_ASIDE.search(path))


def is_data(path: str) -> bool:
    """Settings, tables, templates: what stands there is there, without a keyword before it."""
    return bool(_DATA.search(path))


def is_prose(path: str) -> bool:
    return path.endswith(_PROSE)
