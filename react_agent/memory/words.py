"""Split a text into the words that it is found by: parts of names and stems of words.

Accents are ignored. Writing without spaces, such as Chinese, is found by pairs of characters.
"""

import itertools
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from react_agent.parsers.claims.spelling import word_parts

_TOKEN = re.compile(r"\w+(?:[./-]+\w+)*")
_UNSPACED = re.compile(
    "[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]{2,}"
)
_UNIT = re.compile(r"(\d[\d_.]*)([^\W\d_]+)")  # 30s, 1.5kB
_ENDING = re.compile(r"(?:ies|ied|ing|ed|es|e|y|(?<![sui])s)$")
_DOUBLED = re.compile(r"([a-z])(?<![lsz])\1$")
_SHORTEST_STEM = 3
_LONGEST = 120  # characters of a token; a longer one is data that nobody searches
_MOST_PARTS = 16
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


def tokens(text: str) -> list[str]:
    return _TOKEN.findall(text)


def words(text: str) -> set[str]:
    return set().union(*map(words_of, set(tokens(text))))


@lru_cache(50_000)  # most tokens come again and again
def words_of(token: str) -> tuple[str, ...]:
    """Return the words of a token: `src/DateParser.py` is found by src, date, parser and py."""
    return tuple(_words_of(token)) if len(token) <= _LONGEST else ()


def _words_of(token: str) -> Iterator[str]:
    if not token.isascii():
        letters = unicodedata.normalize("NFD", token)
        bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
        token = unicodedata.normalize("NFC", bare)
    for part in word_parts(token)[:_MOST_PARTS]:
        if _UNSPACED.fullmatch(part):
            yield from map("".join, itertools.pairwise(part))
        elif unit := _UNIT.fullmatch(part):
            yield from (part, unit[1])
        else:
            yield _SHORTENED.get(stem(part), stem(part))


def stem(word: str) -> str:
    """Return the stem: `timeouts` and `timeout`, `retries` and `retry` share one."""
    bare = _ENDING.sub("", word) if word.isalpha() else word
    return _DOUBLED.sub(r"\1", bare) if len(bare) >= _SHORTEST_STEM else word


# An abbreviation in code and its full word are one word.
_SHORTENED = {stem(short): stem(long) for short, long in map(str.split, _SHORT.split(", "))}
