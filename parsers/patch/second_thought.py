"""What the words between two changes say of the first one."""

import re
from collections.abc import Sequence
from enum import Enum

from react_agent.parsers.late_pattern import LatePattern

_THINKS_AGAIN = LatePattern(
    r"(?:^|[.!?:] +|\*\*)(?:(?:no, )?wait|actually|hmm+|oops|no,|on second thought|sorry)\b"
    r"|\breconsider|\brevis(?:e|ed|it)\b|\bscratch that\b|\b(?:ignore|disregard) (?:the|my|that)\b"
    r"|\bi (?:made|see) (?:an? )?(?:error|mistake)|\blet me (?:fix|correct|redo|rethink|simplify)\b"
    r"|\blet me try (?:again|another)\b",
    re.IGNORECASE,
)
_TAKES_BACK = LatePattern(
    r"(?:\*\*)?(?:(?:no, )?wait|hmm+|oops|on second thought|scratch that)\b|.*\breconsider\b",
    re.IGNORECASE,
)
_BETTER = LatePattern(
    r"\b(?:correct(?:ed)?|proper|final|updated|better|improved|complete|fixed) "
    r"(?:version|patch|diff|fix|approach|solution)\b"
    r"|\bmore (?:complete|comprehensive|appropriate|accurate|robust|precise|targeted)\b",
    re.IGNORECASE,
)
_OFFERS = LatePattern(
    r"(?:^|\bhere(?: is|'s)|\bthis is)\W*(?:option|alternative|variant) (?:\d|[a-d]\b|one|two)"
    r"|(?:^|[.!?] )\W*alternatively\b|^\W*alternative\b[^.,]{0,30}:\W*$|^\W*or\b\W*$"
    r"|\b(?:an|another|the other) alternative\b|\bor,? you (?:could|can|may|might)\b"
    r"|\b(?:if|which(?:ever)?(?: one)?) you(?:'d| would)? prefer\b",
    re.IGNORECASE,
)
_ADDS = LatePattern(
    r"\b(?:also|additionally|in addition|furthermore|besides|too|as well)\b", re.IGNORECASE
)


class Thought(Enum):
    NONE = "it says nothing of it"
    OFFERS = "another one is offered"
    BETTER = "another one is better"
    AGAIN = "it is thought over"
    ADDS = "it is thought over, and something comes on top"


def thought(prose: Sequence[str]) -> Thought:
    found = Thought.NONE
    last = next((line for line in reversed(prose) if line.strip()), "")
    for line in prose:
        if _THINKS_AGAIN.search(line):
            if _ADDS.search(line) or _ADDS.search(last):
                return Thought.ADDS
            found = Thought.AGAIN
        elif found is not Thought.AGAIN and _BETTER.search(line):
            found = Thought.BETTER
        elif found is Thought.NONE and _OFFERS.search(line):
            found = Thought.OFFERS
    return found


def takes_back(line: str) -> bool:
    """Whether it doubts what stands above it, plainly enough where nothing takes its place."""
    return _TAKES_BACK.match(line) is not None
