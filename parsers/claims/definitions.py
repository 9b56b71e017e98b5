"""Whether a line of source defines a name, or uses it: by how it is written, in any language."""

import re
from enum import StrEnum
from functools import lru_cache

_COMMENT = re.compile(r"\s*(?:#(?!\s*define)|//|/?\*|--\s|;|<!--|\"\"\"|''')")
_SAID = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`")
_BEHIND_CODE = re.compile(r"\s+(?:#|//).*$")
_TEXT = (".md", ".rst", ".txt", ".adoc", ".lock", ".svg", ".log", ".patch", ".diff")
_SETTINGS = (".toml", ".cfg", ".ini", ".yml", ".yaml", ".json", ".in", ".env", ".properties")
_DATA = (
    *_SETTINGS,
    ".csv",
    ".tsv",
    ".xml",
    ".po",
    ".html",
    ".htm",
    ".tmpl",
    ".jinja",
    ".j2",
    ".sql",
)
_ASIDE = re.compile(
    r"(?:^|/)(?:tests?|testing|docs?|examples?|samples?|vendor|_vendor|vendored|third_party|thirdparty"
    r"|node_modules|fixtures?|benchmarks?|demos?|__tests__|dist|build|site-packages)/"
    r"|(?:^|/)(?:test_[^/]*|[^/]*_test|conftest|[^/]*\.(?:test|spec))\.\w+$",
    re.IGNORECASE,
)
_FUNCTIONS = "function|method|helper|routine|utility|command|fixture|decorator|wrapper|hook|api"
_CLASSES = "class|type|interface|struct|enum|component|mixin|subclass"
_VALUES = (
    "macro|variable|constant|setting|option|flag|field|attribute|property|config|configuration|parameter"
    "|argument|symbol"
)
_FILES = (
    "file|module|package|folder|directory|script|config file|configuration file|test file|makefile"
    "|readme|subpackage|submodule|path|template"
)


class Sort(StrEnum):
    """Of a definition."""

    FUNCTION = "function"
    CLASS = "class"
    VALUE = "value"
    FILE = "file"


_SORTS = {
    kind: sort
    for sort, kinds in (
        (Sort.FUNCTION, _FUNCTIONS),
        (Sort.CLASS, _CLASSES),
        (Sort.VALUE, _VALUES),
        (Sort.FILE, _FILES),
    )
    for kind in kinds.split("|")
}
_KEYWORDS = re.compile(
    r"\b(?P<function>def|function|func|fn|sub|proc)|\b(?P<class>class|struct|interface|enum|trait|type)"
)


def sort_of_kind(kind: str) -> Sort | None:
    """What a word of plain English means."""
    return _SORTS.get(kind)


def sort_before(text: str, name: str) -> Sort | None:
    """By the keyword that stands before a name, as in `def name`."""
    found = re.search(rf"(?:{_KEYWORDS.pattern})(?:\\s[+*]?|\s)+{re.escape(name)}\b", text)
    if not found:
        return None
    return Sort.FUNCTION if found["function"] else Sort.CLASS


def defined_as(line: str, name: str) -> Sort | None:
    if name not in line or _COMMENT.match(line):
        return None
    bare = _SAID.sub('""', line)  # what is said in a text defines nothing, but the key of a value
    return next(
        (
            sort
            for sort, pattern in _patterns(name)
            if pattern.search(line if sort is Sort.VALUE else bare)
        ),
        None,
    )


def stands_in(line: str, name: str) -> bool:
    """Whether a line of data has it: neither in a comment, nor as a word of a text."""
    if _COMMENT.match(line):
        return False
    texts = (found[0] for found in _SAID.finditer(line) if " " in found[0])
    return line.count(name) > sum(text.count(name) for text in texts)


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
                     rf"|readonly|volatile|unsigned|pub|mut)\s+)*(?:(?!return\b)[A-Za-z][\w<>\[\]]*\s+"
                     rf"[*&]?)?(?:self\.|this\.)?{word}(?:\[\w*\])?\s*(?::[^=]+)?(?::=|=(?!=))"),
        (Sort.VALUE, rf"(?i:\b(?:view|table|index|trigger))\s+(?:(?i:if not exists)\s+)?"
                     rf"[\"`]?{word}\b"),
        (Sort.VALUE, rf"^\s*#\s*define\s+{word}\b"),
        (Sort.VALUE, rf"^\s*(?:-\s+)?[\"']?{word}[\"']?\s*:(?!:)"),
        (Sort.VALUE, rf"[\"']{word}[\"']" if name.startswith("-") else r"(?!)"),
    )  # fmt: skip
    return tuple((sort, re.compile(pattern)) for sort, pattern in rows)


def uses(path: str, line: str, name: str) -> bool:
    """A call, an import, or a setting that names it."""
    if _COMMENT.match(line) or path.endswith(_TEXT) or is_aside(path):
        return False
    word, line = re.escape(name), _BEHIND_CODE.sub("", line)
    if path.endswith(_SETTINGS):
        return bool(re.search(rf"(?<![\w-]){word}(?![\w-])", line))
    if re.search(rf"[\"'][^\"']*\b{word}\b[^\"']*[\"']", line):
        return False
    is_imported = re.search(rf"\b(?:import|require|use|include)\b.*\b{word}\b", line)
    is_called = re.search(
        rf"(?<!def )(?<!class )(?<!func )(?<!function )(?<!fn )\b{word}\s*\(", line
    )
    return bool(is_imported or (is_called and not defined_as(line, name)))


def is_aside(path: str) -> bool:
    """Tests, documents, copies of others' code: what is defined there is not the project's."""
    return bool(_ASIDE.search(path))


def is_data(path: str) -> bool:
    """Settings, tables, templates: what stands there is there, without a keyword before it."""
    return path.endswith(_DATA)


def is_prose(path: str) -> bool:
    return path.endswith(_TEXT)
