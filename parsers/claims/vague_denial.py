"""A sentence that denies something in words that `claims` can't read.

Only that it denies is known. So it is a claim right behind a search that found nothing, and about
what was searched for: "The shop doesn't have one, then." A place it names makes it one of that
place, which is true as far as anybody knows.
"""

import re

from react_agent.parsers.claims.claims import ANOTHER, KINDS, SOMETHING_FOR, WHOLE, Claim
from react_agent.parsers.claims.exceptions import is_no_claim
from react_agent.parsers.claims.plain_sentences import Known, Sentence, sentences

_DENIES = re.compile(
    r"\b(?:no (?!need|reason|way|point|other|longer|problem|difference|doubt|idea|matter|test|tests"
    r"|more|harm|change|changes|error|errors|output|hits?|match|matches|results?|luck|success"
    r"|such thing as)[a-z\ue000]"
    r"|none of (?:them|these|those|the)\b|nothing (?!else|more|wrong|to)"
    r"|(?:is|are) not (?:there|here|any|around|implemented|defined|written|available)\b"
    r"|(?:do|does) not (?:exist|have|contain|define|provide|come with|know|support|ship)\b"
    r"|(?:must|can) not exist\b|missing\b|absent\b|nowhere\b|lacks?\b"
    r"|(?:was|were|has|have) never (?:been )?[a-z]+\b)"
)
_PLACED = re.compile(rf"\b(?:in|inside|within|under|below) (?!{WHOLE}\b)\S")
_DOUBTS = re.compile(
    r"\b(?:may|maybe|might|perhaps|possibly|could be|not sure|doesn['’]?t mean|unclear|let me"
    r"|let['’]s|I['’]ll (?:look|check|see|try)|I (?:look|check|try|search)|elsewhere|somewhere"
    r"|other name)\b",
    re.IGNORECASE,
)
_KIND = re.compile(rf"\b(?:{KINDS})\b")


def bare_denial(text: str, known: Known = ()) -> Claim | None:
    """The first of a Thought that doubts nothing."""
    if _DOUBTS.search(text):
        return None
    found = (_claim(sentence) for sentence in sentences(text, known) if not sentence.is_asked)
    return next(filter(None, found), None)


def _claim(sentence: Sentence) -> Claim | None:
    plain = sentence.text
    denied = _DENIES.search(plain)
    if not denied or any(one.search(plain) for one in (_PLACED, ANOTHER, SOMETHING_FOR)):
        return None
    if is_no_claim(plain[: denied.start()], plain[denied.end() :]):
        return None
    kind = _KIND.search(plain)
    return Claim(sentence.said, (), kind[0] if kind else "")
