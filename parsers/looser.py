"""Patterns that find what the words of a pattern may be called elsewhere."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_ESCAPED_OPERATOR = re.compile(r"\\([|(){}+?])")
_QUOTES = "\"'`"


@dataclass(frozen=True, slots=True)
class Looser:
    how: str  # said to the model
    pattern: str
    plain: bool = False  # no regular expression


def looser(pattern: str) -> Iterator[Looser]:
    """Nearest first; each of them is meant to be searched ignoring case."""
    yield Looser("ignoring case", pattern)
    bare = pattern.strip()
    if len(bare) > 1 and bare[0] in _QUOTES and bare[-1] == bare[0]:
        yield Looser("without the quotes", bare[1:-1])
    elif bare != pattern:
        yield Looser("without the space around it", bare)
    if _ESCAPED_OPERATOR.search(pattern):
        yield Looser(r"with \| ( and ) as operators", _ESCAPED_OPERATOR.sub(r"\1", pattern))
    if re.escape(bare) != bare:
        yield Looser("as plain text", bare, plain=True)
    words = _WORD.findall(bare)
    if len(words) > 1:
        yield Looser("its words in this order", ".*".join(word.lower() for word in words))
