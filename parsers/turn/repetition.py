"""Detect a model that repeats itself while it writes. Small models do so until they are stopped.

circle = the same text again and again, up to 400 characters of it: words, a line, a few lines

Some repetition is intended, such as nine rows of nine zeros. So a circle is reported only after
three rounds and about 230 estimated tokens, or 120 if a round is as long as two lines. By then, it
has cost less than 300 tokens.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from react_agent.parsers.text.tokens import estimate_tokens

_STEP = 32  # characters between two checks, so that the size of the pieces does not matter
_WINDOW = 2_400  # characters that are checked
_LONGEST = 400  # characters of a circle
_NEEDLE = 12
_CANDIDATES = 6
_TIMES, _TOKENS = 3, 230
_LONG, _TOKENS_OF_LONG = 100, 120  # characters of a round, and tokens
_CHARACTERS = 1_000  # empty lines, for example, are few tokens by our estimate


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
                self._look()
        return self.kept is not None

    def _look(self) -> None:
        is_multiple = False  # of a shorter circle
        for period, length in _periods(self._text):
            tokens, times = estimate_tokens(self._text[-length:]), length // period
            most = _TOKENS_OF_LONG if period >= _LONG and not is_multiple else _TOKENS
            is_multiple |= times >= _TIMES
            if (times >= _TIMES and tokens >= most) or length >= _CHARACTERS:
                self.kept = self._length - (length - period)
                return


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
