"""Estimate the number of tokens in a text, since no tokenizer is right for every model.

The estimate splits the text roughly like a byte-pair vocabulary and weighs the pieces. The weights
are averages, chosen so that estimates for code, prose and diffs are slightly too high rather than
too low.
"""

import functools
import re
from collections.abc import Callable

from react_agent.parsers.text.late_pattern import LatePattern

# The kinds of pieces, and the weight of a piece by its length.
_KINDS: tuple[tuple[str, Callable[[int], float]], ...] = (
    (r" ?[A-Za-z]+", lambda length: max(1.0, length / 6)),  # a word, with the space before it
    (r" (?!\s)", lambda _: 0.15),
    (r"\s+", lambda _: 1.0),
    (r" ?[!-/:-@\[-`{-~]+", lambda length: max(1.0, length / 2.2)),
    (r"\d{1,3}", lambda _: 1.0),
    (r"[\u3040-\u9fff\uac00-\ud7af]+", lambda length: 0.75 * length),  # Chinese, Japanese, Korean
    (r"[^\W\d_A-Za-z\u3040-\u9fff\uac00-\ud7af]+", lambda length: 0.38 * length),  # other letters
    (r".", lambda _: 1.5),
)
_PIECES = LatePattern("|".join(kind for kind, _ in _KINDS))


@functools.lru_cache(64)  # the state, the screen and the prompt ask about the same text
def estimate_tokens(text: str) -> int:
    return round(sum(map(_weight, _PIECES.pattern.findall(text))))


@functools.lru_cache(8192)  # the same pieces come again and again
def _weight(piece: str) -> float:
    return next(weight(len(piece)) for kind, weight in _KINDS if re.fullmatch(kind, piece))
