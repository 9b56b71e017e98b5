"""Keys and passwords in a text.

What is made up for an example is none: it repeats itself, counts, or says so.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from react_agent.parsers.secrets.key_blocks import key_blocks
from react_agent.parsers.secrets.kinds import KINDS, PRIVATE_KEY, Kind, Sure
from react_agent.parsers.text.late_pattern import LatePattern

_MADE_UP = LatePattern(
    r"(?i)example|sample|dummy|fake|placeholder|redacted|changeme|your[_-]|my[_-]|test|xxxx|abcdef"
    r"|01234|12345|98765|deadbeef|notreal|not[_-]a|insert|\.\.\.|lorem|secret|password"
)
_NO_LOT = LatePattern(r"[A-Za-z_.]+|[a-z0-9]+(?:[-_./][a-z0-9]+){2,}|[\d.:-]+|[A-Z0-9_]+")
_FEWEST_SIGNS = 9  # that are different, in a key
_MIXED = 3.4  # bits a sign, about what 20 letters drawn by lot have
_LOOKED_AT = 80  # signs of a key that are looked at for words
_SHORTEST = 12  # characters of a text with a key in it


@dataclass(frozen=True, slots=True)
class Secret:
    kind: str
    start: int
    end: int
    sure: Sure = Sure.CERTAIN

    @property
    def is_certain(self) -> bool:
        return self.sure is Sure.CERTAIN


def secrets_in(text: str, least: Sure = Sure.LIKELY) -> list[Secret]:
    """In their order; none within another."""
    if len(text) < _SHORTEST:
        return []
    found = sorted(_found(text, least), key=lambda one: (one.start, one.sure, -one.end))
    kept = list[Secret]()
    for one in found:
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def _found(text: str, least: Sure) -> Iterator[Secret]:
    for start, end in key_blocks(text):
        if not _MADE_UP.search(text[start:end][:_LOOKED_AT]):
            yield Secret(PRIVATE_KEY, start, end)
    for kind in KINDS:
        if kind.sure > least or not _is_near(kind, text):
            continue
        for found in kind.pattern.pattern.finditer(text):
            start, end = found.span("key" if "key" in kind.pattern.pattern.groupindex else 0)
            if _is_meant(text[start:end], kind):
                yield Secret(kind.name, start, end, kind.sure)


def _is_near(kind: Kind, text: str) -> bool:
    for part in kind.holds:  # noqa: SIM110 - `any` takes three times as long for most texts
        if part in text:
            return True
    return False


def _is_meant(key: str, kind: Kind) -> bool:
    """Not for show."""
    own = key
    for start in kind.holds:
        own = own.removeprefix(start)
    if len(set(own)) < min(_FEWEST_SIGNS, max(len(own) // 2, 6)) or is_made_up(own):
        return False
    if kind.sure is Sure.PLACED:
        return _NO_LOT.fullmatch(own) is None
    return kind.sure is Sure.CERTAIN or is_by_lot(own)


def is_made_up(key: str) -> bool:
    return _MADE_UP.search(key[:_LOOKED_AT]) is not None


def is_by_lot(key: str) -> bool:
    return _NO_LOT.fullmatch(key) is None and _bits(key) >= _MIXED and _changes(key) >= len(key) / 4


def _bits(key: str) -> float:
    counts: Sequence[int] = list(Counter(key).values())
    return -sum(n / len(key) * math.log2(n / len(key)) for n in counts)


def _changes(key: str) -> int:
    """Between letters, capitals and digits: words have few of them."""
    sorts = ["d" if one.isdigit() else "u" if one.isupper() else "l" for one in key]
    return sum(one != other for one, other in pairwise(sorts))
