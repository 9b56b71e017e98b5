"""Keys and passwords in a text.

What is made up for an example is none: it repeats itself, counts, or says so.
"""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

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

# Private keys, as they are in a file, numbered, quoted, in a diff or in one string.
_BLOCK = r"(?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----"
_MARKS = LatePattern(rf"-----(?:(?P<begin>BEGIN)|(?P<end>END)) {_BLOCK}")
_LONGEST_LINE = 4_000  # characters of a line
_RUN = LatePattern(r"[A-Za-z0-9+/=]{16,}")
_PARTS = LatePattern(r"[A-Za-z0-9+/=]{16,}|[A-Za-z0-9+/=]{1,15}(?=(?:\\n)?[\"'`\\,;)\s]{0,9}$)")
_HEADER = LatePattern(r"[A-Za-z-]{1,30}: \S")
_FEWEST_OF_BLOCK = 40  # characters in long runs: less is an example
_DIFFERENT = 8  # signs of a run, at most, in an example


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
    for start, end in _key_blocks(text):
        if not _MADE_UP.search(text[start:end][:_LOOKED_AT]):
            yield Secret(PRIVATE_KEY, start, end)
    for kind in KINDS:
        if kind.sure > least or not _is_near(kind, text):
            continue
        pattern = kind.pattern.pattern
        for found in pattern.finditer(text):
            start, end = found.span("key" if "key" in pattern.groupindex else 0)
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
    """Drawn at random. Words have few changes between letters, capitals and digits."""
    if _NO_LOT.fullmatch(key):
        return False
    shares = [count / len(key) for count in Counter(key).values()]
    bits = -sum(share * math.log2(share) for share in shares)
    sorts = ["d" if one.isdigit() else "u" if one.isupper() else "l" for one in key]
    changes = sum(one != other for one, other in pairwise(sorts))
    return bits >= _MIXED and changes >= len(key) / 4


def _key_blocks(text: str) -> Iterator[tuple[int, int]]:
    """What is between the marks of each; where one was cut off, the lines that can be of a key."""
    if "PRIVATE KEY" not in text:
        return
    floor, is_open = 0, False
    for mark in _MARKS.pattern.finditer(text):
        begins = mark.lastgroup == "begin"
        if is_open:
            stop = _grown(text, floor, mark.start()) if begins else mark.start()
            yield from _key(text, floor, stop)
        elif not begins:
            yield from _key(text, _above(text, floor, mark.start()), mark.start())
        floor, is_open = mark.end(), begins
    if is_open:
        yield from _key(text, floor, _grown(text, floor, len(text)))


def _key(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    runs = _RUN.findall(text[start:stop])
    if sum(map(len, runs)) >= _FEWEST_OF_BLOCK and any(len(set(run)) > _DIFFERENT for run in runs):
        yield start, stop


def _above(text: str, floor: int, end: int) -> int:
    """Where it begins, if its first lines were cut off."""
    start = text.rfind("\n", floor, end) + 1 or floor
    while start > floor:
        above = text.rfind("\n", floor, start - 1) + 1 or floor
        if not _can_be_of_one(text[above : start - 1]):
            break
        start = above
    return start


def _grown(text: str, start: int, bound: int) -> int:
    """The rest of the line, and the lines below it that can be of a key."""
    stop = _line_end(text, start, bound)
    while stop < bound:
        below = _line_end(text, stop + 1, bound)
        if not _can_be_of_one(text[stop + 1 : below]):
            break
        stop = below
    return stop


def _line_end(text: str, at: int, bound: int) -> int:
    end = text.find("\n", at, bound)
    return bound if end < 0 else end


def _can_be_of_one(line: str) -> bool:
    long = _RUN.search(line)
    return bool(long or _HEADER.search(line)) and len(line) <= _LONGEST_LINE


def hidden_lines(body: str, instead: str) -> str:
    """Each line of a key with `instead` in its place; lines stay lines."""
    return "\n".join(_hidden(line, instead) for line in body.split("\n"))


def _hidden(line: str, instead: str) -> str:
    head, rest = line[:1], line[1:]
    if head not in "+-":
        head, rest = "", line
    spans = [found.span() for found in _PARTS.pattern.finditer(rest)]
    if not spans:
        return line
    return f"{head}{rest[: spans[0][0]]}{instead}{rest[spans[-1][1] :]}"
