"""A call in words that stay the same when it is only written otherwise.

Case, blanks, quotes, backslashes, the order of options, line numbers, `./` and a folder that a path
is below do not count. For calls that have failed: of those that work, each of these may matter.
"""

import functools
import re

from react_agent.parsers.repo.changed_lines import changed_lines

_QUOTES = re.compile(r"[\"'`\\]+")
_LINES = re.compile(r"(?<=[\w)]):\d+(?:[-:,]\d*)*$")  # behind a path
_RANGE = re.compile(r"\d+[-,]\d+")
_LABEL = re.compile(r"(?:path|file|lines?|start|end|command|pattern|query)\s*[:=]\s*")
_WORD = re.compile(r"\w+")


@functools.lru_cache(4096)  # of each step, whenever one more has failed
def loose_words(given: str) -> tuple[str, ...]:
    """Its words, and behind them its options."""
    words, options = list[str](), list[str]()
    for line in _QUOTES.sub("", given.casefold()).split("\n"):
        for word in _LABEL.sub("", line).split():
            if word.startswith("-") and len(word) > 1:
                options += [word] if word.startswith("--") else list(word[1:])
            elif not _RANGE.fullmatch(word):
                words.append(_path(word))
    return (*filter(None, words), *(f"-{option}" for option in sorted(options)))


@functools.lru_cache(4096)
def searched_words(given: str) -> tuple[str, ...]:
    """Of a search: what is no letter or digit is how it was escaped."""
    return tuple(part for word in loose_words(given) for part in _WORD.findall(word))


def _path(word: str) -> str:
    return _LINES.sub("", word).removeprefix("./").rstrip("/,;:")


def is_same_call(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return bool(one) and len(one) == len(other) and all(map(_is_same_word, one, other))


def _is_same_word(one: str, other: str) -> bool:
    """`/work/repo/src/a.py` may be `src/a.py`; two paths from one place are what they say."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    return long.startswith("/") and not short.startswith("/") and long.endswith(f"/{short}")


def is_same_place(one: str, other: str) -> bool:
    """Of two edits: most of the lines that they expect there are the same."""
    first, second = changed_lines(one), changed_lines(other)
    shared, most = len(first.place & second.place), max(len(first.place), len(second.place))
    return first.paths == second.paths and 2 * shared >= most > 0
