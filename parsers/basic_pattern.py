"""A basic regular expression, as grep takes it unless told otherwise, as an extended one.

What has a backslash in the one has none in the other: `(`, `)`, `{`, `}`, `|`, `+` and `?`.
"""

import re

_PIECE = re.compile(
    r"(?P<set>\[\^?\]?(?:\[[:.=][^]]*[:.=]\]|[^]])*\])"
    r"|(?P<escaped>\\.)"
    r"|(?P<swapped>[(){}|+?])"
    r"|(?P<other>.)",
    re.DOTALL,
)
_SWAPPED = "(){}|+?"
_OPENS = ("", "\\(", "\\|")  # behind these a star is a star, and ^ the beginning


def extended(pattern: str) -> str:
    pieces = [found[0] for found in _PIECE.finditer(pattern)]
    around = zip(["", *pieces], pieces, [*pieces[1:], ""], strict=False)
    return "".join(_extended(before, piece, behind) for before, piece, behind in around)


def _extended(before: str, piece: str, behind: str) -> str:
    if len(piece) == len("\\(") and piece[0] == "\\" and piece[1] in _SWAPPED:
        return piece[1]
    if piece in _SWAPPED:
        return f"\\{piece}"
    is_literal = (
        (piece == "*" and before in (*_OPENS, "^"))
        or (piece == "^" and before not in _OPENS)
        or (piece == "$" and behind not in ("", "\\)", "\\|"))
    )
    return f"\\{piece}" if is_literal else piece
