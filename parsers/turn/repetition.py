"""Detect a model that repeats itself while it writes. Small models do so until they are stopped.

circle   = the same text again and again, up to 400 characters of it: words, a line, a few lines
counting = the same text again and again except for its numbers, one of which only rises or falls

Some repetition is intended, such as nine rows of nine zeros. So a circle is reported only after
three rounds and about 230 estimated tokens, or 120 if a round is as long as two lines. By then, it
has cost less than 300 tokens.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from react_agent.parsers.text.tokens import estimate_tokens

_STEP = 32  # characters between two checks, so that the size of the pieces does not matter
_WINDOW = 2_400  # characters that are checked
_LONGEST = 400  # characters of a circle
_NEEDLE = 12
_CANDIDATES = 6
_TIMES, _TOKENS = 3, 230
_LONG, _TOKENS_OF_LONG = 100, 120  # characters of a round, and tokens
_COUNTED_TIMES, _COUNTED_TOKENS = 12, 150  # many models have a token for each digit
_CHARACTERS = 1_000  # empty lines, for example, are few tokens by our estimate
_NUMBER = re.compile(r"[0-9]+")


@dataclass(slots=True)
class Repetition:
    kept: int | None = None  # characters up to the end of the first round, once it goes in circles
    _text: str = field(default="", init=False)  # the end of the text so far
    _length: int = field(default=0, init=False)  # of the whole text so far

    def feed(self, piece: str) -> bool:
        """Take a chunk of the reply, and return whether the reply has started to repeat itself."""
        while piece and self.kept is None:
            room = _STEP - self._length % _STEP
            part, piece = piece[:room], piece[room:]
            self._text = (self._text + part)[-_WINDOW:]
            self._length += len(part)
            if self._length % _STEP == 0:
                repeated = _circle(self._text) or _counting(self._text)
                self.kept = self._length - repeated if repeated else None
        return self.kept is not None


def _circle(text: str) -> int:
    """Return the number of characters at the end that only repeat those before them."""
    is_multiple = False  # of a shorter circle
    for period, length in _periods(text):
        tokens, times = estimate_tokens(text[-length:]), length // period
        most = _TOKENS_OF_LONG if period >= _LONG and not is_multiple else _TOKENS
        is_multiple |= times >= _TIMES
        if (times >= _TIMES and tokens >= most) or length >= _CHARACTERS:
            return length - period
    return 0


def _counting(text: str) -> int:
    """Return the number of characters at the end that only count on, after the first round."""
    if not _NUMBER.search(text, max(len(text) - _LONGEST, 0)):
        return 0
    same, numbers = _NUMBER.sub("0", text), list(_NUMBER.finditer(text))
    for period, length in _periods(same):
        each, rounds = same[-period:].count("0"), length // period
        counted = numbers[-each * (rounds - 1) - 1 : -1]  # the last one may go on
        if not each or rounds < _COUNTED_TIMES or len(counted) < each * (rounds - 1):
            continue
        repeated = len(text) - counted[0].start()
        values = [int(number[0]) for number in counted]
        is_counting = any(_goes_one_way(values[column::each]) for column in range(each))
        if is_counting and estimate_tokens(text[-repeated:]) >= _COUNTED_TOKENS:
            return repeated
    return 0


def _goes_one_way(values: list[int]) -> bool:
    steps = [later - earlier for earlier, later in pairwise(values)]
    return min(steps) > 0 or max(steps) < 0


def _periods(text: str) -> Iterator[tuple[int, int]]:
    """Yield each period at which the end of the text repeats, and the length of the repeat."""
    end, at = len(text), len(text) - _NEEDLE
    for _ in range(_CANDIDATES):
        at = text.rfind(text[-_NEEDLE:], max(end - _NEEDLE - _LONGEST, 0), at + _NEEDLE - 1)
        if at < 0:
            return
        period = end - _NEEDLE - at
        yield period, period + _reach(text, period)


def _reach(text: str, period: int) -> int:
    """Return the number of characters at the end that equal those one period earlier."""
    end = len(text) - period

    def differs(length: int) -> bool:
        return not text.endswith(text[end - length : end])

    return bisect_right(range(1, end + 1), False, key=differs)
