"""Which lines that have a name say that what was denied is there."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from react_agent.backtrack.question import Question
from react_agent.parsers.claims.claims import About
from react_agent.parsers.claims.definitions import (
    Sort,
    defined_as,
    is_aside,
    is_data,
    is_prose,
    stands_in,
)
from react_agent.parsers.claims.found_lines import FoundLine
from react_agent.parsers.claims.spelling import folded
from react_agent.parsers.claims.word_parts import word_parts

DISTINCT = 8  # letters of a name of one word that nothing else will have by chance
_VERY_DISTINCT = 12
_EVERYWHERE = re.compile(
    r"\b(?:anywhere|nowhere|repo(?:sitory)?|project|code ?base)\b", re.IGNORECASE
)
_TEXTS = ("string", "text", "label", "title", "prompt")
_CLASS_LIKE = (
    "error",
    "exception",
    "warning",
    "mixin",
    "base",
    "type",
    "config",
    "options",
    "class",
)


@dataclass(frozen=True, slots=True)
class Hit:
    line: FoundLine
    name: str
    sort: Sort | None  # None: it is not defined there, but it is there

    @property
    def is_outer(self) -> bool:
        """Not within a class or a function."""
        return self.sort is None or is_data(self.line.path) or not self.line.text[:1].isspace()

    @property
    def is_inner_function(self) -> bool:
        return self.sort not in (None, Sort.VALUE)

    @property
    def stands_out(self) -> bool:
        """What many classes may define has to be a rare name."""
        letters, words = len(folded(self.name)), len(word_parts(self.name))
        if self.sort is None or is_data(self.line.path):
            return True
        if not self.is_outer:
            return self.is_inner_function and letters >= _VERY_DISTINCT and words > 1
        return words > 1 or letters >= DISTINCT or self.sort is Sort.CLASS


def told_by(question: Question) -> bool:
    """The claim is that the very letters stand nowhere."""
    claim = question.assumed.claim
    if question.assumed.looked.places and not _EVERYWHERE.search(claim.sentence):
        return False  # it may be true of what was looked through
    return claim.kind in _TEXTS or (claim.is_of_text and claim.about is About.BEING)


def wanted_hits(question: Question, named: Iterable[tuple[FoundLine, str]]) -> list[Hit]:
    """Of the project itself: not in its tests, documents or copies of others' code."""
    denied = _denied(question)
    found = list[Hit]()
    for line, name in named:
        if is_aside(line.path) or is_prose(line.path):
            continue
        sort = defined_as(line.text, name)
        if told_by(question) or (sort and (denied is None or denied is sort)):
            found.append(Hit(line, name, sort))
        elif is_data(line.path) and denied in (None, Sort.VALUE) and stands_in(line.text, name):
            found.append(Hit(line, name, None))
    return found


def _denied(question: Question) -> Sort | None:
    name, denied = question.name, question.assumed.sort
    if denied is None and name[:1].isupper() and not name.isupper():
        return Sort.CLASS if word_parts(name)[-1] in _CLASS_LIKE else None
    return denied if denied is not Sort.FILE else None
