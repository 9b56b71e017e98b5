"""An index of the words in a run's steps, which is built from the steps and not stored on disk.

Names are indexed by their parts, and words by their stems. Accents are ignored. Text without
spaces, such as Chinese, is indexed by pairs of characters.
The observation of a step, followed by its input if that is long, is divided into passages of 20
lines. A passage is indexed by its own words and by the words of the step's thought and tool call.
"""

import itertools
import re
import unicodedata
from array import array
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from react_agent.parsers.claims.spelling import word_parts
from react_agent.parsers.turn.turn import Kind
from react_agent.state.steps import RECALL, Step

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
    """Return the words of a token: `src/DateParser.py` has the words src, date, parser and py."""
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
    """Return the stem of a word. For example, `timeouts` and `timeout` have the same stem."""
    bare = _ENDING.sub("", word) if word.isalpha() else word
    return _DOUBLED.sub(r"\1", bare) if len(bare) >= _SHORTEST_STEM else word


# An abbreviation in code and its full word are one word.
_SHORTENED = {stem(short): stem(long) for short, long in map(str.split, _SHORT.split(", "))}


LINES = 20  # of a passage
_STRIDE = 18  # passages overlap, so that neighbours share one of them
_MOST = 4096  # passages of a step
_THOUGHT, _CALL = 2000, 600  # characters of a head
_LINE = 2000  # characters of a line that are looked at
_NUMBERED = re.compile(r"^\s*\d+\| ?", re.MULTILINE)  # how a file's lines are shown


@dataclass(slots=True)
class Memory:
    """An index that maps words to passages. `steps` returns the current steps of the run."""

    steps: Callable[[], Sequence[Step]]
    holding: dict[str, "array[int]"] = field(default_factory=dict)  # passages, the oldest first
    stored: int = 0  # steps

    def catch_up(self) -> None:
        """Index the steps that were added since the last call."""
        for step in self.steps()[self.stored :]:
            self.stored += 1
            head = words(head_of(step))
            for number, text in passages(step):
                for word in head | words(without_numbers(text)):
                    self.holding.setdefault(word, array("q")).append(number)

    def step(self, number: int) -> Step:
        return self.steps()[number - 1]

    def newest(self, word: str, most: int) -> "array[int]":
        """Return up to `most` passages that contain the word, taken from the newest ones."""
        return self.holding.get(word, array("q"))[-most:]

    def holds(self, word: str, number: int) -> bool:
        numbers = self.holding[word]
        at = bisect_left(numbers, number)
        return at < len(numbers) and numbers[at] == number

    def newest_passages(self, hidden: Collection[int]) -> Iterator[tuple[int, str]]:
        for step in reversed(self.steps()[: self.stored]):
            if step.number not in hidden:
                yield from passages(step)


def passages(step: Step) -> Iterator[tuple[int, str]]:
    """Yield the passages of a step, unless it is a call of `recall` or not a tool call at all."""
    if step.tool == RECALL or step.said.turn.kind is not Kind.ACTION:
        return
    lines = lines_of(step)
    last = max(len(lines) - (LINES - _STRIDE), 1)
    for at, first in enumerate(range(0, last, _STRIDE)[:_MOST]):
        text = "\n".join(line[:_LINE] for line in lines[first : first + LINES])
        yield step.number * _MOST + at, text


def place_of(number: int) -> tuple[int, int]:
    """Return the step number of a passage, and the zero-based index of its first line."""
    step, at = divmod(number, _MOST)
    return step, at * _STRIDE


def lines_of(step: Step) -> list[str]:
    """Return the lines of the observation, followed by the lines of the input if it is long."""
    given = step.said.turn.input
    return step.seen.text.split("\n") + (given.split("\n") if len(given) > _CALL else [])


def head_of(step: Step) -> str:
    turn = step.said.turn
    return f"{turn.thought[:_THOUGHT]}\n{turn.action} {turn.input[:_CALL]}"


def without_numbers(text: str) -> str:
    """Remove the line numbers from lines of a file as a tool displayed them."""
    return _NUMBERED.sub("", text) if "|" in text else text
