"""What a reviewer answers who was shown several changes.

    review = "Best:" number "Reason:" one line

Read generously: bold, other words around, `Change 2`. What names none of them, or two, is nothing.
"""

import re
from dataclasses import dataclass

_BEST = re.compile(
    r"^[\W_]*best[\W_]*?(?:is|change|attempt|patch|number|no\.|#|:|\W)*(?P<number>\d+)\b(?P<more>.*)",
    re.IGNORECASE | re.MULTILINE,
)
_REASON = re.compile(r"^[\W_]*reason[\W_]+(?P<reason>\S.*)$", re.IGNORECASE | re.MULTILINE)
_BARE = re.compile(r"\s*(?:change|attempt|patch)?\s*#?(?P<number>\d+)\W*\s*", re.IGNORECASE)
_ANOTHER = re.compile(r"\b(?:or|and|to|/)\s*#?\d+\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Review:
    best: int
    reason: str = ""


def read_review(text: str, most: int) -> Review | None:
    """Of changes 1 to `most`."""
    found = [one for one in _BEST.finditer(text) if not _ANOTHER.match(one["more"].strip())]
    numbers = {int(one["number"]) for one in found}
    if not numbers and (bare := _BARE.fullmatch(text)):
        numbers = {int(bare["number"])}
    if len(numbers) != 1 or not 1 <= (best := numbers.pop()) <= most:
        return None
    reason = _REASON.search(text)
    return Review(best, reason["reason"].strip(" *_") if reason else "")
