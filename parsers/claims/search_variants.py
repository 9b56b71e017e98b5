"""Patterns that find what the words of a pattern may be called elsewhere."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_NAME = re.compile(r"\w[\w-]*")
_SHORTEST = 4  # letters of a name that may be misspelled
_LONGEST = 40
_KEYWORDS = frozenset(
    (
        *("import", "from", "class", "return", "function", "func", "const", "static", "public"),
        *("private", "void", "self", "this", "async", "await", "struct", "enum", "interface"),
        *("type", "yield", "raise", "throw"),
    )
)
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


def alone(text: str) -> Iterator[Looser]:
    """Its one name, without what stands around it."""
    name = _one_name(text)
    if name and name != text.strip():
        yield Looser(f"{name} alone", name)


def _one_name(text: str) -> str:
    """None of several: what is found by one of them has little to do with the others."""
    names = [name for name in _NAME.findall(text) if name not in _KEYWORDS]
    name = max(names, key=len, default="")
    is_one = not any(len(other) >= _SHORTEST for other in names if other is not name)
    fits = _SHORTEST <= len(name) <= _LONGEST and name.strip("-").isascii()
    return name if is_one and fits else ""


def misspelled(text: str) -> Iterator[Looser]:
    """One letter of its one name more, less or other, or two of them in the other order."""
    name = _one_name(text)
    if not name:
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
