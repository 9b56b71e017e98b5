"""How many tokens a text is, about: no tokenizer is the right one for every model.

Pieces are counted the way byte-pair vocabularies tend to cut them; the weights are averages.
"""

import re

_PIECES = re.compile(
    r"(?P<word>[A-Za-z]{1,7})|(?P<digits>\d{1,3})|(?P<space>\s+)|(?P<cjk>[\u3040-\u9fff\uac00-\ud7af]+)"
    r"|(?P<letters>[^\W\d_A-Za-z\u3040-\u9fff\uac00-\ud7af]+)|(?P<symbols>[\x21-\x7e]+)|(?P<other>.)"
)
_ASCII_SYMBOLS_PER_TOKEN = 2.2
_PER_CJK_CHARACTER = 0.75
_PER_OTHER_LETTER = 0.38
_PER_OTHER_SYMBOL = 1.5
_PER_SPACES_RUN = 0.15  # most single blanks are part of the word behind them


def estimate_tokens(text: str) -> int:
    return round(sum(_weight(piece) for piece in _PIECES.finditer(text)))


def _weight(piece: re.Match[str]) -> float:
    match piece.lastgroup:
        case "word" | "digits":
            return 1.0
        case "space":
            return _PER_SPACES_RUN if piece.end() - piece.start() == 1 else 1.0
        case "cjk":
            return _PER_CJK_CHARACTER * (piece.end() - piece.start())
        case "letters":
            return _PER_OTHER_LETTER * (piece.end() - piece.start())
        case "symbols":
            return max(1.0, (piece.end() - piece.start()) / _ASCII_SYMBOLS_PER_TOKEN)
        case _:
            return _PER_OTHER_SYMBOL
