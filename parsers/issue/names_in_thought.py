"""Names of files and symbols in prose, where the way they are written leaves no doubt.

name = path | a_b | CamelCase | UPPER_CASE | called() | dotted.name | --option | `without a blank`
"""

import re
from collections.abc import Iterator

_TICKED = re.compile(r"`([^`\s]{2,120})`")
_TOKEN = re.compile(r"[\w@][\w./-]*\w|\w")
_CALLED = re.compile(r"\b([^\W\d]\w*)\(")
_OPTION = re.compile(r"(?<![\w-])--([A-Za-z][\w-]+\w)")
_CAMEL = re.compile(r"[A-Za-z]*[a-z0-9][A-Z][A-Za-z0-9]*|[A-Z]{2,}[a-z][A-Za-z0-9]*")
_FILE = re.compile(r"[\w./-]*\w\.[A-Za-z][A-Za-z0-9]{0,5}")
_DOTTED = re.compile(r"[^\W\d]\w{2,}(?:\.[^\W\d]\w+)+")
_SHORTEST = 3
_LONGEST = 120
_NO_NAMES = frozenset({"and/or", "e.g", "i.e", "etc", "GitHub", "JavaScript", "TypeScript"})


def names_in_thought(text: str) -> tuple[str, ...]:
    """Each once, in order."""
    return tuple(dict.fromkeys(_names(text[:10_000])))


def is_path(name: str) -> bool:
    return "/" in name or bool(_FILE.fullmatch(name) and not name.rpartition(".")[2].isupper())


def _names(text: str) -> Iterator[str]:
    for found in _TICKED.finditer(text):
        bare = found[1].removesuffix("()").strip("'\"()[],.:;")
        if len(bare) >= _SHORTEST and _TOKEN.fullmatch(bare):
            yield bare
    yield from (found[1] for found in _CALLED.finditer(text) if len(found[1]) >= _SHORTEST)
    yield from (found[1] for found in _OPTION.finditer(text))
    for found in _TOKEN.finditer(text):
        name = found[0]
        if _SHORTEST <= len(name) <= _LONGEST and name not in _NO_NAMES and _is_name(name):
            yield name


def _is_name(name: str) -> bool:
    last = name.rpartition("/")[2]
    if "/" in name:
        return bool(_FILE.fullmatch(name)) or name.count("/") > 1 or "_" in name
    if "_" in name.strip("_"):
        return True
    return bool(_CAMEL.fullmatch(name) or _FILE.fullmatch(last) or _DOTTED.fullmatch(name))
