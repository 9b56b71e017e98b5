"""Whether an objective asks for what is not there: then nothing is wrong in saying so."""

import re
from functools import lru_cache

from react_agent.parsers.claims.claims import claims
from react_agent.parsers.claims.spelling import folded

_ASKED_FOR = re.compile(
    r"\b(?:add|adds|adding|added|create|creates|creating|introduce|introducing|implement|implementing"
    r"|implements|new|provide|provides|missing|expose|write|define|extract|propose|proposal|feature"
    r"|should (?:have|exist|provide|be (?:added|available|there|called|named))|needs? an?|needed"
    r"|want(?:s|ed)? an?|would be (?:nice|good|useful)|no longer exists?|rename[sd]?|move[sd]?"
    r"|split"
    r"|bring back|restore|port)\b",
    re.IGNORECASE,
)
_HAS = re.compile(r"should have|needs? an?|want(?:s|ed)? an?", re.IGNORECASE)  # what follows
_WORDS = 7  # between what asks and what is asked for
_WORD = re.compile(r"[\w./$@-]+")
_SENTENCE = re.compile(r"[.!?](?=\s|$)|\n")


@lru_cache(64)
def is_wanted(objective: str, name: str) -> bool:
    wanted = folded(name)
    if any(wanted == folded(one) for claim in claims(objective) for one in claim.names):
        return True
    return any(_asks_for(sentence, wanted) for sentence in _SENTENCE.split(objective))


def _asks_for(sentence: str, wanted: str) -> bool:
    if wanted not in folded(sentence):
        return False
    words = _WORD.findall(sentence)
    at = next((n for n, word in enumerate(words) if wanted in folded(word)), len(words))
    near = " ".join(words[max(0, at - _WORDS) : at + _WORDS])
    found = _ASKED_FOR.finditer(near)
    return any(not _HAS.match(one[0]) or wanted in folded(near[one.end() :]) for one in found)
