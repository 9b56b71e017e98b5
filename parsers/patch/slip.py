"""A removed line that is not quoted as it stands, and is the same one all the same.

Quotes, blanks, commas and a comment at its end may differ. A word may, if nearly all of the line is
the same and the slip does not come back in the new lines: then these would carry it into the file.
Numbers and signs may not: what differs in them is often what is to be changed.
"""

from collections import Counter
from collections.abc import Sequence

from react_agent.parsers.late_pattern import LatePattern

_ALIKE = 0.93
_COMMENT = LatePattern(r"\s+(?:#|//|--)\s.*\Z")
_TOKENS = LatePattern(r"\w+|[^\w\s]")


def is_slip_of(quoted: str, real: str, new: Sequence[str]) -> bool:
    if _plain(quoted) == _plain(real):
        return True
    mine, theirs = Counter(_TOKENS.findall(quoted)), Counter(_TOKENS.findall(real))
    slips = mine - theirs
    if not all(word.isidentifier() for word in slips + (theirs - mine)):
        return False
    added = {word for text in new for word in _TOKENS.findall(text)}
    return not added.intersection(slips) and _likeness(quoted.strip(), real.strip()) >= _ALIKE


def _plain(line: str) -> str:
    bare = _COMMENT.sub("", line.strip()).replace("'", '"')
    return "".join(bare.split()).rstrip(",;")


def _likeness(one: str, other: str) -> float:
    from difflib import SequenceMatcher

    return SequenceMatcher(None, one, other, autojunk=False).ratio()
