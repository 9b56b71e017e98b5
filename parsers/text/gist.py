"""What a text is about, in a few names: for a line that stands where the text was."""

import functools
import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice

_HEAD, _TAIL = 500, 200  # characters that are looked at
_WORD = re.compile(r"[A-Za-z_]\w*+(?:[./-]++\w++)*+")
_FILE = re.compile(r"[\w./-]*\w\.[A-Za-z]\w{0,5}")
_SYMBOL = re.compile(r"_*[A-Za-z]+[A-Za-z0-9]*(?:_\w+|(?<=[a-z0-9])[A-Z]\w*)")
_LONGEST = 60
_DEFINED = re.compile(r"\s(?:def|class|func|fn|function) (\w{3,60})[(:{<]")
_CODE = 5000  # characters in which definitions are looked for


def one_line(text: str) -> str:
    return " ".join(text.split())


def bare(text: str) -> str:
    """Without the marks that stand around all of it; those of a part of it stay."""
    text = text.strip()
    for mark in ("**", "*", '"', "`"):
        inner = text.removeprefix(mark).removesuffix(mark)
        if len(inner) == len(text) - 2 * len(mark) and mark not in inner:
            text = inner.strip()
    return text


def headline(text: str, most: int = 100) -> str:
    """Its first line that says something."""
    first = next((line.strip() for line in text.split("\n") if line.strip()), "")
    return first if len(first) <= most else f"{first[: most - 1]}…"


def names(text: str, most: int) -> tuple[str, ...]:
    """What it defines, then the files and symbols that it names, the frequent ones first."""
    defined = (found[1] for found in _DEFINED.finditer(text, 0, _CODE))
    return tuple(islice(dict.fromkeys(chain(islice(defined, most), _named(text))), most))


def _named(text: str) -> Iterator[str]:
    found = Counter(_WORD.findall(_ends(text))).most_common()
    yield from (name for name, _ in found if _is_name(name))


def _ends(text: str) -> str:
    """Of a long text, in whole words: a part of a name is none."""
    if len(text) <= _HEAD + _TAIL:
        return text
    head, tail = text[:_HEAD].rsplit(maxsplit=1), text[-_TAIL:].split(maxsplit=1)
    return "\n".join((*head[:1], *tail[-1:]))


@functools.lru_cache(8192)  # the same words come again and again
def _is_name(word: str) -> bool:
    is_short = len(word) <= _LONGEST
    return is_short and bool(_FILE.fullmatch(word) or _SYMBOL.fullmatch(word))
