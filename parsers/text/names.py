"""Recognise the names of files and symbols by their spelling.

name   = path | symbol
path   = name "/" name ... | name "." a known extension
symbol = a_b | CamelCase | dotted.name      in prose also: `in backticks` | called() | --option
"""

import functools
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice

from react_agent.parsers.text.late_pattern import LatePattern

_EXTENSIONS = LatePattern(
    r"pyi?|pyx|ipynb|[cm]?[jt]sx?|vue|svelte|go|rs|java|kt|scala|[ch]|[ch]pp|cc|cxx|cs|rb|php|swift|m|lua"
    r"|p[lm]|exs?|[eh]rl|hs|ml|clj|dart|r|jl|sh|bash|zsh|ps1|bat|zig|nim|sql|md|rst|txt|adoc|html?|s?css"
    r"|json|toml|cfg|ini|ya?ml|xml|csv|lock|in|env|properties|conf|proto|tf|gradle|patch|diff|log|po"
    r"|tmpl|jinja|j2"
)
_CAMEL = LatePattern(r"[A-Za-z]*[a-z0-9][A-Z][A-Za-z0-9]*|[A-Z]{2,}[a-z][A-Za-z0-9]*")
_DOTTED = LatePattern(r"[^\W\d]\w*(?:\.[^\W\d]\w*)+")
_TICKED = LatePattern(r"`([^`\s]{2,120})`")
_TOKEN = LatePattern(r"[\w@][\w./-]*\w|\w")
_CALLED = LatePattern(r"\b([^\W\d]\w*)\(")
_OPTION = LatePattern(r"(?<![\w-])--([A-Za-z][\w-]+\w)")
_DEFINED = LatePattern(r"\s(?:def|class|func|fn|function) (\w{3,60})[(:{<]")
_NO_NAMES = frozenset({"and/or", "e.g", "i.e", "etc", "GitHub", "JavaScript", "TypeScript"})
_SHORTEST, _LONGEST = 3, 120
_PROSE, _CODE = 10_000, 5_000  # characters searched for names, and for definitions
_HEAD, _TAIL = 500, 200  # characters of a text searched for frequent names


def is_file(word: str) -> bool:
    stem, _, extension = word.rpartition(".")
    is_named = bool(stem) and not stem.endswith("/")
    return is_named and _EXTENSIONS.fullmatch(extension) is not None


def is_path(word: str) -> bool:
    return "/" in word or is_file(word)


def is_dotted(word: str) -> bool:
    return _DOTTED.fullmatch(word) is not None


def is_symbol(word: str) -> bool:
    """Return whether the word is made of several words, such as `a_b` or `CamelCase`."""
    return word.isidentifier() and ("_" in word.strip("_") or _CAMEL.fullmatch(word) is not None)


@functools.lru_cache(8192)  # the same words come again and again
def is_name(word: str) -> bool:
    if not _SHORTEST <= len(word) <= _LONGEST or word in _NO_NAMES:
        return False
    if "/" in word:
        return is_file(word) or word.count("/") > 1 or "_" in word
    return is_symbol(word) or is_file(word) or (is_dotted(word) and word.find(".") >= _SHORTEST)


def names_in(prose: str) -> tuple[str, ...]:
    """Return each name once: names in backticks, calls and options first, then all others."""
    return tuple(dict.fromkeys(_names_in(prose[:_PROSE])))


def _names_in(prose: str) -> Iterator[str]:
    for ticked in _TICKED.findall(prose):
        bare = ticked.removesuffix("()").strip("'\"()[],.:;")
        if len(bare) >= _SHORTEST and _TOKEN.fullmatch(bare):
            yield bare
    yield from (name for name in _CALLED.findall(prose) if len(name) >= _SHORTEST)
    yield from _OPTION.findall(prose)
    yield from filter(is_name, _TOKEN.findall(prose))


def main_names(text: str, most: int) -> tuple[str, ...]:
    """Return the names that a text defines, then the frequent names in its beginning and end."""
    ends = text
    if len(text) > _HEAD + _TAIL:  # at whole words, as a part of a name is no name
        head, tail = text[:_HEAD].rsplit(maxsplit=1), text[-_TAIL:].split(maxsplit=1)
        ends = "\n".join((*head[:1], *tail[-1:]))
    words = Counter(_TOKEN.findall(ends)).most_common()
    named = (word for word, _ in words if is_name(word))
    defined = _DEFINED.findall(text[:_CODE])[:most]
    return tuple(islice(dict.fromkeys(chain(defined, named)), most))
