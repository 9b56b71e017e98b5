"""Patterns that find what the words of a pattern may be called elsewhere."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_NAME = re.compile(r"\w[\w-]*")
_SHORTEST = 4  # letters of a name that may be misspelled
_LONGEST = 40
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
    words = _WORD.findall(bare) if bare.isascii() else bare.split()
    if len(words) > 1 and _NAME.fullmatch(bare):
        yield _otherwise_joined([word.lower() for word in words])
    if len(words) > 1:
        yield Looser("its words in this order", ".*".join(word.lower() for word in words))


def _otherwise_joined(words: Sequence[str]) -> Looser:
    """`parse_date`, `parseDate`, `ParseDate`, `PARSE_DATE`, `parse-date`, `parsedate`."""
    camel = words[0] + "".join(word.capitalize() for word in words[1:])
    how = f"spelled {'_'.join(words)}, {camel} or {'-'.join(words)}"
    return Looser(how, "[-_ ]?".join(words))


def misspelled(text: str) -> Iterator[Looser]:
    """One letter of its longest name more, less or other, or two of them in the other order."""
    name = max(_NAME.findall(text), key=len, default="")
    if not _SHORTEST <= len(name) <= _LONGEST or not name.strip("-").isascii():
        return
    cuts = [(name[:at], name[at], name[at + 1 :]) for at in range(len(name))]
    others = dict.fromkeys(
        pattern
        for head, letter, tail in cuts
        for pattern in (
            rf"{head}\w?{tail}",
            rf"{head}{letter}\w{tail}",
            f"{head}{tail[:1]}{letter}{tail[1:]}",
        )
        if pattern != name
    )
    yield Looser(f"with one letter of {name} other", f"(?:{'|'.join(others)})")
