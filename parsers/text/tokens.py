"""Estimate the number of tokens in a text, since no tokenizer is right for every model.

The estimate splits the text roughly like a byte-pair vocabulary and counts the pieces. The weights
are averages, chosen so that estimates for code, prose and diffs are slightly too high rather than
too low.
"""

import functools
import re

from react_agent.parsers.text.late_pattern import LatePattern

_PIECES = LatePattern(
    r"(?P<word> ?[A-Za-z]+)|(?P<space>\s+)|(?P<symbols> ?[!-/:-@\[-`{-~]+)|(?P<digits>\d{1,3})"
    r"|(?P<cjk>[\u3040-\u9fff\uac00-\ud7af]+)"
    r"|(?P<letters>[^\W\d_A-Za-z\u3040-\u9fff\uac00-\ud7af]+)|(?P<other>.)"
)
_WORD_CHARACTERS_PER_TOKEN = 6  # the space before a word is part of it
_SYMBOLS_PER_TOKEN = 2.2
_PER_CJK_CHARACTER = 0.75
_PER_OTHER_LETTER = 0.38
_PER_OTHER_SYMBOL = 1.5
_PER_SINGLE_BLANK = 0.15


# Without the names, which take longer than the rest.
_ALONE = LatePattern(re.sub(r"\?P<\w+>", "?:", _PIECES.source))


@functools.lru_cache(64)  # the state, the screen and the prompt ask about the same text
def estimate_tokens(text: str) -> int:
    return round(sum(map(_weight, _ALONE.pattern.findall(text))))


@functools.lru_cache(8192)  # the same pieces come again and again
def _weight(piece: str) -> float:
    found = _PIECES.fullmatch(piece)
    match found and found.lastgroup:
        case "word":
            return max(1.0, len(piece) / _WORD_CHARACTERS_PER_TOKEN)
        case "space":
            return _PER_SINGLE_BLANK if piece == " " else 1.0
        case "symbols":
            return max(1.0, len(piece) / _SYMBOLS_PER_TOKEN)
        case "digits":
            return 1.0
        case "cjk":
            return _PER_CJK_CHARACTER * len(piece)
        case "letters":
            return _PER_OTHER_LETTER * len(piece)
        case _:
            return _PER_OTHER_SYMBOL
