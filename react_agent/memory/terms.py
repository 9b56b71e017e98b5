"""A text as the terms it is found by: names whole and by their parts, words by their stems.

Accents count for nothing, and writing without blanks is found by its pairs of characters.
"""

import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from react_agent.parsers.claims.spelling import word_parts

_TOKEN = re.compile(r"\w+(?:[./-]+\w+)*")
_JOINING = "./-"
_BLANKS = {code: " " for code in range(128) if not re.match(r"[\w./-]", chr(code))}
NUMBERED = re.compile(r"\s*\d+\| ?")  # how a file's lines are shown
_UNIT = re.compile(r"(\d[\d_.]*)([^\W\d_]+)")  # 30s, 1.5kB
_UNSPACED = re.compile(
    "[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]{2,}"
)
_LONGEST = 120  # characters of a token; what is longer is data, and nobody asks for it
_MOST_PARTS = 16
_SHORTEST_STEM = 4
_ENDINGS = frozenset("degs")  # of a word that is not its own stem
_KEPT = 50_000  # tokens whose terms are remembered
COMMON = frozenset(
    _TOKEN.findall(
        "a about all an and any are as at be been before but by can could did do does for from had "
        "has have how i if in into is it its me my of on or our out should so some than that the "
        "their them then there these they this to us was we were what when where which who why "
        "will with would you your"
    )
)
_SHORT = (
    "args argument, auth authentication, cfg configuration, config configuration, cmd command, "
    "conn connection, db database, dest destination, dir directory, doc documentation, "
    "env environment, err error, exc exception, fmt format, func function, impl implementation, "
    "init initialize, lib library, max maximum, mb megabyte, kb kilobyte, "
    "min minimum, msg message, num number, obj object, param parameter, pkg package, "
    "pref preference, prev previous, proc process, ref reference, repo repository, req request, "
    "resp response, sec second, spec specification, src source, str string, temp temporary, "
    "tmp temporary, val value, var variable, ver version"
)


@dataclass(slots=True)
class Terms:
    """Of every token the terms, each made once: most tokens come again and again."""

    known: "Known" = field(default_factory=lambda: Known())

    def of_text(self, text: str) -> str:
        """With blanks between them; one may be there more than once."""
        self.known.shrink()
        # As with _TOKEN, in half the time, but for the ends of words, which `known` takes off.
        found = text.translate(_BLANKS).split() if text.isascii() else _TOKEN.findall(text)
        return " ".join(map(self.known.__getitem__, set(found)))

    def of_token(self, token: str) -> tuple[str, ...]:
        return tuple(self.known[token].split())


class Known(dict[str, str]):
    """From a token to its terms, whatever joins it to nothing at its ends."""

    def __missing__(self, written: str) -> str:
        token = written.strip(_JOINING)
        terms = stem(token) if _is_word(token) else " ".join(dict.fromkeys(_terms(token)))
        self[written] = terms
        return terms

    def shrink(self) -> None:
        if len(self) > _KEPT:
            self.clear()


def tokens(text: str) -> list[str]:
    return _TOKEN.findall(text)


def without_number(line: str) -> str:
    """The line of a file, as it was shown, without its number."""
    return NUMBERED.sub("", line, count=1) if "|" in line else line


def _is_word(token: str) -> bool:
    """Most tokens are, and have no parts."""
    return token.isascii() and token.islower() and token.isalpha() and len(token) <= _LONGEST


def _terms(token: str) -> Iterator[str]:
    """`src/DateParser.py` is found as itself, as `dateparser.py`, and by date, parser and py."""
    if len(token) > _LONGEST:
        return
    bare = _plain(token)
    folded = bare.casefold()
    yield stem(folded)
    if "/" in folded:
        yield folded.rpartition("/")[2]
    if "." in folded or "-" in folded:
        yield from (piece for piece in re.split(r"[./-]+", folded) if "_" in piece)
    yield from parts(bare)


def parts(token: str) -> list[str]:
    """Of a name, as stems, in order."""
    found = list[str]()
    for part in word_parts(_plain(token))[:_MOST_PARTS]:
        if part.isalpha() and part.isascii():
            found.append(stem(part))
        else:
            found += map(stem, _divided(part))
    return found


def as_term(name: str) -> str:
    """The term of a name that is not divided."""
    return stem(_plain(name).casefold())


def _plain(token: str) -> str:
    if token.isascii():
        return token
    letters = unicodedata.normalize("NFD", token)
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return unicodedata.normalize("NFC", bare)


def _divided(part: str) -> Iterable[str]:
    if _UNSPACED.fullmatch(part):
        return map("".join, itertools.pairwise(part))
    found = _UNIT.fullmatch(part)
    return (part, found[1]) if found else (part,)


def stem(word: str) -> str:
    """`timeouts` and `timeout`, `retries` and `retry`, `maximum` and `max` are one."""
    bare = _stem(word)
    return _SHORTENED.get(bare, bare)


def _stem(word: str) -> str:
    if word[-1:] not in _ENDINGS or len(word) < _SHORTEST_STEM or not word.isalpha():
        return word
    bare = _singular(word)
    for ending in ("ing", "ed"):
        if bare.endswith(ending) and len(bare) - len(ending) >= _SHORTEST_STEM - 1:
            return _undoubled(bare.removesuffix(ending))
    return bare[:-1] if bare.endswith("e") and len(bare) > _SHORTEST_STEM else bare


def _singular(word: str) -> str:
    if word.endswith(("ies", "ied")) and len(word) > _SHORTEST_STEM:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _undoubled(word: str) -> str:
    is_double = len(word) >= _SHORTEST_STEM and word[-1] == word[-2] and word[-1] not in "lsz"
    bare = word[:-1] if is_double else word
    return bare[:-1] if bare.endswith("e") and len(bare) > _SHORTEST_STEM else bare


def _shortened() -> dict[str, str]:
    """What code writes short and people write out, both as one of the two."""
    pairs = [pair.split() for pair in _SHORT.split(", ")]
    return {_stem(short): _stem(long) for short, long in pairs}


_SHORTENED = _shortened()
